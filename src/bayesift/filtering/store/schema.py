"""The tables of a workspace.

`events` is the truth: it is only appended to, and what a group of topics has learned follows from it and from the
documents the group has received. `deliveries` and `topics` repeat what events say, in the form that queries need.
`documents` are numbered in the order in which they came; `topic_groups.received` is the number of the last one a group
has received, and each event notes that number, so that a replay has the order of both. `checkpoints` shorten the
replay. `service_events` says who changed people, sources and webhooks; their tables have what is so now. Times are
text, ISO 8601 in UTC, so that they sort and are exported as they are.

A review (`bayesift.filtering.screening`) has the same tables and uses others of them: its `records`, numbered from 0,
and `screening_events`, which is the truth there; what follows from it is kept in memory. `screening_vectors` saves the
time to make the records' vectors again, `screening_holds` keeps two persons from reading the same record.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

VERSION_TABLE = "bayesift_schema"  # holds the number of the last migration
HEAD = "0007"  # the last migration this bayesift knows
SEARCH_TABLE = "documents_search"  # SQLite only: full-text index of documents
RECORDS_SEARCH_TABLE = "records_search"  # and of records

KIND = "review"  # the setting that only a review has

Long = BigInteger().with_variant(Integer, "sqlite")  # on SQLite the primary key must be INTEGER to be the row's number

metadata = MetaData()

settings = Table(
    "settings",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),  # JSON
)

topic_groups = Table(
    "topic_groups",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("received", Long, nullable=False),  # number of the last document this group has received
    Column("event", Long, nullable=False),  # number of its last event
)

documents = Table(
    "documents",
    metadata,
    Column("number", Long, primary_key=True, autoincrement=False),
    Column("id", Text, nullable=False, unique=True),
    Column("on_stream", Boolean, nullable=False),  # else it was given with a judgement, and no topic receives it
    Column("source", Text),
    Column("date", Text),
    Column("title", Text),
    Column("body", Text),  # None after the document has expired
    Column("url", Text),
    Column("hash", LargeBinary, nullable=False),  # of title and body
    Column("added", Text, nullable=False),
    Index("documents_added", "added"),
)

topics = Table(
    "topics",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("topic_group", Integer, ForeignKey("topic_groups.number"), nullable=False),
    Column("state", Text, nullable=False),  # active, paused, removed
    Column("added", Text, nullable=False),
    Index("topics_name", "name"),
)

events = Table(
    "events",
    metadata,
    Column("topic_group", Integer, ForeignKey("topic_groups.number"), primary_key=True, autoincrement=False),
    Column("number", Long, primary_key=True, autoincrement=False),
    Column("received", Long, nullable=False),  # number of the last document the group had received
    Column("type", Text, nullable=False),
    Column("topic", Integer, ForeignKey("topics.number")),
    Column("document", Text),
    Column("time", Text, nullable=False),
    Column("body", Text, nullable=False),  # the event as a line of its log
    Index("events_topic", "topic", "number"),
    Index("events_document", "topic", "document", "number"),
)

deliveries = Table(
    "deliveries",
    metadata,
    Column("topic", Integer, ForeignKey("topics.number"), primary_key=True, autoincrement=False),
    Column("document", Long, ForeignKey("documents.number"), primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),  # delivered, asked, random; or where a judgement came from
    Column("state", Text, nullable=False),  # waiting, relevant, irrelevant, expired
    Column("probability", Float),
    Column("gain", Float),
    Column("time", Text, nullable=False),
    Index("deliveries_state", "topic", "state", "document"),
    Index("deliveries_day", "topic", "time", "kind", "state", "gain"),
    Index("deliveries_document", "document"),
)

checkpoints = Table(
    "checkpoints",
    metadata,
    Column("topic_group", Integer, ForeignKey("topic_groups.number"), primary_key=True, autoincrement=False),
    Column("event", Long, primary_key=True, autoincrement=False),  # number of the last event in it
    Column("received", Long, primary_key=True, autoincrement=False),  # and of the last document
    Column("part", Integer, primary_key=True, autoincrement=False),
    Column("time", Text, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

people = Table(
    "people",
    metadata,
    Column("name", Text, primary_key=True),
    Column("role", Text, nullable=False),  # reader, reviewer, admin
    Column("password", Text, nullable=False),  # its Argon2 hash
    Column("added", Text, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("digest", LargeBinary, primary_key=True),  # of the secret, which is not kept
    Column("person", Text, ForeignKey("people.name"), nullable=False),
    Column("ends", Text),  # None for a token
)

opinions = Table(
    "opinions",
    metadata,
    Column("topic", Integer, ForeignKey("topics.number"), primary_key=True, autoincrement=False),
    Column("document", Text, primary_key=True),
    Column("person", Text, primary_key=True),
    Column("relevant", Boolean, nullable=False),  # what this person said last; the event that counts may be another's
    Column("time", Text, nullable=False),
)

sources = Table(
    "sources",
    metadata,
    Column("address", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("every", Integer, nullable=False),  # minutes
    Column("last_run", Text),
    Column("documents", Integer, nullable=False),
    Column("error", Text),
    Column("memory", Text),  # JSON: what the source said of its last state
)

webhooks = Table(
    "webhooks",
    metadata,
    Column("topic", Integer, ForeignKey("topics.number"), primary_key=True, autoincrement=False),
    Column("address", Text, nullable=False),
    Column("error", Text),
)

service_events = Table(
    "service_events",
    metadata,
    Column("number", Long, primary_key=True, autoincrement=False),  # from 1
    Column("type", Text, nullable=False),
    Column("who", Text),
    Column("time", Text, nullable=False),
    Column("body", Text, nullable=False),  # JSON: what it is about
)

records = Table(
    "records",
    metadata,
    Column("number", Long, primary_key=True, autoincrement=False),  # from 0
    Column("id", Text, nullable=False, unique=True),
    Column("title", Text, nullable=False),
    Column("abstract", Text, nullable=False),
    Column("year", Integer),
    Column("hash", LargeBinary, nullable=False),  # of all that its file says of it
    Column("body", Text, nullable=False),  # JSON: the record without its id, title and abstract
    Index("records_hash", "hash"),
)

screening_events = Table(
    "screening_events",
    metadata,
    Column("number", Long, primary_key=True, autoincrement=False),  # from 1
    Column("type", Text, nullable=False),
    Column("list", Text),  # abstract, full-text
    Column("record", Long, ForeignKey("records.number")),
    Column("other", Long, ForeignKey("records.number")),  # the second record of a pair
    Column("who", Text),
    Column("time", Text, nullable=False),
    Column("body", Text, nullable=False),  # JSON: the event
    Index("screening_events_record", "record"),
    Index("screening_events_other", "other"),
)

screening_holds = Table(
    "screening_holds",
    metadata,
    Column("list", Text, primary_key=True),
    Column("record", Long, ForeignKey("records.number"), primary_key=True, autoincrement=False),
    Column("who", Text, nullable=False),  # who has this unread record on the screen
    Column("time", Text, nullable=False),
)

screening_vectors = Table(
    "screening_vectors",
    metadata,
    Column("records", Long, primary_key=True, autoincrement=False),  # how many records they are of
    Column("part", Integer, primary_key=True, autoincrement=False),
    Column("data", LargeBinary, nullable=False),
)
