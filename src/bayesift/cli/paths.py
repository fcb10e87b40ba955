"""Checks of input files, made while the command line is parsed, before any slow import."""

from __future__ import annotations

from pathlib import Path

from bayesift.errors import BadInput, NotFound


def existing_source(source: str) -> str:
    """Return DATA; raise `NotFound` if it is unknown, or a pattern that no file matches."""
    check_source(source)
    if source != "-" and not Path(source).exists():
        from bayesift.corpora.document_files import files_of, is_many

        if is_many(source):
            files_of(source)
    return source


def check_source(source: str) -> None:
    """Raise `NotFound` if a source is neither a file, folder or pattern, nor standard input, nor a corpus."""
    if source != "-" and not Path(source).exists():
        from bayesift.cli.sources import is_corpus
        from bayesift.corpora.catalogue import CATALOGUE
        from bayesift.corpora.document_files import is_many

        if not is_many(source) and not is_corpus(source):
            raise NotFound("no such file or corpus", path=source, remedy=f"corpora are: {', '.join(CATALOGUE)}")


def check_file(path: Path, remedy: str, folder_remedy: str | None = None) -> None:
    """Raise if there is no such file, or if it is a folder or `-`."""
    if str(path) == "-":
        raise BadInput("is not a file", path=path, remedy=folder_remedy or remedy)
    if not path.exists():
        raise NotFound("no such file", path=path, remedy=remedy)
    if path.is_dir():
        raise BadInput("is a folder", path=path, remedy=folder_remedy or remedy)


def existing_sources(sources: list[str]) -> list[str]:
    """Return DATA; raise `NotFound` for one that is missing, and `BadInput` for several that are not all files."""
    from bayesift.cli.sources import is_corpus

    for source in sources:
        existing_source(source)
        if len(sources) > 1 and (source == "-" or is_corpus(source)):
            what = "standard input" if source == "-" else f"the corpus {source}"
            raise BadInput(f"{what} beside other sources", remedy="name it alone, or files, folders and patterns only")
    return sources


def existing_model(model: Path) -> Path:
    """Return MODEL; raise `NotFound` if there is no such file."""
    if not model.exists():
        raise NotFound("no such model file", path=model, remedy="pass a file written by `bayesift train`")
    return model
