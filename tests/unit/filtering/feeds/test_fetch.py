"""Downloads keep to their limits, never reach a private address, and are not repeated without need."""

import gzip
import socket
import threading
import zlib

import pytest
from tests.unit.filtering.feeds.conftest import RSS

from bayesift.filtering.feeds import Feed, SourceFailed
from bayesift.filtering.feeds.addresses import is_public
from bayesift.filtering.feeds.fetch import Version, fetch
from bayesift.filtering.feeds.limits import Limits

OWN = Limits(seconds=2.0, size=100_000, private=True)


def test_a_feed_becomes_documents_oldest_first(web):
    url = web.serve("/feed", RSS, Content_Type="application/rss+xml")
    oil, corn = Feed(url, OWN).read(print)
    assert (oil.document.id, oil.document.title, oil.document.body) == (f"{url}#1", "Oil", "Prices fell.")
    assert (corn.document.title, corn.document.body) == ("Corn & wheat", "The harvest was good.")
    assert (corn.document.date, corn.url) == ("2026-11-03T10:00:00+00:00", "http://news.example/2")


def test_an_unchanged_feed_is_not_read_again(web):
    def page(handler):
        same = handler.headers.get("If-None-Match") == '"7"' and handler.headers.get("If-Modified-Since") == "Monday"
        handler.send_response(304 if same else 200)
        handler.send_header("ETag", '"7"')
        handler.send_header("Last-Modified", "Monday")
        handler.end_headers()
        if not same:
            handler.wfile.write(RSS.encode())

    web.pages["/feed"] = page
    feed = Feed(web.url + "/feed", OWN)
    assert len(list(feed.read(print))) == 2
    assert len(list(feed.read(print))) == 2  # the first reading was not confirmed: it may not have been stored
    feed.confirm()
    assert list(feed.read(print)) == []
    assert [bool("If-None-Match" in headers) for _, headers in web.asked] == [False, False, True]


@pytest.mark.parametrize("encoding", ["gzip", "deflate", None])
def test_packed_answers(web, encoding):
    pack = {"gzip": gzip.compress, "deflate": zlib.compress, None: bytes}[encoding]
    url = web.serve("/feed", pack(RSS.encode()), Content_Encoding=encoding)
    assert fetch(url, limits=OWN).body == RSS.encode()


def test_redirects_are_followed_but_not_for_ever(web):
    last = web.serve("/feed", RSS)
    web.serve("/moved", status=301, Location="/feed")
    assert fetch(web.url + "/moved", limits=OWN).url == last
    web.serve("/round", status=302, Location="/round")
    with pytest.raises(SourceFailed, match="more than 5 redirects"):
        fetch(web.url + "/round", limits=OWN)
    web.serve("/file", status=302, Location="file:///etc/passwd")
    with pytest.raises(SourceFailed, match="is not an http or https URL"):
        fetch(web.url + "/file", limits=OWN)


def test_an_error_after_a_redirect_names_the_source_first(web):
    web.serve("/gone", status=404)
    web.serve("/moved", status=301, Location="/gone")
    with pytest.raises(SourceFailed, match=f"{web.url}/moved redirects to {web.url}/gone: the server answers 404"):
        fetch(web.url.replace("://", "://me:secret@") + "/moved", limits=OWN)
    web.serve("/file", status=302, Location="file:///etc/passwd")
    with pytest.raises(SourceFailed, match=f"{web.url}/file redirects to file:///etc/passwd: is not an http"):
        fetch(web.url + "/file", limits=OWN)
    web.serve("/space", status=302, Location="/a b")
    with pytest.raises(SourceFailed, match=f"^{web.url}/space redirects to /a b: is not an http"):
        fetch(web.url.replace("://", "://me:secret@") + "/space", limits=OWN)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "169.254.169.254", "10.1.2.3", "2130706433"]
)
def test_private_addresses_are_not_contacted(host):
    with pytest.raises(SourceFailed, match=r"private address .* not contacted; allow it with --allow-private"):
        fetch(f"http://{host}:1/feed")


def test_a_redirect_to_a_private_address_is_not_followed(web, monkeypatch):
    """The first host is public by name and in truth this machine; it redirects to a private one."""
    port = web.server.server_port
    web.serve("/feed", status=302, Location=f"http://127.0.0.1:{port}/secret")
    web.serve("/secret", "secret")
    monkeypatch.setattr("bayesift.filtering.feeds.addresses._resolved", lambda host, *_: [
        "93.184.215.14" if host == "news.example" else host])  # fmt: skip
    real = socket.create_connection
    contacted = []
    connect = lambda to, *rest: contacted.append(to[0]) or real(("127.0.0.1", port), *rest)  # noqa: E731
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(SourceFailed, match=r"127\.0\.0\.1 has the private address"):
        fetch(f"http://news.example:{port}/feed", limits=Limits(seconds=2.0))
    assert contacted == ["93.184.215.14"]  # the checked address itself, no second look-up
    assert [path for path, _ in web.asked] == ["/feed"]


def test_one_private_address_of_several_is_enough(monkeypatch):
    monkeypatch.setattr("bayesift.filtering.feeds.addresses._resolved", lambda *_: ["93.184.215.14", "10.0.0.1"])
    with pytest.raises(SourceFailed, match=r"private address 10\.0\.0\.1"):
        fetch("http://news.example/feed")


@pytest.mark.parametrize(
    "address",
    ["64:ff9b::a00:1", "2002:a00:1::", "::ffff:127.0.0.1", "fe80::1%eth0", "fc00::1", "224.0.0.1", "nonsense", ""],
)
def test_private_addresses_in_disguise(address):
    assert not is_public(address)


def test_a_server_that_never_answers(web):
    given_up = threading.Event()
    web.pages["/feed"] = lambda handler: given_up.wait(60)
    with pytest.raises(SourceFailed, match=r"no complete answer in 0\.3 s; it is read again the next time"):
        fetch(web.url + "/feed", limits=Limits(seconds=0.3, private=True))
    given_up.set()


@pytest.mark.parametrize("part", ["headers", "body", "body of unknown length"])
def test_a_server_that_answers_too_slowly(web, part):
    given_up = threading.Event()

    def page(handler):
        length = b"Content-Length: 1000\r\n" if part == "body" else b""
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n" + length + (b"" if part == "headers" else b"\r\n"))
        while not given_up.wait(0.1):
            handler.wfile.write(b"X-A: b\r\n")
            handler.wfile.flush()

    web.pages["/feed"] = page
    with pytest.raises(SourceFailed, match=r"no complete answer in 0\.5 s"):
        fetch(web.url + "/feed", limits=Limits(seconds=0.5, private=True))
    given_up.set()


def test_a_download_that_is_too_large(web):
    for headers in ({}, {"Content_Length": None}):
        url = web.serve("/feed", b"x" * 200_000, **headers)
        with pytest.raises(SourceFailed, match="larger than 0 MB; raise --max-size"):
            fetch(url, limits=OWN)
    bomb = web.serve("/bomb", gzip.compress(b"x" * 100_000_000), Content_Encoding="gzip")
    with pytest.raises(SourceFailed, match="larger than"):
        fetch(bomb, limits=OWN)


def test_an_answer_that_breaks_off(web):
    url = web.serve("/feed", RSS[:100], Content_Length="5000")
    with pytest.raises(SourceFailed, match="read again the next time"):
        fetch(url, limits=OWN)
    url = web.serve("/packed", gzip.compress(RSS.encode())[:50], Content_Encoding="gzip")
    with pytest.raises(SourceFailed, match="broke off"):
        fetch(url, limits=OWN)


@pytest.mark.parametrize(("status", "remedy"), [(404, "check the address"), (410, "gone for good"), (500, "next time")])
def test_errors_of_the_server(web, status, remedy):
    url = web.serve("/feed", status=status)
    with pytest.raises(SourceFailed, match=rf"answers {status} .*{remedy}"):
        fetch(url, limits=OWN)


def test_passwords_go_to_their_host_only(web):
    other = web.serve("/feed", RSS)
    web.serve("/moved", status=302, Location=other.replace("127.0.0.1", "localhost"))
    url = web.url.replace("http://", "http://me:se%63ret@")
    assert fetch(url + "/moved", limits=OWN).url.startswith("http://localhost")
    assert [headers.get("Authorization") for _, headers in web.asked] == ["Basic bWU6c2VjcmV0", None]
    with pytest.raises(SourceFailed) as caught:
        fetch(url.replace("127.0.0.1", "127.0.0.1") + "/moved", limits=Limits())
    assert "secret" not in str(caught.value)
    assert "se%63ret" not in str(caught.value)


@pytest.mark.parametrize("url", ["http://", "ftp://a.example/x", "http://[::1/", "http://a b/", "http://a/\n"])
def test_what_is_not_a_url(url):
    with pytest.raises(SourceFailed, match="is not an http or https URL"):
        fetch(url, Version(), OWN)


@pytest.mark.parametrize("port", ["x", "0", "-1", "99999"])
def test_what_is_not_a_port(port):
    with pytest.raises(SourceFailed, match=rf"^http://a.example:{port}/: has no port from 1 to 65535; check the"):
        fetch(f"http://me:secret@a.example:{port}/", Version(), OWN)


def test_a_host_that_does_not_exist():
    with pytest.raises(SourceFailed, match=r"there is no host|was not found in time"):
        fetch("http://no-such-host.invalid/feed", limits=OWN)


def test_nobody_listens():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    with pytest.raises(SourceFailed, match="cannot be read: Connection refused"):
        fetch(f"http://127.0.0.1:{port}/", limits=OWN)
