"""`bayesift screen new`: create a review from files of references."""

from __future__ import annotations

from typing import Any

from bayesift.cli import options as o
from bayesift.cli.messages import counted, say
from bayesift.cli.screen import options as s
from bayesift.cli.screen.opening import (
    drained,
    person,
    read_files,
    reasons_in,
    review_class,
    rule_of,
    say_duplicates,
    text_in,
)


def new(
    review: s.NewReview,
    files: s.Files,
    question: s.Question = None,
    criteria: s.Criteria = None,
    reasons: s.Reasons = None,
    reviewers: s.Reviewers = 1,
    blind: s.Blind = True,
    deduplicate: s.Deduplicate = False,
    recall: s.Recall = None,
    certainty: s.Certainty = None,
    method: s.Method = None,
    in_a_row: s.InARow = None,
    share: s.Share = None,
    seed: o.Seed = 0,
    who: s.Who = None,
) -> None:
    """Create a review: a database of records, with the decisions that their files already hold."""
    given: dict[str, Any] = {
        "question": question, "criteria": criteria and text_in(criteria), "reasons": reasons and reasons_in(reasons),
    }  # fmt: skip
    rule = rule_of({}, recall=recall, certainty=certainty, method=method, in_a_row=in_a_row, share=share)
    name = person(who)
    records, bad = read_files(files)
    made = review_class().create(
        review, drained(records), reviewers=reviewers or 1, blind=bool(blind), rule=rule, seed=seed,
        deduplicate=deduplicate, who=name, bad=bad, **{key: value for key, value in given.items() if value},
    )  # fmt: skip
    with made:
        progress, pairs = made.progress(), made.count_duplicates()
        merged = len(made) - progress.records
        name = made.database.name
    say(f"{name}: {counted(progress.records, 'record')}" + (f", {merged:,} duplicates merged" if merged else ""))
    if progress.read:
        say(f"{progress.read:,} of them are decided in the files")
    say_duplicates(pairs, review)
    say(f"read them: bayesift screen review {review}")
