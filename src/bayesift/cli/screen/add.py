"""`bayesift screen add`: add records to a review, at any time."""

from __future__ import annotations

from bayesift.cli.messages import counted, say
from bayesift.cli.screen import options as s
from bayesift.cli.screen.opening import drained, opened, person, read_files, say_duplicates


def add(review: s.Review, files: s.Files, deduplicate: s.Deduplicate = False, who: s.Who = None) -> None:
    """Add records of more files; records that are there from the same file are not added again."""
    name = person(who)
    with opened(review) as found:
        records, bad = read_files(files)
        added = found.add(drained(records), deduplicate=deduplicate, who=name, bad=bad)
    merged = f", {added.merged:,} duplicates merged" if added.merged else ""
    say(f"{review}: {counted(added.records, 'new record')}, {added.known:,} known ones{merged}")
    say_duplicates(added.duplicates - added.merged, review)
