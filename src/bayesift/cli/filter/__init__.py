"""`bayesift filter`: a workspace of topics over a stream of documents, one file per verb."""

from __future__ import annotations

import typer

from bayesift.cli.filter import feed, inbox, judge, new, review, run, status, topic, transfer, work

app = typer.Typer(
    help="Watch a stream for topics: new, topic, run, feed, inbox, judge, review, status.", no_args_is_help=True
)
START, STREAM, READ, KEEP = "Set up", "Feed the stream", "Read and judge", "Look after it"
app.command("new", rich_help_panel=START)(new.new)
app.add_typer(topic.app, name="topic", rich_help_panel=START)
app.command("run", rich_help_panel=STREAM)(run.run)
app.command("feed", rich_help_panel=STREAM)(feed.feed)
app.command("work", rich_help_panel=STREAM)(work.work)
app.command("inbox", rich_help_panel=READ)(inbox.inbox)
app.command("judge", rich_help_panel=READ)(judge.judge)
app.command("review", rich_help_panel=READ)(review.review)
app.command("status", rich_help_panel=KEEP)(status.status)
app.command("export", rich_help_panel=KEEP)(transfer.export)
app.command("import", rich_help_panel=KEEP)(transfer.import_)
