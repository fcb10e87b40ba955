"""Label Studio's routes on a workspace in a file and on a PostgreSQL server."""

import pytest

pytest.importorskip("fastapi", reason="needs the service: pip install '.[service]'")

from fastapi.testclient import TestClient
from tests.unit.integrations.test_label_studio import (
    GRAIN,
    MULTIPLE,
    PROJECT,
    SHIPS,
    SINGLE,
    annotation,
    answers,
    connect,
    predict,
    send,
)

from bayesift.filtering.store import Workspace
from bayesift.integrations.label_studio import router
from bayesift.service import ServiceSettings, create_app


@pytest.mark.parametrize("config", [SINGLE, MULTIPLE], ids=["single", "multiple"])
def test_it_connects_learns_predicts_and_forgets(url, config):
    Workspace.create(url).close()
    app = create_app(url, ServiceSettings())
    app.include_router(router)
    with TestClient(app, base_url="http://localhost", client=("127.0.0.1", 50000)) as client:
        client.workspace = app.state.desk.workspace
        assert connect(client, config).status_code == 200
        for i in range(4):
            assert send(client, annotation(2 * i, 2 * i, f"{GRAIN} {i}", "grain")) == 2
            assert send(client, annotation(2 * i + 1, 2 * i + 1, f"{SHIPS} {i}", "ships")) == 2
        found = predict(client, GRAIN, SHIPS, config=config).json()["results"]
        assert [answer["result"][0]["value"]["choices"] for answer in found] == [["grain"], ["ships"]]
        send(client, annotation(0, 0, f"{GRAIN} 0", "ships", action="ANNOTATION_UPDATED"))
        before = answers(client)
        assert (before["grain", "label-studio/3/0"], before["ships", "label-studio/3/0"]) == (False, True)
        deleted = {"action": "ANNOTATIONS_DELETED", "annotations": [{"id": 0}], "project": PROJECT}
        assert send(client, deleted) == 2
    with Workspace.open(url, write=False) as again:
        assert [(t.name, t.relevant, t.irrelevant) for t in again.status().topics] == [("grain", 3, 4), ("ships", 4, 3)]
