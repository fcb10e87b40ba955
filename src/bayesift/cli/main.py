"""The `bayesift` command: gathers the verbs and turns errors into one line and an exit code.

Exit codes: 0 done, 1 a check did not hold or nobody reads the output any more, 2 something given is wrong,
130 interrupted.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
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
    train,
    update,
)
from bayesift.errors import BayesiftError, Notice

INTERRUPTED = 130

app = typer.Typer(
    name="bayesift",
    help="Sort a flow of text: many labels, honest probabilities, learning from every judgement.",
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
    """Sort a flow of text: many labels, honest probabilities, learning from every judgement."""


def main() -> None:
    """Run the command; the entry point of the installed script."""
    sys.exit(run())


def run(arguments: list[str] | None = None) -> int:
    """Run the command with these arguments (default: those of the process) and return its exit code."""
    progress.announced = set()
    with warnings.catch_warnings():
        warnings.simplefilter("always", Notice)
        warnings.showwarning = _show  # type: ignore[assignment]
        return _run(arguments)


def _show(message: Warning | str, category: type[Warning], *_where: Any) -> None:
    """A notice is one line; what libraries warn their programmers of is not for users."""
    if issubclass(category, Notice):
        print(f"bayesift: note: {message}", file=sys.stderr)


def _run(arguments: list[str] | None) -> int:
    try:
        # Not standalone: typer would exit by itself, without a word when interrupted.
        code = app(arguments, prog_name="bayesift", standalone_mode=False)
        sys.stdout.flush()
    except BayesiftError as error:
        print(f"bayesift: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of our output has gone, as in `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:  # the disk below our output is full, say
        print(f"bayesift: cannot write the output: {error.strerror or error}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except Exception as error:
        if hasattr(error, "exit_code") and hasattr(error, "show"):  # what typer calls a usage error
            error.show()
            return int(error.exit_code)
        raise
    if code == INTERRUPTED:
        print("bayesift: interrupted; nothing was left half-written", file=sys.stderr)
    return code if isinstance(code, int) else 0
