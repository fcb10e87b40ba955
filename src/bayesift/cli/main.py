"""The `bayesift` command: the verbs, and one line and an exit code for each error.

Exit codes: 0 success; 1 a check failed, standard output was closed, or an unexpected error; 2 invalid input or options;
130 interrupted.
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from bayesift import __version__, progress
from bayesift.cli import (
    compare,
    compare_learners,
    convert,
    corpus,
    cross_validate,
    demo,
    evaluate,
    explain,
    export,
    inspect,
    mcp,
    predict,
    reproduce,
    serve,
    simulate,
    split,
    train,
    update,
    user,
)
from bayesift.cli import filter as filter_verbs
from bayesift.cli import screen as screen_verbs
from bayesift.errors import BayesiftError, Notice
from bayesift.terminal import one_line, shortened

INTERRUPTED = 130
TRACEBACK = "BAYESIFT_TRACEBACK"  # environment variable: print the traceback of an unexpected error
FORBIDDEN = (errno.EACCES, errno.EPERM)
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

app = typer.Typer(
    name="bayesift",
    help="Sort a flow of text: many labels, calibrated probabilities, learning from every judgement.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
WORK, LOOK, RESEARCH = "Work: train and predict", "Look: measure and explain", "Research: experiments and corpora"
STREAM = "Filter: watch a stream for topics"
LITERATURE = "Screen: review a literature"
VERBS: dict[str, dict[str, Callable[..., None]]] = {  # by panel, in the order of the help
    WORK: {
        "train": train.train,
        "predict": predict.predict,
        "update": update.update,
        "split": split.split,
        "export": export.export,
        "convert": convert.convert,
    },
    LOOK: {
        "evaluate": evaluate.evaluate,
        "cross-validate": cross_validate.cross_validate,
        "compare": compare.compare,
        "compare-learners": compare_learners.compare_learners,
        "inspect": inspect.inspect,
        "explain": explain.explain,
    },
    RESEARCH: {"demo": demo.demo, "simulate": simulate.simulate, "reproduce": reproduce.reproduce},
}
for panel, verbs in VERBS.items():
    for name, verb in verbs.items():
        app.command(name, rich_help_panel=panel)(verb)
app.add_typer(filter_verbs.app, name="filter", rich_help_panel=STREAM)
app.command("serve", rich_help_panel=STREAM)(serve.serve)
app.command("mcp", rich_help_panel=STREAM)(mcp.mcp)
app.add_typer(user.app, name="user", rich_help_panel=STREAM)
app.add_typer(screen_verbs.app, name="screen", rich_help_panel=LITERATURE)
app.add_typer(corpus.app, name="corpus", rich_help_panel=RESEARCH)


def _version(asked: bool) -> None:
    if asked:
        print(f"bayesift {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Sort a flow of text: many labels, calibrated probabilities, learning from every judgement."""


def main() -> None:
    """Run the command and exit; `bayesift.__main__` also handles Ctrl-C."""
    sys.exit(run())


def run(arguments: list[str] | None = None) -> int:
    """Run the command with these arguments (default: `sys.argv`) and return its exit code."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the shell, as in `>&-`: no other file may get its descriptor
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115
    if hasattr(sys.stdout, "reconfigure"):  # a terminal may not have every character
        sys.stdout.reconfigure(errors="backslashreplace")
    progress.announced = set()
    with warnings.catch_warnings():
        warnings.simplefilter("always", Notice)
        warnings.showwarning = _once()
        try:
            return _run(arguments)
        except KeyboardInterrupt:  # typer catches those within a verb
            return _interrupted()


def _once() -> Callable[..., None]:
    """Return a function that prints each `Notice` once, as one line; other warnings are not printed."""
    shown: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *_where: Any) -> None:
        if issubclass(category, Notice) and str(message) not in shown:
            shown.add(str(message))
            _say(f"note: {message}")

    return show


def _run(arguments: list[str] | None) -> int:
    try:
        # Not standalone: typer would exit by itself, with no message when interrupted.
        code = app(arguments, prog_name="bayesift", standalone_mode=False)
        sys.stdout.flush()
    except BayesiftError as error:
        _say(_standard_input(str(error)) if error.path == "-" else str(error))
        return 2
    except BrokenPipeError:  # standard output was closed, as by `| head`
        _drop_output()
        return 1
    except OSError as error:
        _say(_reason(error))
        _drop_output()
        return 2
    except Exception as error:
        if hasattr(error, "exit_code") and hasattr(error, "show"):  # a usage error of typer
            error.show()
            return int(error.exit_code)
        if os.environ.get(TRACEBACK):
            traceback.print_exc()
        else:
            _say(f"unexpected error: {type(error).__name__}: {error}; set {TRACEBACK}=1 to see the traceback")
        return 1
    if code == INTERRUPTED:
        return _interrupted()
    return code if isinstance(code, int) else 0


def _say(text: str) -> None:
    print(f"bayesift: {one_line(shortened(text))}", file=sys.stderr, flush=True)


def _interrupted() -> int:
    _say("interrupted; no file was left incomplete")
    return INTERRUPTED


def _standard_input(text: str) -> str:
    """Return the message of an error whose file is `-`, by name."""
    return f"standard input{text.removeprefix('-')}"


def _reason(error: OSError) -> str:
    """Return the message for an error of the operating system, with the file that it names."""
    if error.filename is not None:
        remedy = "; check its permissions" if error.errno in FORBIDDEN else ""
        return f"{os.fsdecode(error.filename)}: {error.strerror}{remedy}"
    what = "cannot write the output" if error.errno in NO_ROOM else "reading or writing failed"
    return f"{what}: {error.strerror or error}"


def _drop_output() -> None:
    """Discard what is still buffered for standard output: writing it at exit would fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
