"""What every belief can do, so that the exact ones are the oracles of the fast ones.

A belief is Gaussian, about a field h that decides the label of an input under a likelihood:

| belief                       | the input is          | exact                                                  |
|------------------------------|-----------------------|--------------------------------------------------------|
| `full.FullBelief`            | a row of features     | yes, over weights                                      |
| `vector.VectorBelief`        | a row of features     | weights are independent                                |
| `process.ProcessBelief`      | a row of features     | up to the number of basis vectors                      |
| `learn.bomc.LabelsBelief`    | a row of features     | weights are independent; many labels in one belief     |

With many labels, y and the field have a second axis, one column per label.
"""

from __future__ import annotations

from copy import copy
from dataclasses import fields
from typing import Any, Protocol, Self, TypeVar, runtime_checkable

from bayesift.beliefs.likelihoods import Code

State = dict[str, Any]  # names to arrays, numbers, strings, and lists or dictionaries of these
Inputs = TypeVar("Inputs", contravariant=True)


@runtime_checkable
class Belief(Protocol[Inputs]):
    """A Gaussian belief about the field of an input; `predictive(code, *field(inputs))` are its probabilities."""

    @property
    def code(self) -> Code:
        """The likelihood of a label, as the kernels take it."""

    def grow(self, size: Any) -> None:
        """Know inputs of this size, with what is new at its prior; what was learned stays."""

    def learn(self, inputs: Inputs, y: Any, passes: int = 1) -> None:
        """Learn labelled inputs in their order, none larger than `grow` was asked for.

        y is +1 or -1 per input; for many labels it is a sparse matrix of 0 and 1, (inputs, labels).
        """

    def field(self, inputs: Inputs) -> tuple[Any, Any]:
        """Return mean and variance of the field of each input."""

    def state(self) -> State:
        """Return a copy of all that was learned; settings are not part of it."""

    def restore(self, state: State) -> Self:
        """Replace what was learned by a state of a belief with equal settings."""


def fields_without(belief: Any, settings: tuple[str, ...] = ()) -> State:
    """Return copies of a dataclass's fields, without its settings."""
    return {f.name: copy(getattr(belief, f.name)) for f in fields(belief) if f.name not in settings}


def set_fields(belief: Any, state: State) -> None:
    """Set a dataclass's fields to copies of these."""
    for name, value in state.items():
        setattr(belief, name, copy(value))
