"""Checks of input files, made while the command line is parsed, before any slow import."""

from __future__ import annotations

from pathlib import Path

from bayesift.errors import NotFound


def existing_source(source: str) -> str:
    """Return DATA; raise `NotFound` if it is neither a file, nor standard input, nor a corpus."""
    if source != "-" and not Path(source).exists():
        from bayesift.corpora.catalogue import CATALOGUE

        if source.partition("/")[0] not in CATALOGUE:
            raise NotFound("no such file or corpus", path=source, remedy=f"corpora are: {', '.join(CATALOGUE)}")
    return source


def existing_model(model: Path) -> Path:
    """Return MODEL; raise `NotFound` if there is no such file."""
    if not model.exists():
        raise NotFound("no such model file", path=model, remedy="pass a file written by `bayesift train`")
    return model
