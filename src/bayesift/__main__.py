"""The installed command and `python -m bayesift`: Ctrl-C ends it with one line at any time.

During imports Ctrl-C exits at once. Later the first Ctrl-C raises KeyboardInterrupt, so that no file is left
incomplete, and a second one exits at once.
"""

from __future__ import annotations

import os
import signal
import sys

INTERRUPTED = 130


def main() -> None:
    """Run the command; the entry point of the installed script."""
    handled = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # else SIGINT is ignored, as under nohup
    if handled:
        signal.signal(signal.SIGINT, _exit)
        sys.unraisablehook = _unraisable
    from bayesift.cli.main import run

    try:
        if handled:
            signal.signal(signal.SIGINT, _interrupt)
        code = run()
    except KeyboardInterrupt:
        code = INTERRUPTED
    if handled:
        signal.signal(signal.SIGINT, _exit)  # nothing is left to clean up
    if code == INTERRUPTED:
        os._exit(code)  # at once: an ordinary exit waits for threads, and Python may turn it into a signal
    sys.exit(code)


def _interrupt(_number: int, _frame: object) -> None:
    signal.signal(signal.SIGINT, _exit)
    raise KeyboardInterrupt


def _exit(_number: int, _frame: object) -> None:
    os.write(2, b"bayesift: interrupted\n")
    os._exit(INTERRUPTED)


def _unraisable(found: sys.UnraisableHookArgs) -> None:
    """Exit on an interrupt that Python cannot raise, as in a finaliser."""
    if issubclass(found.exc_type, KeyboardInterrupt):
        _exit(signal.SIGINT, None)
    sys.__unraisablehook__(found)


if __name__ == "__main__":
    main()
