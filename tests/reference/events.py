"""The events that survive revised answers, in one plain pass over a log."""

import msgspec

from bayesift.filtering.events import Changed, Judged, Shown


def survivors(events):
    """Return the events as if every answer had been the last one from the start, without those withdrawn."""
    kept, current = {}, {}
    for n, event in enumerate(events):
        about = (event.topic, event.document)
        if isinstance(event, Shown):
            kept[(*about, n)] = event
        elif isinstance(event, Judged):
            kept[(*about, n)] = event
            current[about] = (*about, n)
        elif isinstance(event, Changed):
            kept[current[about]] = msgspec.structs.replace(kept[current[about]], relevant=event.relevant)
        else:
            del kept[current.pop(about)]
    return list(kept.values())
