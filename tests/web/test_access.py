"""Who may do what: every route against every role, other sites, sessions and tokens, limits."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from fastapi.testclient import TestClient
from tests.service.literature import literature
from tests.web.conftest import PAGE, PASSWORD, bearer, tokens_of

from bayesift.errors import BadInput, NotFound
from bayesift.filtering.screening.review import Review
from bayesift.filtering.store import Workspace
from bayesift.filtering.store.schema import events
from bayesift.service import create_app
from bayesift.service.access import COOKIE
from bayesift.service.attempts import FORGIVEN, TRIES, TRIES_OF_NAME, Attempts
from bayesift.service.limits import LARGEST_HEADERS
from bayesift.service.people import People

OPEN = {"/login", "/logout", "/health", "/static/{name}"}  # need no account
ADMIN = {("GET", "/people"), ("POST", "/people"), ("POST", "/people/remove"), ("POST", "/sources"),
         ("POST", "/sources/remove"), ("PUT", "/api/topics/{number}/webhook"),
         ("GET", "/api/topics/{number}/webhook"), ("GET", "/api/export"),
         ("POST", "/topics/{number}/webhook"), ("GET", "/api/changes")}  # fmt: skip
READER = {("POST", "/try"), ("POST", "/api/try")}  # change nothing
REVIEWER_GET = {("GET", "/topics/new")}


def needed(method: str, path: str) -> str:
    """Return the role that a call should need."""
    if (method, path) in ADMIN:
        return "admin"
    if (method, path) in REVIEWER_GET:
        return "reviewer"
    return "reader" if method == "GET" or (method, path) in READER else "reviewer"


@pytest.fixture
def people_of(workspace):
    """Return a function that adds accounts, by name with their roles, and returns a token of each."""
    with Workspace.open(workspace) as news:
        yield lambda names: tokens_of(news.database, names)


@pytest.fixture
def people(people_of):
    names = {"ada": "admin", "rev": "reviewer", "rea": "reader"}
    return {names[name]: token for name, token in people_of(names).items()}


def test_every_route_against_every_role(start, people, workspace):
    client = start()
    schema = client.app.openapi()["paths"]
    calls = [(m.upper(), path) for path, methods in schema.items() for m in methods]
    pages = [(method, path) for method, path in ROUTES if path not in OPEN]
    assert len(calls) > 20
    assert len(pages) > 20
    roles = ["reader", "reviewer", "admin"]
    for method, path in calls + pages:
        address = re.sub(r"\{[^}]*\}", "999", path)
        nobody = client.request(method, address)
        assert nobody.status_code == 401, (method, path)
        for role in roles:
            got = client.request(method, address, headers={"authorization": f"Bearer {people[role]}"}).status_code
            allowed = roles.index(role) >= roles.index(needed(method, path))
            assert (got == 403) == (not allowed), (method, path, role, got)
            assert got < 500, (method, path, role, got)


ROUTES = [
    ("GET", "/"), ("GET", "/topics/new"), ("POST", "/topics"), ("POST", "/topics/preview"),
    ("GET", "/topics/{number}"), ("GET", "/topics/{number}/inbox"), ("POST", "/topics/{number}/judge"),
    ("POST", "/topics/{number}/undo"), ("POST", "/topics/{number}/words"), ("POST", "/topics/{number}/words/preview"),
    ("POST", "/topics/{number}/revise"), ("POST", "/topics/{number}/settings"), ("POST", "/topics/{number}/pause"),
    ("POST", "/topics/{number}/webhook"),
    ("POST", "/topics/{number}/delete"), ("GET", "/topics/{number}/export.json"), ("GET", "/topics/{number}/feed.atom"),
    ("GET", "/documents"), ("GET", "/documents/{id}"), ("GET", "/try"), ("POST", "/try"), ("GET", "/people"),
    ("POST", "/people"), ("POST", "/people/remove"), ("GET", "/sources"), ("POST", "/sources"),
    ("POST", "/sources/remove"), ("POST", "/sources/upload"), ("GET", "/health/page"), ("GET", "/metrics"),
    ("GET", "/api/docs"),
]  # fmt: skip


def test_no_page_is_missing_from_the_list(client):
    from bayesift.service import accounts, api, manage, pages

    found = {
        (method, re.sub(r":path", "", route.path))
        for router in (*pages.ROUTERS, accounts.router, manage.router)
        for route in router.routes for method in route.methods - {"HEAD"}
    }  # fmt: skip
    found |= {
        ("GET", "/api" + route.path)
        for router in api.ROUTERS for route in router.routes if not route.include_in_schema
    }  # fmt: skip
    assert {pair for pair in found if pair[1] not in OPEN} == set(ROUTES)


def test_page_without_account_leads_to_the_login(start, people):
    answer = start().get("/topics/1?before=3", headers=PAGE)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/login?to=%2Ftopics%2F1%3Fbefore%3D3"


def test_session(start, people):
    client = start()
    form = {"name": "rev", "password": PASSWORD, "to": "/topics/1"}
    assert client.post("/login", data=form | {"password": "wrong"}, headers=PAGE).status_code == 403
    answer = client.post("/login", data=form)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/topics/1"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert client.get("/", headers=PAGE).status_code == 200
    kept = client.cookies[COOKIE]
    client.post("/logout")
    client.cookies.set(COOKIE, kept)
    assert client.get("/", headers=PAGE).status_code == 303


def test_session_is_new_at_each_login(start, people):
    client, chosen = start(), {"cookie": f"{COOKIE}=chosen-by-somebody-else"}
    answer = client.post("/login", data={"name": "rev", "password": PASSWORD}, headers=chosen)
    assert answer.headers["set-cookie"].startswith(f"{COOKIE}=")
    assert "chosen" not in answer.headers["set-cookie"]
    client.cookies.clear()
    assert client.get("/", headers=PAGE | chosen).status_code == 303


def test_login_leads_nowhere_else(start, people):
    client = start()
    for address in ("https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"):
        answer = client.post("/login", data={"name": "rev", "password": PASSWORD, "to": address})
        assert answer.headers["location"] == "/"


def test_many_failed_logins_are_refused(start, people):
    client = start()
    codes = [client.post("/login", data={"name": "ada", "password": "x"}).status_code for _ in range(12)]
    assert codes[0] == 403
    assert codes[-1] == 429


def test_parallel_logins_do_not_pass_the_limit(start, people, monkeypatch):
    client, lock, now, most = start(), threading.Lock(), [], []

    def check(self, name, password):
        with lock:
            now.append(name)
            most.append(len(now))
        time.sleep(0.02)
        with lock:
            now.pop()
        return "session" if password == PASSWORD else None

    monkeypatch.setattr(People, "log_in", check)

    def attempt(password):
        return client.post("/login", data={"name": "ada", "password": password}).status_code

    with ThreadPoolExecutor(30) as pool:
        codes = sorted(pool.map(attempt, ["x"] * 30))
    assert codes == [403] * TRIES + [429] * (30 - TRIES)
    assert max(most) == 2  # Argon2 takes much memory
    client.app.state.attempts = Attempts()
    assert [attempt(PASSWORD) for _ in range(2 * TRIES)] == [303] * 2 * TRIES  # those that succeed do not count


def test_to_log_in_as_oneself_allows_no_more_guesses(start, people, monkeypatch):
    monkeypatch.setattr(People, "log_in", lambda self, name, password: "session" if name == "rea" else None)
    client, codes = start(), []
    for i in range(2 * TRIES):
        codes.append(client.post("/login", data={"name": "ada", "password": f"guess {i}"}).status_code)
        client.post("/login", data={"name": "rea", "password": PASSWORD})
    assert codes == [403] * TRIES + [429] * TRIES


def test_attempts_are_forgotten_after_a_minute(monkeypatch):
    attempts, clock = Attempts(), [1000.0]
    monkeypatch.setattr("bayesift.service.attempts.time.monotonic", lambda: clock[0])
    assert [attempts.count("a", "ada") for _ in range(TRIES + 1)] == [True] * TRIES + [False]
    assert attempts.count("b", "ada")
    clock[0] += FORGIVEN + 1
    assert attempts.count("c", "bob")
    assert list(attempts._recent) == [("client", "c"), ("name", "bob")]  # nobody is kept for good
    assert attempts.count("a", "ada")


def test_attempts_from_many_addresses_are_counted_by_name():
    attempts = Attempts()
    tries = [attempts.count(f"192.0.2.{i}", "ada") for i in range(TRIES_OF_NAME + 5)]
    assert tries == [True] * TRIES_OF_NAME + [False] * 5
    assert attempts.count("192.0.2.1", "bob")
    attempts.take_back("192.0.2.1", "ada")
    assert [attempts.count("198.51.100.1", "ada") for _ in range(2)] == [True, False]


@pytest.mark.parametrize(
    "headers",
    [{"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, {"origin": "https://evil.example"},
     {"origin": "null"}, {"origin": "http://localhost:81"}],
)  # fmt: skip
def test_change_from_another_site_is_refused(client, headers):
    for address in ("/topics/1/undo", "/api/topics/1/undo", "/login", "/logout"):
        answer = client.post(address, headers=headers, data={"name": "a", "password": "b"})
        assert answer.status_code == 403, address


def test_no_change_from_another_site_is_accepted(client):
    schema = client.app.openapi()["paths"]
    calls = {(method.upper(), path) for path, methods in schema.items() for method in methods} | set(ROUTES)
    changes = [(method, path) for method, path in calls if method != "GET"]
    assert len(changes) > 25
    for method, path in changes:
        address = re.sub(r"\{[^}]*\}", "1", path)
        answer = client.request(method, address, headers={"sec-fetch-site": "cross-site"})
        assert answer.status_code == 403, (method, path)


def test_change_of_a_topic_is_an_event_with_its_author(start, people):
    client = start()
    client.headers["authorization"] = f"Bearer {people['reviewer']}"
    document = client.get("/api/topics/1/inbox").json()["items"][0]["document"]
    api = "/api/topics/1"
    changes = [
        ("POST", f"{api}/judgements", {"document": document, "relevant": True}, "judged"),
        ("POST", f"{api}/judgements", {"document": document, "relevant": False}, "changed"),
        ("DELETE", f"{api}/judgements/{document}", None, "withdrawn"),
        ("POST", f"{api}/undo", None, "judged"),
        ("PUT", f"{api}/words", {"words": {"wheat": [1.0, 0.5]}}, "words_edited"),
        ("PATCH", api, {"per_day": 7}, "topic_set"),
        ("PATCH", api, {"paused": True}, "topic_paused"),
        ("PATCH", api, {"paused": False}, "topic_resumed"),
        ("PATCH", api, {"name": "cereals"}, "topic_renamed"),
        ("DELETE", api, None, "topic_removed"),
        ("POST", "/api/topics", {"name": "oil", "about": "crude oil"}, "topic_added"),
    ]
    for method, address, body, type_ in changes:
        answer = client.request(method, address, json=body)
        assert answer.is_success, (address, answer.text)
        with client.app.state.desk.reading() as connection:
            last = sa.select(events.c.type, events.c.body).order_by(events.c.number.desc()).limit(1)
            kind, line = connection.execute(last).one()
        assert json.loads(line)["who"] == "rev", (address, line)
        assert kind.replace("-", "_") == type_, address


def test_change_from_our_own_page_is_accepted(client):
    document = client.get("/api/topics/1/inbox").json()["items"][0]["document"]
    for headers in ({"sec-fetch-site": "same-origin"}, {"origin": "http://localhost"}):
        answer = client.post("/topics/1/judge", data={"document": document, "relevant": "yes"}, headers=headers)
        assert answer.status_code == 303


@pytest.mark.parametrize("host", ["a{b.evil.example", 'a"b.evil.example:80', "a`b.evil.example", "[::1", "", "a b"])
def test_invalid_host_names_do_not_reach_an_open_service(start, host):
    assert start().get("/api/topics", headers={"Host": host}).status_code == 403


def test_other_host_names_do_not_reach_an_open_service(start):
    client = start("http://rebound.example:8765")
    for address in ("/api/topics", "/", "/login"):
        answer = client.get(address, headers=PAGE)
        assert answer.status_code == 403, address
        assert "Open http://127.0.0.1:8765, or add an account: bayesift user add" in answer.text
    assert start("http://127.0.0.1:8765").get("/api/topics").status_code == 200


def test_with_accounts_another_host_name_leads_to_the_login(start, people):
    client = start("http://news.example")
    assert client.get("/", headers=PAGE).headers["location"] == "/login?to=%2F"
    assert client.get("/login", headers=PAGE).status_code == 200
    assert client.get("/api/topics").status_code == 401


PROXIED = ["Forwarded", "Via", "X-Real-IP", "X-Client-IP", "True-Client-IP", "CF-Connecting-IP", "X-Forwarded-For",
           "X-Forwarded-Proto", "X-Forwarded-Host"]  # fmt: skip


@pytest.mark.parametrize("header", PROXIED)
def test_open_service_refuses_what_a_proxy_passed_on(start, header):
    client = start()
    for answer in (client.get("/api/topics", headers={header: "203.0.113.7"}),
                   client.post("/topics/1/undo", headers={header: "127.0.0.1"})):  # fmt: skip
        assert answer.status_code == 403
        assert "Add an account: bayesift user add WORKSPACE NAME --role admin" in answer.json()["detail"]
    page = client.get("/", headers=PAGE | {header: "203.0.113.7"})
    assert page.status_code == 403
    assert "Add an account" in page.text
    assert "/sources" not in page.text  # no menu: nobody is logged in
    assert client.get("/health", headers={header: "203.0.113.7"}).status_code == 200


def test_open_service_refuses_http_1_0_which_nginx_sends(start, people_of):
    app = start().app

    async def as_nginx(scope, receive, send):
        await app(scope | ({"http_version": "1.0"} if scope["type"] == "http" else {}), receive, send)

    client = TestClient(as_nginx, base_url="http://localhost", client=("127.0.0.1", 50000))
    assert client.get("/people").status_code == 403
    assert client.get("/health").status_code == 200
    token = people_of({"rea": "reader"})["rea"]
    assert client.get("/api/topics", headers=bearer(token)).status_code == 200


def test_open_service_refuses_other_machines(client):
    for address, status in (("192.0.2.1", 403), ("127.0.0.1", 200), ("::1", 200)):
        other = TestClient(client.app, base_url="http://localhost", client=(address, 50000))
        assert other.get("/api/topics").status_code == status, address


def test_accounts_work_through_a_proxy(start, people):
    client, forwarded = start(), {"x-forwarded-for": "203.0.113.7"}
    assert client.get("/api/topics", headers=forwarded).status_code == 401
    token = {"authorization": f"Bearer {people['reader']}"}
    assert client.get("/api/topics", headers=forwarded | token).status_code == 200


def test_command_listens_elsewhere_only_with_an_admin(workspace, monkeypatch):
    from bayesift.cli.serve import serve
    from bayesift.service.server import Server

    served = []

    def serve_forever(self):
        served.append(self.config.host)
        self.sockets[0].close()

    monkeypatch.setattr(Server, "serve_forever", serve_forever)
    with pytest.raises(BadInput, match=r"reached from other machines, and there is no admin.*bayesift user add"):
        serve(str(workspace), host="0.0.0.0", port=0)
    with Workspace.open(workspace) as news:
        People(news.database).add("rea", PASSWORD, "reader")
    with pytest.raises(BadInput, match="no admin"):
        serve(str(workspace), host="0.0.0.0", port=0)
    with pytest.raises(BadInput, match="pages can be reached from other machines, and there is no admin"):
        serve(str(workspace), port=0, behind_https=True)
    assert served == []
    with Workspace.open(workspace) as news:
        People(news.database).add("ada", PASSWORD, "admin")
    serve(str(workspace), host="0.0.0.0", port=0)
    serve(str(workspace), port=0)
    serve(str(workspace), port=0, behind_https=True)
    assert served.pop() == "127.0.0.1"
    assert served == ["0.0.0.0", "127.0.0.1"]


def test_service_on_a_network_needs_an_account(start):
    assert start(is_local=False).get("/api/topics").status_code == 401


def test_secrets_are_not_stored(workspace, people):
    data = workspace.read_bytes() + workspace.with_name("news.db-wal").read_bytes()
    assert PASSWORD.encode() not in data
    assert not any(token.encode() in data for token in people.values())


def test_accounts(workspace):
    with Workspace.open(workspace) as news:
        accounts = People(news.database)
        assert not accounts.exist()
        accounts.add("ada", PASSWORD, "admin")
        for name, password, role in (("ada", PASSWORD, "reader"), ("x", "short", "reader"), ("", PASSWORD, "reader"),
                                     ("x", PASSWORD, "king"), ("a\nb", PASSWORD, "reader")):  # fmt: skip
            with pytest.raises(BadInput):
                accounts.add(name, password, role)
        with pytest.raises(BadInput, match="last admin"):
            accounts.remove("ada")
        with pytest.raises(NotFound, match="no account 'nobody'; add the person first"):
            accounts.new_token("nobody")
        with pytest.raises(NotFound, match="no account 'nobody'; look at the list"):
            accounts.remove("nobody")
        token = accounts.new_token("ada", days=-1)
        assert accounts.find(token) is None
        assert accounts.find("") is None


def test_large_body_is_refused(client):
    answer = client.post("/api/documents/lines", content=b"x" * (33 << 20))
    assert answer.status_code == 413
    assert answer.headers["content-type"] == "application/problem+json"

    def parts():
        for _ in range(40):
            yield b"y" * (1 << 20)

    assert client.post("/api/documents/lines", content=parts()).status_code == 413


def test_large_headers_and_addresses_are_refused(client):
    for answer in (
        client.get("/health", headers={"x-long": "x" * LARGEST_HEADERS}),
        client.get("/health", headers={f"x-{i}": "y" * 100 for i in range(LARGEST_HEADERS // 100)}),
        client.get("/health?q=" + "z" * LARGEST_HEADERS),
    ):
        assert answer.status_code == 431
        assert answer.json()["detail"] == "Address and headers of a request may have at most 16 kB."
        assert answer.headers["content-type"] == "application/problem+json"
    assert client.get("/health", headers={"x-long": "x" * (LARGEST_HEADERS // 2)}).status_code == 200


def test_too_many_requests_are_refused(client, monkeypatch):
    monkeypatch.setattr("bayesift.service.limits.BURST", 5.0)
    monkeypatch.setattr("bayesift.service.limits.PER_SECOND", 0.001)
    app = client.app
    app.middleware_stack = None
    codes = {client.get("/health").status_code for _ in range(8)}
    assert codes == {200, 429}


def test_looking_up_a_wrong_token_takes_no_hint(workspace, people):
    """A token is found by its digest: one that shares its beginning is no closer."""
    with Workspace.open(workspace) as news:
        accounts = People(news.database)
        good = people["admin"]
        near = good[:-1] + ("A" if good[-1] != "A" else "B")
        assert accounts.find(good) is not None
        assert accounts.find(near) is None


def test_workspace_must_exist(tmp_path):
    with pytest.raises(NotFound):
        create_app(tmp_path / "none.db")


@pytest.mark.parametrize("verb", [("serve",), ("screen", "serve")])
def test_a_port_in_use_is_an_error_with_a_remedy(run, tmp_path, verb):
    Review.create(tmp_path / "r.db", literature(3)).close()
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        failed = run(*verb, tmp_path / "r.db", "--port", port)
    expected = f"bayesift: port {port} is in use; end the other program, or choose one with --port\n"
    assert (failed.code, failed.err) == (2, expected)
