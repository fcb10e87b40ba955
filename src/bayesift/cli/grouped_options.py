"""Options that several verbs share, as one dataclass: its fields are options of the command line."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection

Decorator = Callable[[Callable[..., None]], Callable[..., None]]


def takes(parameter: str, group: type, left_out: Collection[str] = ()) -> Decorator:
    """Replace a parameter of a verb by the options of a dataclass, in its place, except those left out."""

    def decorate(verb: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(verb, eval_str=True)
        shared = inspect.signature(group, eval_str=True).parameters
        options = [p.replace(kind=p.KEYWORD_ONLY) for name, p in shared.items() if name not in left_out]
        parameters: list[inspect.Parameter] = []
        for p in own.parameters.values():
            parameters += options if p.name == parameter else [p.replace(kind=p.KEYWORD_ONLY)]

        @functools.wraps(verb)
        def wrapper(**given: object) -> None:
            made = group(**{p.name: given.pop(p.name) for p in options})
            verb(**given, **{parameter: made})

        wrapper.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        wrapper.__annotations__ = {p.name: p.annotation for p in parameters}
        return wrapper

    return decorate
