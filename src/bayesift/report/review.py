"""The report of a review: flow of records, recall, stopping, agreement, words, methods text, versions and settings."""

from __future__ import annotations

from html import escape
from itertools import accumulate

from bayesift.display import Cell, Markup, cards
from bayesift.display.html import paragraph, table_html
from bayesift.display.markdown import markdown_html
from bayesift.filtering.screening.summary import AgreementSummary, ReviewSummary
from bayesift.report.charts import Series, bars, lines
from bayesift.report.methods import kappa_text, methods_text, sentence
from bayesift.report.page import Page, figure, figures, table
from bayesift.report.prisma import flow_diagram, reasons_of

WORDS = 15  # for and against
POINTS = 2000  # of a curve; more are not seen
_LISTS = {"abstract": "title and abstract", "full-text": "full text"}


def review_page(summary: ReviewSummary) -> Page:
    """Return the page of a review.

    >>> "PRISMA 2020" in review_page(ReviewSummary(name="Statins in HIV")).html()
    True
    """
    page = Page(summary.name or "Screening report", summary.question)
    page.sections.append(_cards(summary))
    flow = flow_diagram(summary.flow, summary.stopped)
    page.add("Flow of records", "PRISMA 2020 flow diagram: every record is counted once on each level.", flow)
    page.add("Stopping", summary.rule and f"The rule: {summary.rule.rstrip('.')}.", *_stopping(summary))
    page.add("Along the reading", "Records in the order in which titles and abstracts were read.", _curves(summary))
    _add_reasons(page, summary)
    _add_agreement(page, summary)
    _add_words(page, summary)
    text = "A draft for the methods and results of a paper, made from the figures of this page."
    page.add("Methods text", text, Markup("".join(f"<p>{escape(part)}</p>" for part in methods_text(summary))))
    if summary.criteria.strip():
        page.add("Criteria", "", Markup(f'<div class="doc">{markdown_html(summary.criteria)}</div>'))
    _add_settings(page, summary)
    return page


def _cards(summary: ReviewSummary) -> Markup:
    flow = summary.flow
    share = f" ({100 * flow.screened / flow.records:.0f} %)" if flow.records else ""
    shown = [
        ("records identified", f"{flow.identified_in_all:,}"),
        ("records screened", f"{flow.screened:,}{share}"),
        ("included", f"{flow.included:,}"),
    ]
    if summary.estimates:
        last = summary.estimates[-1]
        shown.append(("estimated relevant and unread", f"{last.mean:.1f}"))
        shown.append((f"{100 * summary.level:.0f} % interval of that", f"{last.low:.0f} to {last.high:.0f}"))
    return cards(shown)


def _stopping(summary: ReviewSummary) -> list[str]:
    said = [part for part in (summary.stopping, summary.certified) if part]
    return [Markup(f"<p>{escape(sentence(part))}</p>") for part in said] or [paragraph("No stopping rule was set.")]


def _curves(summary: ReviewSummary) -> str:
    if not summary.relevant:
        return paragraph("Nothing has been read yet.")
    found = [0, *accumulate(map(int, summary.relevant))]
    step = max(1, len(found) // POINTS)
    at = [*range(0, len(found) - 1, step), len(found) - 1]
    curve = Series("found", at, [float(found[k]) for k in at])
    points = [(point, found[min(point.read, len(found) - 1)]) for point in summary.estimates]
    reads = [float(point.read) for point, _ in points]
    interval = f"{100 * summary.level:.0f} % interval"
    total = Series(
        f"found and estimated unread, {interval}", reads, [n + point.mean for point, n in points],
        low=[n + point.low for point, n in points], high=[n + point.high for point, n in points], dashed=True,
    )  # fmt: skip
    shown = [curve, total] if points else [curve]
    name = "Relevant records"
    drawn = lines(shown, x_label="records read", y_label="relevant records", title=name, y_range=_top(shown))
    parts = [figure(name, drawn, "Found so far, and estimated in all from what was read until then.")]
    if points:
        recall = Series(
            f"estimated recall, {interval}", reads, [_share(n, point.mean) for point, n in points],
            low=[_share(n, point.high) for point, n in points], high=[_share(n, point.low) for point, n in points],
        )  # fmt: skip
        drawn = lines([recall], x_label="records read", y_label="recall, %", y_range=(0.0, 100.0), title="Recall")
        parts.append(
            figure(
                "Recall",
                drawn,
                f"Share of the relevant records that had been found, estimated; the band is the {interval}.",
            )
        )
    return figures(parts)


def _share(found: int, unread: float) -> float:
    return 100.0 * found / (found + unread) if found + unread else 100.0


def _top(series: list[Series]) -> tuple[float, float]:
    """Return the range of the axis: all of the lines. Early intervals may be wide and are cut at thrice the curve."""
    band = min(3.0 * max(series[0].y), max((y for s in series for y in s.high or ()), default=0.0))
    return 0.0, max(1.0, band, *(y for s in series for y in s.y))


def _add_reasons(page: Page, summary: ReviewSummary) -> None:
    flow = summary.flow
    rows: list[list[Cell]] = [
        [reason, name, number]
        for name, counts in ((_LISTS["abstract"], flow.abstract), (_LISTS["full-text"], flow.full_text))
        if counts is not None
        for reason, number in reasons_of(counts).items()
    ]
    shown = [[str(reason), str(name), f"{number:,}"] for reason, name, number in rows]
    parts = [table_html(("reason", "list", "excluded"), shown, classes=("words", "words", ""))] if rows else []
    page.add("Reasons for exclusion", "", *(parts or [paragraph("No record is excluded.")]))


def _add_agreement(page: Page, summary: ReviewSummary) -> None:
    if not summary.agreement:
        return
    parts: list[str] = []
    for one in summary.agreement:
        name = f"{one.first} and {one.second}, {_LISTS.get(one.list, one.list)}"
        parts.append(
            Markup(f"<h3 style='margin-top:1rem'>{escape(name)}</h3><p>Cohen's kappa: {escape(kappa_text(one))}.</p>")
        )
        parts.append(_decisions(one))
    page.add(
        "Agreement",
        "Records that both reviewers have judged, by their decisions, before conflicts were settled.",
        *parts,
    )


def _decisions(one: AgreementSummary) -> Markup:
    names = list(dict.fromkeys([*one.counts, *(name for row in one.counts.values() for name in row)]))
    rows: list[list[Cell]] = [[f"{one.first}: {a}", *(one.counts.get(a, {}).get(b, 0) for b in names)] for a in names]
    return table(["decision", *(f"{one.second}: {name}" for name in names)], rows, tall=False)


def _add_words(page: Page, summary: ReviewSummary) -> None:
    words = sorted(summary.terms, key=lambda term: -term[1])
    sides = {
        "Words for relevance": [term for term in words if term[1] > 0.0][:WORDS],
        "Words against": [term for term in reversed(words) if term[1] < 0.0][:WORDS],
    }
    drawn = [
        figure(
            name,
            bars([word for word, _ in side], {"weight": [weight for _, weight in side]}, title=name, x_label="weight"),
            "",
        )
        for name, side in sides.items()
        if side
    ]
    text = "The words that counted most in the ranking, as it is now."
    page.add("Words that counted", text, figures(drawn) if drawn else paragraph("Nothing has been learned yet."))


def _add_settings(page: Page, summary: ReviewSummary) -> None:
    first = {"began": summary.began, "last decision": summary.ended, "reviewers": ", ".join(summary.reviewers)}
    seed = {} if summary.seed is None else {"random seed": str(summary.seed)}
    rows = {**first, "ranking": summary.ranker, **seed, **summary.settings, **summary.versions}
    shown = [[name, value] for name, value in rows.items() if value]
    if shown:
        page.add("Versions and settings", "", table_html(("name", "value"), shown, classes=("", "words"), tall=False))
