"""Records with words that tell relevant ones apart, drawn at random."""

import numpy as np


def records(n, seed=0, share=0.2):
    """Titles and abstracts, and whether each is relevant; some have no abstract."""
    rng = np.random.default_rng(seed)
    words = np.array([f"word{i}" for i in range(400)])
    chance = 1.0 / np.arange(1, 401)
    truth = rng.random(n) < share
    truth[:2] = True, False
    texts = []
    for relevant in truth:
        p = chance.copy()
        p[20:40] *= 6.0 if relevant else 1.0
        p[60:80] *= 1.0 if relevant else 3.0
        draw = rng.choice(words, int(rng.integers(20, 60)), p=p / p.sum())
        texts.append((" ".join(draw[:6]), " ".join(draw[6:]) if rng.random() < 0.9 else ""))
    return texts, truth
