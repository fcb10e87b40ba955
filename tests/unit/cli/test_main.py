"""The command as a whole: it starts light, and says what is wrong in one line."""

import subprocess
import sys


def test_help_imports_nothing_heavy():
    code = (
        "import sys\nfrom bayesift.cli.main import run\nrun(['--help'])\n"
        "print([m for m in ('numba', 'scipy', 'sklearn', 'numpy', 'matplotlib') if m in sys.modules], file=sys.stderr)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "corpus" in result.stdout
    assert result.stderr.strip() == "[]"


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
    assert "asked to learn" in out
    assert "Reuters-21578 is not here" in err
    page = tmp_path / "out" / "docstrings.html"
    assert f"report: {page}" in err.replace("\n", "")
    assert "Learning curve" in page.read_text()
    assert (tmp_path / "out" / "docstrings.model").exists()
    (tmp_path / "file").write_text("")
    assert run("demo", "--output", tmp_path / "file" / "out", "--data", tmp_path).code == 2
