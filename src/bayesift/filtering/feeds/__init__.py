"""Where documents come from: RSS and Atom feeds, a watched folder, a mailbox; each is read again and again."""

from bayesift.filtering.feeds.sources import Feed, Source, SourceFailed, source_of

__all__ = ["Feed", "Source", "SourceFailed", "source_of"]
