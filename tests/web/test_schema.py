"""Random requests by the OpenAPI description: no answer is undocumented, and none is an internal error."""

from __future__ import annotations

import pytest

schemathesis = pytest.importorskip("schemathesis", reason="needs schemathesis")

import hypothesis.strategies as st  # noqa: E402
from hypothesis import HealthCheck, Phase, given, settings  # noqa: E402
from schemathesis.specs.openapi.checks import (  # noqa: E402
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

CHECKS = [
    schemathesis.checks.not_a_server_error, status_code_conformance, content_type_conformance,
    response_schema_conformance,
]  # fmt: skip


@schemathesis.serializer("application/x-ndjson")
def lines(ctx, value) -> bytes:
    """Send any text as lines."""
    return value.encode("utf-8", "replace") if isinstance(value, str) else repr(value).encode()


def test_answers_are_documented(client):
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", client.app)
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) > 20
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
    assert {200, 201, 400, 404, 422} <= set(answers)
    assert 401 not in answers
