"""The command as a whole: it starts light, and says what is wrong in one line."""

import errno
import os
import subprocess
import sys
import warnings

import pytest

from bayesift.cli.main import LITERATURE, LOOK, RESEARCH, STREAM, WORK, app
from bayesift.cli.main import run as command

LIGHT = {
    "bayesift", "typer", "click", "rich", "pygments", "markdown_it", "mdurl", "shellingham", "annotated_doc", "attr",
}  # fmt: skip
OF_VERBS = {"pydantic", "pydantic_core", "annotated_types", "typing_inspection", "typing_extensions"}  # typer's own
FOREIGN = """
import sys
found = {name.partition(".")[0] for name in sys.modules if sys.modules[name]} - {"__main__", "_distutils_hack"}
print(*(name for name in found - sys.stdlib_module_names if not name.startswith(("_sysconfigdata", "__editable__"))),
      file=sys.stderr)
"""


@pytest.mark.parametrize("arguments", [[], ["serve"], ["screen", "new"], ["export"], ["mcp"], ["train"]], ids=" ".join)
def test_help_imports_what_draws_it_and_nothing_else(arguments):
    code = f"from bayesift.cli.main import run\nrun({[*arguments, '--help']})\n{FOREIGN}"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "--help" in result.stdout
    assert set(result.stderr.split()) - LIGHT - (OF_VERBS if arguments else set()) == set()


def test_help_groups_all_verbs():
    import typer.main

    group = typer.main.get_command(app)
    panels = {name: verb.rich_help_panel for name, verb in group.commands.items()}
    assert {name for name, panel in panels.items() if panel == WORK} == {
        "train", "predict", "update", "split", "convert", "export"
    }  # fmt: skip
    assert set(panels.values()) == {WORK, LOOK, RESEARCH, STREAM, LITERATURE}
    result = subprocess.run([sys.executable, "-m", "bayesift", "--help"], capture_output=True, text=True, check=True)
    places = [result.stdout.index(text) for text in (WORK, "train ", LOOK, "evaluate ", RESEARCH, "corpus ")]
    assert places == sorted(places)


def test_version(run):
    code, out, _ = run("--version")
    assert code == 0
    assert out.startswith("bayesift 0.")


def test_a_wrong_verb_or_option_says_so(run):
    for arguments in (["corps"], ["corpus", "nfo"], ["corpus", "list", "--no-such"]):
        code, out, err = run(*arguments)
        assert code == 2
        assert out == ""
        assert "No such" in err
        assert "Traceback" not in err


def test_interrupt(run, monkeypatch):
    def interrupted(*_args, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("bayesift.corpora.load_corpus", interrupted)
    monkeypatch.setattr("bayesift.corpora.corpus.load_corpus", interrupted)
    code, _, err = run("demo")
    assert code == 130
    assert "interrupted" in err


def test_the_demo_goes_the_whole_way(run, tmp_path):
    code, out, err = run("demo", "--output", tmp_path / "out", "--data", tmp_path)
    assert code == 0
    assert "scipy.stats" in out
    assert "adds to the field" in out
    assert "2025-03-12" in out  # the last day of the filter
    assert "bayesift filter review" in out
    assert (tmp_path / "out" / "stream.jsonl").exists()
    assert "Reuters-21578 is not installed" in err
    page = tmp_path / "out" / "docstrings.html"
    assert f"report: {page}" in err.replace("\n", "")
    assert "Learning curve" in page.read_text()
    assert (tmp_path / "out" / "docstrings.model").exists()
    (tmp_path / "file").write_text("")
    assert run("demo", "--output", tmp_path / "file" / "out", "--data", tmp_path).code == 2


def failing(monkeypatch, error):
    def fail(*_arguments, **_options):
        raise error

    monkeypatch.setattr("bayesift.corpora.load_corpus", fail)


def test_an_unexpected_error_is_one_line(run, monkeypatch):
    failing(monkeypatch, ZeroDivisionError("by 0"))
    result = run("demo")
    assert (result.code, result.out) == (1, "")
    last = result.err.splitlines()[-1]
    assert last.startswith("bayesift: unexpected error: ZeroDivisionError: by 0; set BAYESIFT_TRACEBACK=1")
    assert "Traceback" not in result.err
    monkeypatch.setenv("BAYESIFT_TRACEBACK", "1")
    assert "Traceback" in run("demo").err


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (PermissionError(errno.EACCES, "Not allowed", "mine.cfg"), "mine.cfg: Not allowed; check its permissions"),
        (OSError(errno.EIO, "Input/output error"), "reading or writing failed: Input/output error"),
        (OSError(errno.ENOSPC, "No space left on device"), "cannot write the output: No space left on device"),
    ],
)
def test_an_error_of_the_system_says_what_it_is_about(monkeypatch, capsys, error, message):
    failing(monkeypatch, error)
    monkeypatch.setattr("bayesift.cli.main._drop_output", lambda: None)
    assert command(["demo"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"bayesift: {message}"


def test_our_own_warnings_are_shown_once(monkeypatch, capsys, tmp_path):
    from bayesift import read_documents

    (tmp_path / "x.jsonl").write_text('nonsense\n{"text": "fine"}\n')

    def learn(*_arguments, **_options):
        for _ in range(3):
            list(read_documents(tmp_path / "x.jsonl", skip_bad=True))
        warnings.warn("for programmers", UserWarning, stacklevel=1)
        raise KeyboardInterrupt

    monkeypatch.setattr("bayesift.corpora.load_corpus", learn)
    assert command(["demo"]) == 130
    err = capsys.readouterr().err
    assert err.count("bayesift: note: 1 bad line skipped") == 1
    assert "for programmers" not in err


def test_messages_do_not_act_on_the_terminal(run, tmp_path):
    name = tmp_path / "\x1b[31mred\nbayesift: note: forged"
    result = run("inspect", name)
    assert result.code == 2
    assert result.err.count("\n") == 1
    assert "\x1b" not in result.err
    assert r"\x1b[31mred\nbayesift" in result.err


def test_characters_that_a_terminal_lacks(tmp_path):
    code = "from bayesift.cli.main import run\nimport sys\nprint('before')\nsys.exit(run(['reproduce']) or print('±'))"
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_streams_that_the_shell_closed(closed):
    command = f'"{sys.executable}" -m bayesift reproduce {closed}'
    result = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
