"""Build the documentation site into out/docs/VERSION, with a start page that leads to the newest version there.

Run it with: make docs, or python docs/build.py [FOLDER]
"""

from __future__ import annotations

import shutil
import sys
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.version import InvalidVersion, Version
from sphinx.cmd.build import build_main

from bayesift import __version__

HERE = Path(__file__).parent
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">{head}
<title>bayesift documentation</title>
<style>:root {{ color-scheme: light dark }} body {{ font: 1rem/1.6 system-ui, sans-serif; margin: 2rem auto; max-width:
40rem; padding: 0 1rem }}</style></head>
<body><h1>bayesift documentation</h1><ul>{items}</ul></body></html>
"""


def build(folder: Path) -> int:
    """Build this version's pages and renew the list of versions; return 0 unless there was a warning."""
    pages = folder / __version__
    shutil.rmtree(pages, ignore_errors=True)  # a page that is gone must not stay
    with TemporaryDirectory() as cache:
        code = int(build_main(["-b", "html", "-d", cache, "-W", "--keep-going", "-q", str(HERE), str(pages)]))
    if code == 0:
        write_versions(folder)
    return code


def write_versions(folder: Path) -> None:
    """Write the list of the versions in a folder, newest first, and a start page that leads to the newest."""
    versions = sorted((p.name for p in folder.iterdir() if _is_version(p.name)), key=Version, reverse=True)
    items = "".join(f'<li><a href="{escape(v)}/index.html">{escape(v)}</a></li>' for v in versions)
    lead = f'<meta http-equiv="refresh" content="0; url={escape(versions[0])}/index.html">'
    (folder / "index.html").write_text(PAGE.format(head=lead, items=items), "utf-8")
    (folder / "versions.html").write_text(PAGE.format(head="", items=items), "utf-8")


def _is_version(name: str) -> bool:
    try:
        return bool(Version(name))
    except InvalidVersion:
        return False


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1] if len(sys.argv) > 1 else HERE.parent / "out" / "docs")))
