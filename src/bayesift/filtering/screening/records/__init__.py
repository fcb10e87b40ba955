"""Records of a literature: read reference files, write them with decisions, find duplicates.

>>> import tempfile
>>> from pathlib import Path
>>> file = Path(tempfile.mkdtemp(), "found.csv")
>>> _ = file.write_text("Title,Abstract,asreview_label\\nStatins in HIV,A trial.,1\\n")
>>> found = read_records(file)
>>> found.records[0].title, found.records[0].given[0].decision
('Statins in HIV', 'include')
"""

from bayesift.filtering.screening.records.duplicates import DuplicatePair, find_duplicates
from bayesift.filtering.screening.records.given import label_of
from bayesift.filtering.screening.records.read import read_records
from bayesift.filtering.screening.records.record import DECISIONS, LISTS, BadRecord, Given, Record, RecordFile
from bayesift.filtering.screening.records.write_csv import write_csv
from bayesift.filtering.screening.records.write_ris import write_ris

__all__ = [
    "DECISIONS",
    "LISTS",
    "BadRecord",
    "DuplicatePair",
    "Given",
    "Record",
    "RecordFile",
    "find_duplicates",
    "label_of",
    "read_records",
    "write_csv",
    "write_ris",
]
