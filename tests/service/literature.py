"""A made-up literature: some records are about statins, which the reviewers look for."""

from __future__ import annotations

import random

from bayesift.filtering.screening.records import Record

RELEVANT = ("statins", "cholesterol", "lipid", "atorvastatin", "cardiovascular", "hiv", "antiretroviral")
OTHERS = ("asthma", "inhaler", "children", "malaria", "mosquito", "surgery", "knee", "sleep", "fever")
COMMON = ("patients", "trial", "study", "randomised", "results", "outcome", "group", "months", "treatment", "effect")


def literature(n: int, first: int = 0, share: float = 0.1) -> list[Record]:
    """Return records r0, r1, ...; the same number gives the same record."""
    return [_record(i, share) for i in range(first, first + n)]


def _record(i: int, share: float) -> Record:
    drawn = random.Random(i)
    words = RELEVANT if is_relevant(f"r{i}", share) else OTHERS
    title = " ".join([*drawn.choices(words, k=3), *drawn.choices(COMMON, k=2)])
    abstract = " ".join(drawn.choices(words, k=15) + drawn.choices(COMMON, k=25))
    return Record(f"r{i}", f"{title} {i}", abstract, year=1990 + i % 30, source=f"made-up.ris:{i + 1}")


def is_relevant(id: str, share: float = 0.1) -> bool:
    """Return the truth about a record."""
    return random.Random(f"truth {id.split('-')[0]}").random() < share
