"""Text for the methods and results of a paper, from the figures of a review."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bayesift.filtering.screening.summary import AgreementSummary, Flow, ListCounts, ReviewSummary
from bayesift.report.prisma import reasons_of

_SOURCES = {
    "ranked": "in the order of the ranking",
    "random": "drawn at random",
    "known": "known beforehand",
    "other": "in another order",
}
_LISTS = {"abstract": "titles and abstracts", "full-text": "full texts"}


def methods_text(summary: ReviewSummary) -> list[str]:
    """Return paragraphs that report how records were found, screened and counted.

    >>> methods_text(ReviewSummary(flow=Flow(identified={"a.ris": 1})))[0]
    'The search found 1 record (a.ris: 1). No duplicates were removed, which left 1 record to screen.'
    """
    paragraphs = [_found(summary.flow), _screened(summary), _stopped(summary), _agreed(summary.agreement)]
    return [" ".join(sentences) for sentences in (*paragraphs, _included(summary.flow)) if sentences]


def count(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> count(1, "record"), count(0, "record"), count(1200, "record")
    ('1 record', 'no records', '1,200 records')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}" if number else f"no {noun}s"


def _found(flow: Flow) -> list[str]:
    several = f" ({_list(flow.identified)})" if flow.identified else ""
    text = [f"The search found {count(flow.identified_in_all, 'record')}{several}."]
    duplicates = f"{count(flow.duplicates, 'duplicate')} {_was(flow.duplicates)} removed"
    text.append(f"{_capital(duplicates)}, which left {count(flow.records, 'record')} to screen.")
    if flow.unreadable:
        entries = "1 entry" if flow.unreadable == 1 else f"{flow.unreadable:,} entries"
        text.insert(1, f"Of the files, {entries} could not be read and {_was(flow.unreadable)} left out.")
    return text


def _screened(summary: ReviewSummary) -> list[str]:
    flow, people = summary.flow, len(summary.reviewers)
    version = f" {summary.versions['bayesift']}" if "bayesift" in summary.versions else ""
    seed = "" if summary.seed is None else f"; random seed {summary.seed}"
    ranker = f" ({summary.ranker}{seed})" if summary.ranker else ""
    text = [
        f"Titles and abstracts were screened with bayesift{version}, which ranks the records not yet read by their "
        f"probability of being relevant and learns from each decision{ranker}."
    ]
    if people > 1:
        blind = ", blind to each other's decisions" if summary.blind else ""
        text.append(f"{_capital(_number(people))} reviewers ({', '.join(summary.reviewers)}) took part{blind}.")
    if flow.records:
        share, was = f"{100 * flow.screened / flow.records:.0f} %", _was(flow.screened)
        of = f"Of {count(flow.records, 'record')}"
        text.append(f"{of}, {flow.screened:,} ({share}) {was} screened{_orders(summary)}.")
    return text


def _orders(summary: ReviewSummary) -> str:
    numbers = {name: summary.sources.count(name) for name in _SOURCES}
    shown = [f"{number:,} {_SOURCES[name]}" for name, number in numbers.items() if number]
    return f": {', '.join(shown)}" if len(shown) > 1 else ""


def _stopped(summary: ReviewSummary) -> list[str]:
    text = [f"The stopping rule was: {summary.rule.rstrip('.')}."] if summary.rule else []
    return text + [sentence(said) for said in (summary.stopping, summary.certified) if said]


def _agreed(several: Iterable[AgreementSummary]) -> list[str]:
    return [
        f"Cohen's kappa of {one.first} and {one.second} on {_LISTS.get(one.list, one.list)} was {kappa_text(one)}."
        for one in several
    ]


def kappa_text(agreement: AgreementSummary) -> str:
    """Return kappa with its interval, or that it is not defined."""
    if agreement.kappa != agreement.kappa:
        return "not defined, because all decisions are the same"
    interval = f" (95 % interval {agreement.low:.2f} to {agreement.high:.2f})" if agreement.low == agreement.low else ""
    return f"{agreement.kappa:.2f}{interval}"


def _included(flow: Flow) -> list[str]:
    text = [_decided("By title and abstract", flow.abstract, "record")]
    if flow.full_text is not None:
        missing = f"; {count(flow.not_retrieved, 'report')} could not be retrieved" if flow.not_retrieved else ""
        text.append(f"The full text of {count(flow.assessed, 'report')} was assessed{missing}.")
        text.append(_decided("By full text", flow.full_text, "report"))
    if flow.not_screened:
        text.append(f"{_capital(count(flow.not_screened, 'record'))} {_was(flow.not_screened)} not screened.")
    return text


def _decided(how: str, counts: ListCounts, noun: str) -> str:
    reasons = reasons_of(counts)
    several = f" ({_list(reasons)})" if reasons else ""
    excluded = counts.excluded_in_all
    end = f", and {counts.undecided:,} {'is' if counts.undecided == 1 else 'are'} undecided" if counts.undecided else ""
    was = _was(counts.included)
    return f"{how}, {count(counts.included, noun)} {was} included and {excluded or 'none'} excluded{several}{end}."


def _list(numbers: Mapping[str, int]) -> str:
    return "; ".join(f"{name}: {number:,}" for name, number in numbers.items())


def _was(number: int) -> str:
    return "was" if number == 1 else "were"


def _number(value: int) -> str:
    return {2: "two", 3: "three", 4: "four", 5: "five"}.get(value, str(value))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Return a text with a capital letter and a full stop.

    >>> sentence("the rule says stop")
    'The rule says stop.'
    """
    return f"{_capital(text.rstrip('. '))}."
