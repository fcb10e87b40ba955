"""How much longer does BOMC take with a dense vector beside the words, and what does making the vector cost?

Reuters (9,603 documents), all words, one pass, one thread: words alone, with the corpus vector (200 numbers), and with
the same numbers as terms of a sparse row; then latent semantic analysis itself. Without this corpus: the docstrings.
How long a whole fit takes is part of `bayesift reproduce meaning-corpus`.
"""

from __future__ import annotations

from _run import arguments, best, one_vs_rest_task, show
from bayesift.learn import BOMC
from bayesift.learn.side_by_side import SideBySide
from bayesift.text.meaning import CorpusMeaning


def main() -> None:
    """Print the table."""
    given = arguments(__doc__ or "")
    name, X, Y, _ = one_vs_rest_task()
    model = CorpusMeaning().fit(X)
    rows = SideBySide(X, model.transform(X))
    stacked = rows.stacked()
    tasks = {
        "words alone": lambda: BOMC(threads=1).fit(X, Y),
        "words and vector": lambda: BOMC(threads=1).fit(rows, Y),
        "vector as terms of a sparse row": lambda: BOMC(threads=1).fit(stacked, Y),
        "latent semantic analysis": lambda: CorpusMeaning().fit(X),
        "vectors by it": lambda: model.transform(X),
    }
    for task in tasks.values():
        task()  # compiled
    seconds = dict.fromkeys(tasks, float("inf"))
    for _ in range(given.repeat):  # in turn, so that a busy machine slows all of them
        for what, task in tasks.items():
            seconds[what] = min(seconds[what], best(task, 1))
    words = seconds["words alone"]
    found = [
        {"corpus": name, "task": what, "seconds": took, "times words alone": took / words}
        for what, took in seconds.items()
    ]
    show(found, ["one pass over the documents, one thread; at most 2.5 times words alone is asked for"], given.json)


if __name__ == "__main__":
    main()
