"""The machine learning backend of Label Studio: its requests, and a Label Studio itself where one is installed."""

import base64
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="needs the service: pip install '.[service]'")

from fastapi.testclient import TestClient

import bayesift
from bayesift.errors import BadInput
from bayesift.filtering.store import Workspace
from bayesift.integrations.label_studio import choices_of, router
from bayesift.service import ServiceSettings, create_app

SINGLE = (
    '<View><Text name="text" value="$text"/><Choices name="topic" toName="text" choice="single-radio">'
    '<Choice value="grain"/><Choice value="ships"/></Choices></View>'
)
MULTIPLE = SINGLE.replace("single-radio", "multiple")
GRAIN, SHIPS = "wheat and corn harvest, farmers and drought", "tankers and ships at the port, cargo and crew"
PROJECT = {"id": 3, "title": "News", "label_config": MULTIPLE, "created_by": {"id": 1, "email": "ada@example.org"}}


@pytest.fixture
def client(tmp_path):
    path = tmp_path / "news.db"
    with Workspace.create(path) as news:
        news.add_topic("grain", about="grain")
    app = create_app(path, ServiceSettings())
    app.include_router(router)
    with TestClient(app, base_url="http://localhost", client=("127.0.0.1", 50000)) as client:
        client.workspace = app.state.desk.workspace
        client.people = app.state.people
        yield client


def connect(client, config=MULTIPLE, **more):
    given = {"project": "3.1763370000", "schema": config, "hostname": "http://localhost:8080", "access_token": "t"}
    return client.post("/label-studio/setup", json=given | {"extra_params": None}, **more)


def predict(client, *texts, config=MULTIPLE):
    tasks = [{"id": i, "data": {"text": text}, "annotations": [], "predictions": []} for i, text in enumerate(texts)]
    given = {"tasks": tasks, "project": "3.1763370000", "label_config": config}
    params = {"login": None, "password": None, "context": None}
    return client.post("/label-studio/predict", json=given | {"params": params})


def annotation(id, task, text, *choices, action="ANNOTATION_CREATED", **more):
    result = {"id": "x1", "type": "choices", "value": {"choices": list(choices)}, "origin": "manual",
              "from_name": "topic", "to_name": "text"}  # fmt: skip
    about = {"id": id, "result": [result] if choices else [], "completed_by": 1, "was_cancelled": False, "task": task,
             "project": 3, "lead_time": 4.2, "created_at": "2026-11-17T09:00:00Z"}  # fmt: skip
    return {"action": action, "annotation": about | more, "task": {"id": task, "data": {"text": text}, "project": 3},
            "project": PROJECT}  # fmt: skip


def send(client, news):
    answer = client.post("/label-studio/webhook", json=news)
    assert answer.status_code == 200, answer.text
    return answer.json()["judgements"]


def answers(client):
    found = {}
    for name in ("grain", "ships"):
        with client.workspace.using(name) as own:
            found |= {(name, e.document): e.relevant for e in own.topic(name).surviving}
    return found


def test_it_answers_that_it_is_up(client):
    assert client.get("/label-studio/health").json() == {"status": "UP", "model_class": "bayesift"}


def test_connecting_adds_choices_as_topics(client):
    answer = connect(client)
    assert answer.status_code == 200, answer.text
    assert answer.json()["model_version"].startswith("bayesift ")
    assert [topic.name for topic in client.workspace.status().topics] == ["grain", "ships"]
    connect(client)
    assert len(client.workspace.status().topics) == 2


def test_a_choice_with_spaces_around_it_is_a_topic_and_is_predicted_as_the_project_writes_it(client):
    config = MULTIPLE.replace('"ships"', '" ships "')
    assert connect(client, config).status_code == 200
    assert client.workspace.topics == ["grain", "ships"]
    project = PROJECT | {"label_config": config}
    for i in range(4):
        send(client, annotation(2 * i, 2 * i, f"{GRAIN} {i}", "grain") | {"project": project})
        send(client, annotation(2 * i + 1, 2 * i + 1, f"{SHIPS} {i}", " ships ") | {"project": project})
    assert answers(client)["ships", "label-studio/3/1"] is True
    (found,) = predict(client, SHIPS, config=config).json()["results"]
    assert found["result"][0]["value"] == {"choices": [" ships "]}


@pytest.mark.parametrize("bad", ["the", "   "])  # a stop word, and nothing
def test_a_choice_that_can_be_no_topic_adds_no_topic(client, bad):
    answer = connect(client, MULTIPLE.replace("</Choices>", f'<Choice value="{bad}"/></Choices>'))
    assert answer.status_code == 400, answer.text
    assert client.workspace.topics == ["grain"]


@pytest.mark.parametrize("config", [SINGLE, MULTIPLE], ids=["single", "multiple"])
def test_predictions_follow_annotations(client, config):
    connect(client, config)
    before = connect(client, config).json()["model_version"]
    for i in range(6):
        assert send(client, annotation(2 * i, 2 * i, f"{GRAIN} {i}", "grain")) == 2
        assert send(client, annotation(2 * i + 1, 2 * i + 1, f"{SHIPS} {i}", "ships")) == 2
    grain, ships = predict(client, GRAIN, SHIPS, config=config).json()["results"]
    for found, label in ((grain, "grain"), (ships, "ships")):
        (result,) = found["result"]
        assert (result["from_name"], result["to_name"], result["type"]) == ("topic", "text", "choices")
        assert result["value"] == {"choices": [label]}
        assert 0.5 < result["score"] <= 1.0
    assert connect(client, config).json()["model_version"] != before  # so that predictions are asked for again
    assert {found["model_version"] for found in (grain, ships)} == {"bayesift"}
    if config == MULTIPLE:
        assert predict(client, "nothing known").json()["results"][0]["result"] == []


def test_the_score_is_the_expected_gain(client):
    connect(client)
    send(client, annotation(1, 1, GRAIN, "grain"))
    (found,) = predict(client, SHIPS).json()["results"]
    gains = [client.workspace.explain(name, SHIPS).gain for name in ("grain", "ships")]
    assert found["score"] == pytest.approx(sum(gains))


def test_the_score_falls_as_similar_tasks_are_annotated(client):
    """Not from the start: a topic that is only a word expects few documents, and learns most from the first one."""
    connect(client)
    scores = []
    for i in range(5):
        send(client, annotation(2 * i, 2 * i, f"{GRAIN} {i}", "grain"))
        send(client, annotation(2 * i + 1, 2 * i + 1, f"{SHIPS} {i}", "ships"))
        scores.append([found["score"] for found in predict(client, GRAIN, SHIPS).json()["results"]])
    for of_one in zip(*scores):
        assert all(later < before for before, later in pairwise(of_one))
        assert of_one[-1] < of_one[0] / 2


def test_annotations_become_events(client):
    connect(client)
    send(client, annotation(7, 1, GRAIN, "grain"))
    first = "label-studio/3/1"
    assert answers(client) == {("grain", first): True, ("ships", first): False}
    send(client, annotation(7, 1, GRAIN, "grain", "ships", action="ANNOTATION_UPDATED"))
    assert answers(client) == {("grain", first): True, ("ships", first): True}
    with client.workspace.using("ships") as own:
        event = own.topic("ships").answers[first]
    assert (event.note, event.source) == ("annotation 7 of project 3", "imported")
    assert "Label Studio user 1" in event.who
    assert send(client, annotation(8, 2, SHIPS)) == 2  # no choice: not relevant to any
    assert answers(client)["grain", "label-studio/3/2"] is False
    deleted = {"action": "ANNOTATIONS_DELETED", "annotations": [{"id": 7}], "project": PROJECT}
    assert send(client, deleted) == 2
    assert {document for _, document in answers(client)} == {"label-studio/3/2"}


def test_an_annotation_that_is_deleted_after_a_restart_is_withdrawn(tmp_path):
    path = tmp_path / "news.db"
    Workspace.create(path).close()
    for restarted in (False, True):
        app = create_app(path, ServiceSettings())
        app.include_router(router)
        with TestClient(app, base_url="http://localhost", client=("127.0.0.1", 50000)) as client:
            client.workspace = app.state.desk.workspace
            if not restarted:
                connect(client)
                send(client, annotation(7, 1, GRAIN, "grain"))
                assert len(answers(client)) == 2
            else:
                deleted = {"action": "ANNOTATIONS_DELETED", "annotations": [{"id": 7}], "project": PROJECT}
                assert send(client, deleted) == 2
                assert answers(client) == {}


def test_lists_of_annotations_and_other_news(client):
    connect(client)
    one, other = annotation(1, 1, GRAIN, "grain"), annotation(2, 2, SHIPS, "ships")
    both = {"action": "ANNOTATIONS_CREATED", "project": PROJECT,
            "annotation": [one["annotation"], other["annotation"]], "task": [one["task"], other["task"]]}  # fmt: skip
    assert send(client, both) == 4
    assert send(client, annotation(3, 3, GRAIN, "grain", was_cancelled=True)) == 0
    for action in ("PROJECT_UPDATED", "TASKS_CREATED", "TASKS_DELETED", "START_TRAINING"):
        assert send(client, {"action": action, "project": PROJECT}) == 0
    assert len(answers(client)) == 4


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("<View>", "is not XML"),
        ("<View/>", "does not classify texts"),
        ('<View><Image name="i" value="$i"/><Choices name="c" toName="i"><Choice value="a"/></Choices></View>', "Text"),
        ('<!DOCTYPE v [<!ENTITY a "b">]><View/>', "declares entities"),
    ],
)
def test_other_projects_are_errors(client, config, message):
    with pytest.raises(BadInput, match=message):
        choices_of(config)
    answer = connect(client, config)
    assert answer.status_code == 400
    assert message in answer.json()["detail"]


def test_tasks_without_text_are_errors(client):
    connect(client)
    given = {"tasks": [{"id": 5, "data": {"image": "x"}}], "project": "3.1", "label_config": MULTIPLE}
    answer = client.post("/label-studio/predict", json=given)
    assert answer.status_code == 400
    assert "task 5 has no text 'text'" in answer.json()["detail"]
    assert client.post("/label-studio/webhook", json=[1]).status_code == 400
    assert client.post("/label-studio/predict", json={"tasks": 1}).status_code == 422


def test_accounts_give_their_token_as_password(client):
    client.people.add("ada", "correct horse battery", "admin")
    assert connect(client).status_code == 401
    token = client.people.new_token("ada")

    def basic(password):
        return {"Authorization": "Basic " + base64.b64encode(f"ada:{password}".encode()).decode()}

    assert connect(client, headers=basic("wrong")).status_code == 401
    assert connect(client, headers={"Authorization": "Basic ,"}).status_code == 401
    assert connect(client, headers=basic(token)).status_code == 200
    assert connect(client, headers={"Authorization": f"Bearer {token}"}).status_code == 200
    assert client.get("/label-studio/health").status_code == 200


# A Label Studio itself

COMMAND = os.environ.get("LABEL_STUDIO") or shutil.which("label-studio")


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextlib.contextmanager
def running(command, log, **environment):
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, env=os.environ | environment)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def call(address, body=None, method=None, **headers):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json", **headers}, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read() or b"null")


def until(what, seconds=900):
    end = time.monotonic() + seconds
    while True:
        try:
            if found := what():
                return found
        except OSError:
            pass
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.5)


@pytest.mark.skipif(COMMAND is None, reason="needs Label Studio: set LABEL_STUDIO to its command, in another venv")
def test_a_label_studio_predicts_and_learns_with_it(tmp_path):
    ours, theirs = free_port(), free_port()
    backend = f"http://127.0.0.1:{ours}"
    news = str(tmp_path / "news.db")
    serve = [sys.executable, "-m", "bayesift", "serve", news, "--port", str(ours), "--label-studio"]
    studio = [COMMAND, "start", "--no-browser", "--port", str(theirs), "--username", "ada@example.org",
              "--password", "correct-horse", "--user-token", "0123456789abcdef", "--data-dir", str(tmp_path / "data"),
              "--enable-legacy-api-token"]  # fmt: skip
    open_to_us = {"ML_BLOCK_LOCAL_IP": "false", "SSRF_PROTECTION_ENABLED": "false", "COLLECT_ANALYTICS": "false"}
    path = {"PYTHONPATH": str(Path(bayesift.__file__).parents[1])}
    clean = {"PYTHONPATH": ""}
    with running(serve, tmp_path / "ours.log", **path), running(studio, tmp_path / "ls.log", **open_to_us, **clean):
        address, token = f"http://127.0.0.1:{theirs}/api", {"Authorization": "Token 0123456789abcdef"}
        until(lambda: call(f"{address}/projects", **token) is not None)
        project = call(f"{address}/projects", {"title": "News", "label_config": MULTIPLE}, **token)["id"]
        call(f"{address}/projects/{project}/import", [{"text": GRAIN}, {"text": SHIPS}], **token)
        tasks = call(f"{address}/tasks?project={project}", **token)["tasks"]
        until(lambda: call(f"{backend}/label-studio/health"))
        about = {"url": f"{backend}/label-studio", "project": project, "title": "bayesift"}
        made = call(f"{address}/ml", about, **token)
        assert made["state"] in ("CO", "connected", "Connected"), made
        assert {t["name"] for t in call(f"{backend}/api/topics")["topics"]} == {"grain", "ships"}
        result = {"from_name": "topic", "to_name": "text", "type": "choices", "value": {"choices": ["grain"]}}
        given = call(f"{address}/tasks/{tasks[0]['id']}/annotations", {"result": [result]}, **token)

        def judged():
            found = call(f"{backend}/api/topics/1/judgements")["judgements"]
            return [(j["document"], j["relevant"]) for j in found]

        document = f"label-studio/{project}/{tasks[0]['id']}"
        assert until(judged) == [(document, True)]
        selected = {"selectedItems": {"all": True, "excluded": []}}
        call(f"{address}/dm/actions?id=retrieve_tasks_predictions&project={project}", selected, **token)
        predicted = until(lambda: call(f"{address}/predictions?project={project}", **token))
        assert {p["task"] for p in predicted} == {task["id"] for task in tasks}
        assert all(p["score"] >= 0.0 for p in predicted)
        listed = call(f"{address}/tasks?project={project}&fields=all", **token)["tasks"]  # as the data manager has them
        assert {t["id"]: t["predictions_score"] for t in listed} == {p["task"]: p["score"] for p in predicted}
        call(f"{address}/annotations/{given['id']}", method="DELETE", **token)
        until(lambda: judged() == [])
