"""The `bayesift` command: gathers the verbs and turns errors into one line and an exit code.

Exit codes: 0 done, 1 a check failed, standard output was closed or the program is at fault, 2 something given is
wrong, 130 interrupted.
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
    corpus,
    cross_validate,
    demo,
    evaluate,
    explain,
    inspect,
    predict,
    reproduce,
    simulate,
    split,
    train,
    update,
)
from bayesift.errors import BayesiftError, Notice
from bayesift.terminal import one_line

INTERRUPTED = 130
TRACEBACK = "BAYESIFT_TRACEBACK"  # set in the environment, shows where an unexpected error comes from
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

app = typer.Typer(
    name="bayesift",
    help="Sort a flow of text: many labels, calibrated probabilities, learning from every judgement.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
VERBS: dict[str, Callable[..., None]] = {
    "train": train.train,
    "update": update.update,
    "predict": predict.predict,
    "evaluate": evaluate.evaluate,
    "explain": explain.explain,
    "inspect": inspect.inspect,
    "compare": compare.compare,
    "cross-validate": cross_validate.cross_validate,
    "split": split.split,
    "simulate": simulate.simulate,
    "demo": demo.demo,
    "reproduce": reproduce.reproduce,
}
for name, verb in VERBS.items():
    app.command(name)(verb)
app.add_typer(corpus.app, name="corpus")


def _version(asked: bool) -> None:
    if asked:
        print(f"bayesift {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    """Sort a flow of text: many labels, calibrated probabilities, learning from every judgement."""


def main() -> None:
    """Run the command and exit; `bayesift.__main__` does so with Ctrl-C handled."""
    sys.exit(run())


def run(arguments: list[str] | None = None) -> int:
    """Run the command with these arguments (default: those of the process) and return its exit code."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the shell, as in `>&-`: no file of ours may take its number
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115
    if hasattr(sys.stdout, "reconfigure"):  # a terminal that lacks a character is no reason to stop
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
    """Return what shows a notice as one line, once; what libraries warn their programmers of is not for users."""
    shown: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *_where: Any) -> None:
        if issubclass(category, Notice) and str(message) not in shown:
            shown.add(str(message))
            _say(f"note: {message}")

    return show


def _run(arguments: list[str] | None) -> int:
    try:
        # Not standalone: typer would exit by itself, without a word when interrupted.
        code = app(arguments, prog_name="bayesift", standalone_mode=False)
        sys.stdout.flush()
    except BayesiftError as error:
        _say(str(error))
        return 2
    except BrokenPipeError:  # the reader of our output has gone, as in `| head`
        _drop_output()
        return 1
    except OSError as error:
        _say(_reason(error))
        _drop_output()
        return 2
    except Exception as error:
        if hasattr(error, "exit_code") and hasattr(error, "show"):  # what typer calls a usage error
            error.show()
            return int(error.exit_code)
        if os.environ.get(TRACEBACK):
            traceback.print_exc()
        else:
            _say(f"unexpected error: {type(error).__name__}: {error}; set {TRACEBACK}=1 to see where it comes from")
        return 1
    if code == INTERRUPTED:
        return _interrupted()
    return code if isinstance(code, int) else 0


def _say(text: str) -> None:
    print(f"bayesift: {one_line(text)}", file=sys.stderr, flush=True)


def _interrupted() -> int:
    _say("interrupted; nothing was left half-written")
    return INTERRUPTED


def _reason(error: OSError) -> str:
    """What an error of the system is about: a file that it names, or standard output."""
    if error.filename is not None:
        return f"{os.fsdecode(error.filename)}: {error.strerror}"
    what = "cannot write the output" if error.errno in NO_ROOM else "reading or writing failed"
    return f"{what}: {error.strerror or error}"


def _drop_output() -> None:
    """Let what is still buffered for standard output go nowhere: writing it again at exit would fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
