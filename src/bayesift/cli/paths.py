"""Checks of input files, made while the command line is parsed, before any slow import."""

from __future__ import annotations

from pathlib import Path

from bayesift.errors import BadInput, NotFound


def existing_source(source: str) -> str:
    """Return DATA; raise `NotFound` if it is neither a file, folder or pattern, nor standard input, nor a corpus."""
    if source != "-" and not Path(source).exists():
        from bayesift.corpora.catalogue import CATALOGUE
        from bayesift.corpora.document_files import files_of, is_many

        if is_many(source):
            files_of(source)
        elif source.partition("/")[0] not in CATALOGUE:
            raise NotFound("no such file or corpus", path=source, remedy=f"corpora are: {', '.join(CATALOGUE)}")
    return source


def existing_sources(sources: list[str]) -> list[str]:
    """Return DATA; raise `NotFound` for one that is missing, and `BadInput` for several that are not all files."""
    from bayesift.corpora.document_files import is_many

    for source in sources:
        existing_source(source)
        if len(sources) > 1 and (source == "-" or not (Path(source).exists() or is_many(source))):
            what = "standard input" if source == "-" else f"the corpus {source}"
            raise BadInput(f"{what} beside other sources", remedy="name it alone, or files, folders and patterns only")
    return sources


def existing_model(model: Path) -> Path:
    """Return MODEL; raise `NotFound` if there is no such file."""
    if not model.exists():
        raise NotFound("no such model file", path=model, remedy="pass a file written by `bayesift train`")
    return model
