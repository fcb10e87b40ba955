"""A small labelled stream of news that several tests filter."""

import json

import numpy as np

SUBJECTS = {"farm": "wheat corn barley harvest tractor field", "sea": "ship port cargo tanker harbour sail"}


def texts(n=240, seed=0):
    rng = np.random.default_rng(seed)
    common = ["market", "price", "report", "week", "company", "said", "year", "new", "trade", "rise"]
    lines = []
    for i in range(n):
        labels = [name for name in SUBJECTS if rng.random() < 0.2]
        words = [*rng.choice(common, 12), *(w for name in labels for w in rng.choice(SUBJECTS[name].split(), 3))]
        date = f"2025-{1 + i // 28:02}-{1 + i % 28:02}"
        lines.append(json.dumps({"id": str(i), "text": " ".join(words), "labels": labels, "date": date}))
    return lines
