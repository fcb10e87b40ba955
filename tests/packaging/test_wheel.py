"""The wheel installs in an empty environment and works there: it has all files, all dependencies and the command."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import bayesift

ROOT = Path(__file__).parents[2]
TEXTS = {"wheat harvest rose": "grain", "wheat exports": "grain", "oil prices fell": "crude", "oil output": "crude"}
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")


def call(*command, cwd):
    """Run a command without what this process would lend it."""
    inherited = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")}
    return subprocess.run([*map(str, command)], cwd=cwd, env=inherited, capture_output=True, text=True)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    try:
        import hatchling  # noqa: F401
    except ImportError:
        pytest.skip("needs hatchling: pip install '.[dev]'")
    done = call(*PIP, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT, cwd=folder)
    assert done.returncode == 0, done.stderr
    return next(folder.glob("bayesift-*.whl"))


def test_it_has_every_file_and_the_one_version(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    source = ROOT / "src"
    wanted = {p.relative_to(source).as_posix() for p in (source / "bayesift").rglob("*") if p.is_file()}
    wanted = {name for name in wanted if "__pycache__" not in name}
    assert wanted <= names
    assert {name.split("/")[0] for name in names} == {"bayesift", f"bayesift-{bayesift.__version__}.dist-info"}


def test_it_works_in_an_empty_environment(wheel, tmp_path):
    probe = call(*PIP, "download", "--no-deps", "--dest", tmp_path / "probe", "platformdirs", cwd=tmp_path)
    if probe.returncode:
        pytest.skip("needs a package index: pip cannot download the dependencies")
    made = call(sys.executable, "-m", "venv", "--without-pip", tmp_path / "empty", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    programs = tmp_path / "empty" / ("Scripts" if os.name == "nt" else "bin")
    done = call(*PIP, "--python", programs / "python", "install", "--quiet", "--no-compile", wheel, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = [{"id": str(i), "text": text, "labels": [label]} for i, (text, label) in enumerate(TEXTS.items())]
    (tmp_path / "some.jsonl").write_text("\n".join(map(json.dumps, rows * 5)), "utf-8")
    shown = call(programs / "bayesift", "--version", cwd=tmp_path)
    assert shown.stdout.split() == ["bayesift", bayesift.__version__], shown.stderr
    trained = call(programs / "bayesift", "train", "some.jsonl", "some.model", cwd=tmp_path)
    assert trained.returncode == 0, trained.stderr
    predicted = call(programs / "bayesift", "predict", "some.model", "some.jsonl", cwd=tmp_path)
    assert predicted.returncode == 0, predicted.stderr
    found = [json.loads(line)["labels"] for line in predicted.stdout.splitlines()]
    assert found == [row["labels"] for row in rows * 5]
