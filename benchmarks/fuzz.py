"""Does a damaged file ever do harm? Mutated model files and mutated inputs, by the hundred thousand.

A mutated model file must be refused by an error of ours, or give the very predictions of the file it was made from. A
mutated input must be read, or refused by an error of ours that names the line. Anything else, a traceback, another
answer or more than `SLOW` seconds, is a find: it is printed, and the exit code is 1. The same seed, the same mutations.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

from bayesift import TextClassifier, load
from bayesift.corpora import Skipped, read_documents
from bayesift.errors import BayesiftError, Notice
from bayesift.progress import track

SLOW = 5.0
TEXTS = ["wheat harvest and corn", "barley crop", "crude oil prices", "opec oil output"] * 3
LABELS = [("grain",), ("grain",), ("crude",), ("crude", "ship")] * 3
LINES = (
    '{"id": "1", "title": "Grain", "body": "wheat, caf\u00e9", "labels": ["grain", "ship"], "date": "1987-03-01"}\n'
    '{"text": "oil", "labels": []}\n\n{"id": 7, "text": "\\u6771\\u4eac"}\n'
).encode()
ARRAY = b"[" + b",\n".join(line for line in LINES.splitlines() if line) + b"]\n"
CELLS = b'{"text": "oil", "labels": "a, b"}\n{"text": "wheat", "labels": "a"}\n{"text": "x", "labels": "b"}\n'
LISTS = b'text;labels;\n"a;b";"[\'x\', ""y""]";\nwheat;[];\n'
TABLE = b'id,title,text,labels,date\n1,"a ""b""",wheat,grain;ship,1987\n2,,"oil\ncrude",,\n'
WORDS = [
    b'"',
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\n",
    b"\0",
    b"\xff",
    b"\xed\xa0\x80",
    b"\\u",
    b"null",
    b"1e999",
    b";",
    b"|",
    b"'",
    b"\t",
]


def mutated(data: bytes, rng: np.random.Generator) -> bytes:
    """One to four changes: bits, bytes, cuts, repeats, pieces moved, and words of the formats put in."""
    found = bytearray(data)
    for _ in range(rng.integers(1, 5)):
        kind, at = int(rng.integers(7)), int(rng.integers(max(len(found), 1)))
        if kind == 0 and found:
            found[at] ^= 1 << int(rng.integers(8))
        elif kind == 1 and found:
            found[at] = int(rng.integers(256))
        elif kind == 2:
            del found[at:]
        elif kind == 3:
            del found[at : at + int(rng.integers(1, 64))]
        elif kind == 4:
            found[at:at] = found[at : at + int(rng.integers(1, 64))]
        elif kind == 5:
            other = int(rng.integers(max(len(found), 1)))
            found[other:other] = found[at : at + int(rng.integers(1, 16))]
        else:
            found[at:at] = WORDS[int(rng.integers(len(WORDS)))]
    return bytes(found)


def model_files(n: int, seed: int, folder: Path) -> list[str]:
    """Mutate a model file n times."""
    model = TextClassifier().fit(TEXTS, LABELS)
    model.save(folder / "whole.model")
    whole, expected = (folder / "whole.model").read_bytes(), model.predict_proba(TEXTS)
    header = 8 + int.from_bytes(whole[:8], "little")

    def same(path: Path) -> bool:
        return np.array_equal(load(path).predict_proba(TEXTS), expected)

    rng, path = np.random.default_rng(seed), folder / "x.model"

    def make() -> bytes:
        if rng.random() < 0.5:  # half of the changes where the sense is
            return mutated(whole[:header], rng) + whole[header:]
        return mutated(whole, rng)

    return _run("model files", n, make, path, same)


def inputs(n: int, seed: int, folder: Path) -> list[str]:
    """Mutate files of every layout n times in all, and predict what can be read."""
    model = TextClassifier().fit(TEXTS, LABELS)
    rng = np.random.default_rng(seed)

    def read(path: Path) -> bool:
        kept = list(read_documents(path, skip_bad=True, skipped=Skipped()))  # all that can be read of it
        right = not kept or bool(np.isfinite(model.predict_proba(kept)).all())
        return right and list(read_documents(path)) == kept  # refused if a line is bad

    layouts = {
        "JSON lines": (LINES, "x.jsonl"),
        "JSON lines with labels in one text": (CELLS, "cells.jsonl"),
        "JSON arrays": (ARRAY, "x.json"),
        "tables": (TABLE, "x.csv"),
        "tables with lists of labels": (LISTS, "lists.csv"),
    }
    finds = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Notice)  # what was detected
        for what, (data, name) in layouts.items():
            finds += _run(what, n // len(layouts), lambda data=data: mutated(data, rng), folder / name, read)
    return finds


def _run(what: str, n: int, make: Callable[[], bytes], path: Path, right: Callable[[Path], bool]) -> list[str]:
    finds, ends = [], Counter[str]()
    for i in track(range(n), what):
        path.write_bytes(make())
        start = time.monotonic()
        try:
            end = "read, and right" if right(path) else "WRONG ANSWER"
        except BayesiftError:
            end = "refused"
        except Exception as error:
            end = f"TRACEBACK {type(error).__name__}: {error}"
        if time.monotonic() - start > SLOW:
            end = "SLOW"
        ends[end.split(":")[0]] += 1
        if end not in ("read, and right", "refused"):
            finds.append(f"{what} {i}: {end}")
    print(f"{what}: {n:,} mutated; " + ", ".join(f"{end} {count:,}" for end, count in ends.most_common()))
    return finds


def main() -> int:
    """Fuzz and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="write the number of finds here")
    parser.add_argument("--number", type=int, default=100_000, help="mutations of each kind (default: 100,000)")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        finds = model_files(options.number, options.seed, Path(place))
        finds += inputs(options.number, options.seed, Path(place))
    if options.json:
        options.json.write_text(json.dumps({"mutations of each kind": options.number, "finds": finds}) + "\n")
    for find in finds[:20]:
        print(find, file=sys.stderr)
    return 1 if finds else 0


if __name__ == "__main__":
    sys.exit(main())
