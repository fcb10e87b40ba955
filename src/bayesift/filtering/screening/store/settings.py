"""The settings of a review: its question and criteria, the reasons for exclusion, how many decide, when to stop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from bayesift import __version__
from bayesift.errors import BadInput

REASONS = (
    "wrong population", "wrong intervention", "wrong comparison", "wrong outcome", "wrong study design",
    "wrong publication type", "full text not available",
)  # fmt: skip
NOT_RETRIEVED = REASONS[-1]  # an exclusion by full text for which a PRISMA diagram has a place of its own
MOST_REASONS, MOST_REVIEWERS = 50, 9
LONGEST = 100  # characters of a reason


class ReviewSettings(msgspec.Struct, frozen=True):
    """What is set for a review.

    Attributes
    ----------
    question : str
        What the review asks; the ranker starts from it.
    criteria : str
        The criteria for inclusion, as the reviewers read them (Markdown).
    reasons : tuple of str
        The reasons for exclusion.
    reviewers : int
        How many persons decide about each record.
    blind : bool
        Whether a person sees others' decisions about a record only when it has all of them.
    rule : dict
        The stopping rule: the settings of `StoppingRule`.
    seed : int
        Random seed.
    """

    question: str = ""
    criteria: str = ""
    reasons: tuple[str, ...] = REASONS
    reviewers: int = 1
    blind: bool = True
    rule: dict[str, Any] = {}
    seed: int = 0
    created: str = ""
    bayesift: str = __version__

    def changed(self, changes: dict[str, Any]) -> ReviewSettings:
        """Return the settings with changes, which are checked."""
        try:
            new = msgspec.convert(msgspec.to_builtins(self) | changes, ReviewSettings, strict=True)
        except msgspec.ValidationError as error:
            raise BadInput(f"invalid setting: {error}", remedy="see ReviewSettings") from None
        new.check()
        return new

    def check(self) -> None:
        """Raise BadInput if a setting is invalid."""
        if not 1 <= self.reviewers <= MOST_REVIEWERS:
            remedy = f"give a whole number from 1 to {MOST_REVIEWERS}"
            raise BadInput(f"reviewers is {self.reviewers}", remedy=remedy)
        if self.seed < 0:
            raise BadInput(f"the random seed is {self.seed}", remedy="give a whole number from 0 on")
        if len(self.reasons) > MOST_REASONS:
            raise BadInput(f"{len(self.reasons)} reasons for exclusion", remedy=f"give at most {MOST_REASONS}")
        for i, reason in enumerate(self.reasons):
            check_reason(reason, self.reasons[:i])
        stopping_rule(self.rule)


def check_reason(reason: str, before: Sequence[str]) -> None:
    """Raise BadInput if a reason is invalid, or one of those before it."""
    if not reason.strip() or len(reason) > LONGEST or "\n" in reason:
        raise BadInput(f"invalid reason {reason!r}", remedy=f"give one line of at most {LONGEST} characters")
    if reason in before:
        raise BadInput(f"duplicate reason {reason!r}", remedy="give each reason once")


def stopping_rule(settings: dict[str, Any]) -> Any:
    """Return the stopping rule with these settings; raise BadInput if one is invalid."""
    from bayesift.filtering.screening.stopping import StoppingRule

    try:
        return StoppingRule(**settings)
    except TypeError:
        reason = f"invalid stopping rule {settings}"
        raise BadInput(reason, remedy="settings are: " + ", ".join(StoppingRule.__dataclass_fields__)) from None
