"""`bayesift screen set`: change the settings of a review."""

from __future__ import annotations

from typing import Any

from bayesift.cli.messages import say
from bayesift.cli.screen import options as s
from bayesift.cli.screen.opening import opened, person, reasons_in, rule_of, text_in
from bayesift.errors import BadInput


def set_(
    review: s.Review,
    question: s.Question = None,
    criteria: s.Criteria = None,
    reasons: s.Reasons = None,
    reviewers: s.Reviewers = None,
    blind: s.Blind = None,
    recall: s.Recall = None,
    certainty: s.Certainty = None,
    method: s.Method = None,
    in_a_row: s.InARow = None,
    share: s.Share = None,
    who: s.Who = None,
) -> None:
    """Change the question, criteria, reasons, number of reviewers or stopping rule; decisions stay."""
    given: dict[str, Any] = {
        "question": question, "criteria": None if criteria is None else text_in(criteria),
        "reasons": None if reasons is None else reasons_in(reasons), "reviewers": reviewers, "blind": blind,
    }  # fmt: skip
    changes = {name: value for name, value in given.items() if value is not None}
    with opened(review) as found:
        before = found.settings.rule
        rule = rule_of(before, recall=recall, certainty=certainty, method=method, in_a_row=in_a_row, share=share)
        changes |= {"rule": rule} if rule != before else {}
        if not changes:
            raise BadInput("no setting is given", remedy="see bayesift screen set --help")
        found.set(who=person(who), **changes)
    say(f"{review}: {', '.join(changes)} set")
