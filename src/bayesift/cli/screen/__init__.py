"""`bayesift screen`: a review of a literature, one file per verb."""

from __future__ import annotations

import typer

from bayesift.cli.screen import add, conflicts, duplicates, new, review, serve, settings, status, transfer

app = typer.Typer(
    help="Screen a literature: new, add, review, serve, status, duplicates, conflicts, export.", no_args_is_help=True
)
START, READ, KEEP = "Set up", "Read and decide", "Look after it"
app.command("new", rich_help_panel=START)(new.new)
app.command("add", rich_help_panel=START)(add.add)
app.command("set", rich_help_panel=START)(settings.set_)
app.command("duplicates", rich_help_panel=START)(duplicates.duplicates)
app.command("review", rich_help_panel=READ)(review.review)
app.command("serve", rich_help_panel=READ)(serve.serve)
app.command("conflicts", rich_help_panel=READ)(conflicts.conflicts)
app.command("settle", rich_help_panel=READ)(conflicts.settle)
app.command("status", rich_help_panel=KEEP)(status.status)
app.command("export", rich_help_panel=KEEP)(transfer.export)
app.command("import", rich_help_panel=KEEP)(transfer.import_)
