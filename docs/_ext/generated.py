"""Generate the parts of pages that follow from the code: the verbs of the command line, public names, learners, rules.

A page asks for a part by a comment on a line of its own, such as `<!-- verbs -->` or `<!-- names: bayesift.learn -->`.
"""

from __future__ import annotations

import inspect
import re
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from types import UnionType
from typing import Any, get_args

import typer.main
from sphinx.application import Sphinx

import bayesift

MARK = re.compile(r"^<!-- (verbs in short|verbs|names in short|names)(?:: (\S+))? -->$", re.MULTILINE)
OPTION = re.compile(r"(?<![`\w-])--[a-z][\w-]*(?![\w`-])")  # outside of code
SECONDS = re.compile(r", (?=[\d.]+ s +\|)")  # in a cell of the table of results
OTHER_VERBS = "Commands"  # what typer calls verbs without a panel


def verbs() -> dict[str, list[tuple[str, Any]]]:
    """Return the verbs of `bayesift` with their commands, by the panel of `bayesift --help` in which they are shown."""
    from bayesift.cli.main import app

    panels: dict[str, list[tuple[str, Any]]] = defaultdict(list)
    for name, command in typer.main.get_command(app).commands.items():
        if not command.hidden:
            panels[getattr(command, "rich_help_panel", None) or OTHER_VERBS].append((name, command))
    return dict(panels)


def verbs_in_short() -> str:
    """Return a table of all verbs for each panel, as Markdown."""
    parts = []
    for panel, commands in verbs().items():
        rows = [f"| [`{name}`](#bayesift-{name}) | {_help(command)} |" for name, command in commands]
        parts += [f"**{panel}**\n", "| verb | what it does |", "|---|---|", *rows, ""]
    return "\n".join(parts)


def verbs_in_full() -> str:
    """Return one section for each verb, with its arguments and options, as Markdown."""
    return "\n\n".join(
        "\n".join(_sections(name, command)) for commands in verbs().values() for name, command in commands
    )


def _sections(name: str, command: Any) -> Iterator[str]:
    inner = getattr(command, "commands", None)
    yield f"### bayesift {name}\n" if " " not in name else f"#### bayesift {name}\n"
    yield f"{_help(command, whole=True)}\n"
    if inner:
        for verb, part in inner.items():
            yield from _sections(f"{name} {verb}", part)
        return
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option" and p.name != "help" and not p.hidden]
    usage = " ".join(_argument(p) for p in arguments)
    yield f"```text\nbayesift {name} {usage} [OPTIONS]\n```\n"
    if arguments:
        yield from ("| argument | meaning |", "|---|---|")
        yield from (f"| `{_argument(p).strip('[]')}` | {_cell(p.help)} |" for p in arguments)
        yield ""
    if options:
        yield from ("| option | meaning |", "|---|---|")
        yield from (f"| {_flags(p)} | {_cell(p.help)}{_default(p)} |" for p in options)
        yield ""


def _argument(param: Any) -> str:
    name = (param.metavar or param.name.upper()).strip("{}[]") + ("..." if param.nargs == -1 else "")
    return name if param.required else f"[{name}]"


def _flags(param: Any) -> str:
    value = "" if param.is_flag else f" {param.metavar or param.name.upper()}"
    return ", ".join(f"`{flag}{value}`" for flag in param.opts).replace("|", "\\|")


def _default(param: Any) -> str:
    shown = param.default
    if callable(shown) or param.is_flag or shown in (None, "", ()) or not param.show_default:
        return ""
    if isinstance(shown, list | tuple):
        shown = ", ".join(map(str, shown))
    return f" (default: `{getattr(shown, 'value', shown)}`)"


def _help(command: Any, whole: bool = False) -> str:
    text = inspect.cleandoc(command.help or "").replace("\b\n", "")
    return OPTION.sub(r"`\g<0>`", text) if whole else _cell(text.split("\n\n")[0])


def _cell(text: str | None) -> str:
    text = " ".join((text or "").split()).replace("|", "\\|").replace("<", "&lt;")
    return OPTION.sub(r"`\g<0>`", text)  # as text, two hyphens become a dash


def names(package: str) -> str:
    """Return the reference of all public names of a package, as Markdown."""
    module = import_module(package)
    parts = []
    own = [name for name, found in vars(module).items() if getattr(found, "__module__", "") == package]
    public = (name for name in getattr(module, "__all__", own) if not name.startswith("_"))
    for name in sorted(public, key=str.lower):
        found = getattr(module, name)
        home = f"{found.__module__}.{found.__qualname__}" if hasattr(found, "__qualname__") else f"{package}.{name}"
        if isinstance(found, UnionType):  # its docstring is that of all unions
            kinds = ", ".join(f"`{kind.__name__}`" for kind in get_args(found))
            parts.append(f"## {name}\n\nOne of {kinds}.\n")
            continue
        if inspect.isclass(found):
            directive = f".. autoclass:: {home}\n   :members:\n   :inherited-members: {_foreign(found)}\n"
        elif callable(found):
            directive = f".. autofunction:: {home}\n"
        else:
            directive = f".. autodata:: {package}.{name}\n   :no-value:\n"
        parts.append(f"## {name}\n\n```{{eval-rst}}\n{directive}```\n")
    return "\n".join(parts)


def names_in_short() -> str:
    """Return a table of the names that `import bayesift` provides, with links to their reference, as Markdown."""
    rows = []
    for name in sorted(bayesift.__all__[1:], key=str.lower):  # without the version
        found = getattr(bayesift, name)
        page = bayesift._HOMES[name].rpartition(".")[2]
        rows.append(f"| [`{name}`]({page}.md#{name.lower().replace('_', '-')}) | {_first_line(found)} |")
    return "\n".join(["| name | summary |", "|---|---|", *rows])


def _first_line(found: Any) -> str:
    return _cell((inspect.getdoc(found) or "").split("\n\n")[0])


def _foreign(found: type) -> str:
    """Return the names of the base classes from other packages, whose members have no place here."""
    return ", ".join(base.__name__ for base in found.__mro__ if not base.__module__.startswith("bayesift"))


def filled(text: str) -> str:
    """Return the text of a page with every mark replaced by what it asks for, and seconds on a line of their own."""

    def part(match: re.Match[str]) -> str:
        what, package = match.groups()
        made = {"verbs": verbs_in_full, "verbs in short": verbs_in_short, "names in short": names_in_short}
        return names(package) if what == "names" else made[what]()

    return SECONDS.sub("<br>", MARK.sub(part, text))


def _read(_app: Sphinx, _page: str, source: list[str]) -> None:
    source[0] = filled(source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Fill pages in when they are read."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
