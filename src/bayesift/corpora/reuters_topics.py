"""The topic descriptions of Reuters-21578: the names in `cat-descriptions_120396.txt`, which comes with the stories.

Under "Subject Codes" a line is either "Money/Foreign Exchange (MONEY-FX)" or just the code, "WHEAT"; lines that begin
with asterisks are headings, and a line of underscores ends the part about topics.
"""

from __future__ import annotations

import re
import tarfile
from pathlib import Path

from bayesift.errors import BadInput, NotFound

FILE = "cat-descriptions_120396.txt"
_LINE = re.compile(r"(?:(?P<name>.+?)\s*\((?P<code>[A-Z0-9-]+)\)|(?P<alone>[A-Z0-9-]+))\s*")


def topic_descriptions(folder: str | Path) -> dict[str, str]:
    """Return the description of each topic, including its code: {"ship": "Shipping, ship", "wheat": "wheat", ...}."""
    path, text = _text(Path(folder))
    begin, end = text.find("****Subject Codes"), text.find("____")
    if begin < 0 or end < begin:
        raise BadInput("no part headed 'Subject Codes'", path=path, remedy="download the corpus again")
    found = {}
    for line in text[begin:end].splitlines():
        match = None if line.startswith("*") else _LINE.fullmatch(line)
        if match:
            code = (match["code"] or match["alone"]).lower()
            found[code] = f"{match['name']}, {code}" if match["name"] else code
    return found


def _text(folder: Path) -> tuple[Path, str]:
    if (folder / FILE).is_file():
        return folder / FILE, (folder / FILE).read_text("latin-1")
    for path in sorted(folder.glob("*.tar.gz")):
        with tarfile.open(path) as archive:
            for member in archive:
                stream = archive.extractfile(member) if Path(member.name).name == FILE else None
                if stream is not None:
                    return path, stream.read().decode("latin-1")
    raise NotFound(f"no {FILE}", path=folder, remedy="bayesift corpus get reuters21578")
