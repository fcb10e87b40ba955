"""Random requests by the OpenAPI description: no answer is undocumented, and none is an internal error."""

from __future__ import annotations

import pytest

schemathesis = pytest.importorskip("schemathesis", reason="needs schemathesis")

import hypothesis.strategies as st  # noqa: E402
from fastapi.testclient import TestClient  # noqa: E402
from hypothesis import HealthCheck, Phase, given, settings  # noqa: E402
from schemathesis.specs.openapi.checks import (  # noqa: E402
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from tests.service.literature import literature  # noqa: E402

from bayesift.filtering.screening.review import Review  # noqa: E402
from bayesift.service import create_app  # noqa: E402

CHECKS = [
    schemathesis.checks.not_a_server_error, status_code_conformance, content_type_conformance,
    response_schema_conformance,
]  # fmt: skip


@schemathesis.serializer("application/x-ndjson")
def lines(ctx, value) -> bytes:
    """Send any text as lines."""
    return value.encode("utf-8", "replace") if isinstance(value, str) else repr(value).encode()


def test_answers_are_documented(client):
    answers = tried(client.app, 20)
    assert {200, 201, 400, 404, 422} <= answers
    assert 401 not in answers


def test_answers_of_a_review_are_documented(tmp_path):
    Review.create(tmp_path / "hiv.db", literature(30), question="statins").close()
    with TestClient(
        create_app(tmp_path / "hiv.db"), base_url="http://localhost", client=("127.0.0.1", 50000)
    ) as client:
        client.app.state.desk.ready.wait()
        answers = tried(client.app, 6)
    assert {200, 400, 404, 422} <= answers
    assert 401 not in answers


def tried(app, least: int) -> set[int]:
    """Send random requests to each call of an application and check the answers; return their status codes."""

    async def on_this_machine(scope, receive, send):
        await app(scope | {"client": ("127.0.0.1", 50000)}, receive, send)

    schema = schemathesis.openapi.from_asgi("/api/openapi.json", on_this_machine)
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) > least
    answers: list[int] = []
    for operation in operations:

        @given(case=st.one_of(operation.as_strategy(generation_mode=mode) for mode in schemathesis.GenerationMode))
        @settings(
            max_examples=20, deadline=None, derandomize=True, phases=[Phase.generate], database=None,
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        def check(case):
            answer = case.call_and_validate(checks=CHECKS, headers={"host": "localhost"})
            answers.append(answer.status_code)

        check()
    return set(answers)
