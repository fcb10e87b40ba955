"""Conversion of dates to ISO 8601."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from datetime import UTC, date, datetime

from bayesift.errors import BadInput

DAY = len("2025-03-18")
_PARTS = re.compile(r"(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})(?:[ T](.*))?")


def checked_date(text: str) -> str:
    """Return the date if it is ISO 8601, a year, or a year and month; raise ValueError otherwise.

    Dates in compact form, or by weeks, become YYYY-MM-DD: dates are compared as text.

    >>> checked_date("2025-03-18"), checked_date("1987-03")
    ('2025-03-18', '1987-03')
    >>> checked_date("20250318"), checked_date("2025-W12-2T0900")
    ('2025-03-18', '2025-03-18T09:00:00')
    """
    if re.fullmatch(r"\d{4}(-(0[1-9]|1[0-2]))?", text):
        return text
    for kind in (date, datetime):
        with contextlib.suppress(ValueError):
            found = kind.fromisoformat(text).isoformat()
            return text if text[:DAY] == found[:DAY] else found
    raise BadInput(f"invalid date: {text[:40]!r}", remedy="write dates as YYYY-MM-DD")


def is_earlier(one: str, other: str) -> bool:
    """Return whether a date is earlier than another, as far as both are given; times without a zone are UTC.

    >>> is_earlier("2025-03-17", "2025-03-18T09:30:00+00:00"), is_earlier("2025-03-18", "2025-03-18T09:30:00+00:00")
    (True, False)
    >>> is_earlier("2025-03-18T09:00:00+02:00", "2025-03-18T08:00:00+00:00")
    True
    """
    if len(one) > DAY and len(other) > DAY:
        try:
            return _instant(one) < _instant(other)
        except ValueError:
            return one < other
    given = min(len(one), len(other), DAY)
    return one[:given] < other[:given]


def _instant(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def days_between(one: str, later: str) -> int:
    """Return how many days a date is before a later one; 0 if it is not, or if one of them has no day.

    >>> days_between("2025-03-18", "2025-04-01T09:30:00+00:00"), days_between("2025", "2025-04-01")
    (14, 0)
    """
    if one[:DAY] >= later[:DAY]:
        return 0
    try:
        return (date.fromisoformat(later[:DAY]) - date.fromisoformat(one[:DAY])).days
    except ValueError:
        return 0


def day_first(dates: Sequence[str]) -> bool | None:
    """Return whether dates like 03/05/1987 begin with the day; None if it is ambiguous.

    >>> day_first(["03/05/1987", "26/02/1987"]), day_first(["2/26/1987"]), day_first(["03/05/1987"])
    (True, False, None)
    """
    pairs = [(int(m[1]), int(m[3])) for text in dates if (m := _PARTS.fullmatch(text.strip())) and len(m[4]) == 4]
    if any(first > 12 for first, _ in pairs):
        return True
    return False if any(second > 12 for _, second in pairs) else None


def iso_date(text: str, day_is_first: bool | None) -> str:
    """Return a date in ISO 8601; raise ValueError if it is invalid, or if day and month are ambiguous.

    >>> iso_date("26/02/1987", True), iso_date("2/26/1987 15:01", False), iso_date("05.03.1987", None)
    ('1987-02-26', '1987-02-26 15:01', '1987-03-05')
    """
    text = text.strip()
    found = _PARTS.fullmatch(text)
    if found is None or (len(found[1]), found[2]) == (4, "-"):
        return checked_date(text)
    first, mark, second, last, time = found.groups()
    if len(first) == 4:
        year, month, day = first, second, last
    elif len(last) != 4:
        raise ValueError(f"invalid date, the year must have four digits: {text[:40]!r}")
    else:
        if mark == ".":
            day_is_first = True
        if day_is_first is None:
            raise BadInput(f"ambiguous day and month: {text[:40]!r}", remedy="write dates as YYYY-MM-DD")
        year, month, day = (last, second, first) if day_is_first else (last, first, second)
    try:
        found_date = date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        raise ValueError(f"invalid date: {text[:40]!r}") from None
    return f"{found_date} {time}" if time else found_date
