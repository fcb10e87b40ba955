"""The options and the result of an experiment: one row per figure, the paper's value beside ours, kept as JSON.

`docs/results/NAME.json` holds the last result of each experiment. Tables and figures are drawn from these files alone
(`render`), so a change of the layout needs no new run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from bayesift.errors import BadInput
from bayesift.files import write_whole


@dataclass(frozen=True)
class Options:
    """The choices of a run.

    The data directory, the number of categories (None: all), the slow comparators, and the part of an experiment that
    has parts (None: all).
    """

    data: Path | None = None
    categories: int | None = None
    kernel_svm: bool = False
    part: str | None = None


@dataclass(frozen=True)
class Row:
    """One figure; None where the paper, or ours, has none."""

    system: str
    setting: str
    metric: str
    paper: float | str | None
    ours: float | str | None

    @property
    def key(self) -> tuple[str, str, str]:
        """The name of the figure, which is unique within a result."""
        return self.system, self.setting, self.metric


@dataclass(frozen=True)
class Curve:
    """A line of a figure that the rows do not hold; `panel` names one of several plots."""

    panel: str
    name: str
    x: list[float]
    y: list[float]


@dataclass
class Result:
    """All figures of one experiment.

    >>> result = Result("demo-table1", "docstrings", rows=[Row("perceptron", "0.5", "micro_f1", 85.12, 85.2)])
    >>> result.find("perceptron", "0.5", "micro_f1").ours
    85.2
    """

    name: str
    corpus: str
    seconds: float = 0.0
    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)
    optional: dict[str, str] = field(default_factory=dict)  # system that an option adds: the day it was computed
    parts: dict[str, float] = field(default_factory=dict)  # part, the beginning of settings: its seconds

    def find(self, system: str, setting: str, metric: str) -> Row | None:
        """Return the row with this key, or None."""
        return next((row for row in self.rows if row.key == (system, setting, metric)), None)

    def keep_optional(self, before: Result) -> None:
        """Add the rows of BEFORE whose systems only an option adds, where this run does not have them."""
        systems = set(before.optional) - set(self.optional)
        found = {row.key for row in self.rows}
        named = [row for row in before.rows if {row.system, row.setting.removeprefix("against ")} & systems]
        self.rows += [row for row in named if row.key not in found]
        self.optional |= {system: before.optional[system] for system in before.optional if system in systems}

    def keep_parts(self, before: Result) -> None:
        """Add the rows of BEFORE that are of other parts than this run's."""
        others = {part: seconds for part, seconds in before.parts.items() if part not in self.parts}
        self.rows += [row for row in before.rows if row.setting.split(",")[0] in others]
        self.parts = {part: (others | self.parts)[part] for part in sorted(others | self.parts)}
        self.seconds = sum(self.parts.values()) or self.seconds

    def write_json(self, path: Path) -> None:
        """Write the result as JSON, one line per row; the keys are the names of the fields."""
        fields = [f"{_json(name)}: {_json(value)}" for name, value in msgspec.to_builtins(self).items()]
        with write_whole(path) as out:
            out.write(("{\n" + ",\n".join(fields) + "\n}\n").encode())


def _json(value: object) -> str:
    if not isinstance(value, list):
        return msgspec.json.encode(value).decode()
    return "[" + ",".join(f"\n  {msgspec.json.encode(item).decode()}" for item in value) + "\n]"


def read_result(path: Path) -> Result:
    """Read a result that `Result.write_json` wrote."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Result)
    except (OSError, msgspec.DecodeError) as error:
        raise BadInput(f"cannot be read: {error}", path=path, remedy="run the experiment again") from error


def store(folder: Path, result: Result) -> None:
    """Replace the stored result of an experiment; rows of other parts, and those that only an option adds, are kept."""
    path = folder / f"{result.name}.json"
    if path.exists():
        before = read_result(path)
        result.keep_optional(before)
        result.keep_parts(before)
    folder.mkdir(parents=True, exist_ok=True)
    result.write_json(path)
