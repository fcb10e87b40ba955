"""The parts of a review (`bayesift.filtering.screening.review`), from the bottom.

- `events`, `settings`, `views`: what happened, what is set, what is shown.
- `log`, `record_table`, `vectors`, `creation`, `export`: what is in the tables, and in exported files.
- `slots`, `merges`, `list_state`, `state`: what holds, as a function of the events.
- `so_far`: what was read, as the stopping rule counts it and as a person may know it.
- `ranking`, `live`: state and ranker in memory, which catch up with the database and never go ahead of it.
- `choosing`, `holds`, `estimates`, `shown`, `reader`: what a person reads next.
- `adding`, `steps`, `agreement`, `summarising`: the work of the review's methods, which are in `deciding` (changes),
  `listing` (records) and `overview` (counts and summaries).
"""
