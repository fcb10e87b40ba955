"""What an attacker would send: compressed files, file names, paths, headers."""

import gzip
import io
import zipfile

import pytest
from tests.web.conftest import PAGE

NASTY = "<img src=x onerror=alert(1)>.csv"


def bomb(kind):
    data = b'{"id": "b", "text": "' + b"wheat " * 2_000_000 + b'"}\n'
    if kind == "gz":
        return gzip.compress(data)
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("a.jsonl", data)
    return found.getvalue()


@pytest.mark.parametrize(("name", "kind"), [
    ("a.jsonl.gz", "gz"), ("a.zip", "zip"), ("a.jsonl", "gz"), ("a.csv", "zip"), ("a.ris", "gz"),
])  # fmt: skip
def test_compressed_upload_is_not_unpacked(client, name, kind):
    before = client.get("/api/documents").json()
    answer = client.post("/sources/upload", files=[("files", (name, bomb(kind)))], headers=PAGE)
    assert answer.status_code == 400
    assert client.get("/api/documents").json() == before


def test_compressed_body_is_not_unpacked(client):
    before = client.get("/api/documents").json()
    packed = {"content-encoding": "gzip"}
    assert client.post("/api/documents/lines", content=bomb("gz"), headers=packed).status_code == 400
    assert client.get("/api/documents").json() == before


@pytest.mark.parametrize(
    "name", [NASTY, NASTY.replace("csv", "exe"), "../../../etc/passwd\r\nX: y.csv", "a/b\\..\\c.csv"]
)
def test_name_of_a_file_is_only_text(client, tmp_path, name):
    answer = client.post("/sources/upload", files=[("files", (name, b"\x00no,csv\n"))], headers=PAGE)
    assert answer.status_code == 400
    assert "<img" not in answer.text
    assert not list(tmp_path.glob("**/*.csv"))
    example = client.post("/topics/preview", files=[("files", (name, b"\xff\xfe"))], headers=PAGE)
    assert example.status_code == 400
    assert "<img" not in example.text


@pytest.mark.parametrize("path", [
    "/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static/..%5capp.py", "/static/%2fetc%2fpasswd",
    "/documents/..%2f..%2fetc%2fpasswd", "/static/style.css%00",
])  # fmt: skip
def test_no_file_outside_is_read(client, path):
    answer = client.get(path)
    assert answer.status_code == 404
    assert "import" not in answer.text
    assert "root:" not in answer.text


def test_name_of_a_topic_does_not_reach_the_headers(client):
    client.post("/api/topics", json={"name": 'a"; filename="x.exe', "about": "wheat"})
    header = client.get("/topics/3/export.json").headers["content-disposition"]
    assert header == "attachment; filename*=UTF-8''a%22%3B%20filename%3D%22x.exe.topic.json"
