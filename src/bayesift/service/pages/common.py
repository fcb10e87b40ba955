"""What the pages of a filter share: the desk, and a topic as they show it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from bayesift.filtering import TextFilter
from bayesift.service import queries, views
from bayesift.service.desk import Desk
from bayesift.service.queries import TopicRow
from bayesift.service.views import TopicFacts


async def desk_of(request: Request) -> Desk:  # not in a thread: there is nothing to wait for
    """Return the desk of the application."""
    found: Desk = request.app.state.desk
    return found


TheDesk = Annotated[Desk, Depends(desk_of)]


def facts_of(desk: Desk, topic: TopicRow, own: TextFilter) -> TopicFacts:
    """Return what the filter knows of a topic, and how many documents wait."""
    with desk.reading() as connection:
        return views.topic_facts(own, topic.name, queries.waiting_count(connection, topic.number))
