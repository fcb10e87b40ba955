"""Download of a feed, with limits for time, size and redirects, and only if it has changed.

`http.client` is enough for this and gives control over the address that is contacted, at every redirect. Proxies of the
environment are not used, because a proxy would resolve names by itself.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urljoin, urlunsplit

from bayesift import __version__
from bayesift.filtering.feeds.addresses import PORTS, address_of, split_url, without_login
from bayesift.filtering.feeds.limits import MB, Limits, SourceFailed

AGAIN = "it is read again the next time"
CHUNK = 1 << 16
REDIRECTS = (301, 302, 303, 307, 308)
UNCHANGED = 304
AGENT = f"bayesift/{__version__} (feed reader)"
ACCEPT = "application/atom+xml, application/rss+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1"


@dataclass(frozen=True)
class Version:
    """What the server said about the version that was read last, to ask for a newer one."""

    etag: str | None = None
    modified: str | None = None

    def headers(self) -> dict[str, str]:
        """Return the headers of a conditional request."""
        named = {"If-None-Match": self.etag, "If-Modified-Since": self.modified}
        return {name: value for name, value in named.items() if value}


@dataclass(frozen=True)
class Download:
    """A downloaded feed: the URL it came from in the end, its bytes, content type and version."""

    url: str
    body: bytes
    content_type: str
    version: Version


def fetch(url: str, version: Version = Version(), limits: Limits = Limits()) -> Download | None:  # noqa: B008
    """Return what is at a URL, or None if it has not changed since `version`.

    Raises
    ------
    SourceFailed
        If it cannot be read within the limits; the message has no user name and password of the URL.
    """
    deadline = time.monotonic() + limits.seconds
    first = here = split_url(url)
    shown = source = without_login(url)
    for _ in range(limits.redirects + 1):
        address = address_of(here, shown, private=limits.private, seconds=deadline - time.monotonic())
        own = _host(here) == _host(first)  # another host does not get the password
        headers = version.headers() | (_login(first) if own else {})
        with _failures(shown, limits, deadline), _response(here, address, headers, deadline) as response:
            if response.status in REDIRECTS and response.getheader("Location"):
                location = str(response.getheader("Location"))
                here = split_url(urljoin(urlunsplit(here), location), f"{source} redirects to {location}")
                shown = f"{source} redirects to {without_login(urlunsplit(here))}"
                continue
            if response.status == UNCHANGED:
                return None
            if response.status != http.client.OK:
                reason = f"the server answers {response.status} {response.reason}".rstrip()
                raise SourceFailed(reason, path=shown, remedy=_remedy(response.status))
            body = _read(response, shown, limits)
            newest = Version(response.getheader("ETag"), response.getheader("Last-Modified"))
            return Download(without_login(urlunsplit(here)), body, response.getheader("Content-Type", ""), newest)
    raise SourceFailed(f"more than {limits.redirects} redirects", path=source, remedy="check the address")


def post(url: str, body: bytes, limits: Limits = Limits()) -> None:  # noqa: B008
    """Post JSON to a URL; redirects are not followed, and the answer is not read.

    Raises
    ------
    SourceFailed
        If the address is not allowed, or the server does not answer with success within the limits.
    """
    deadline = time.monotonic() + limits.seconds
    here = split_url(url)
    shown = without_login(url)
    address = address_of(here, shown, private=limits.private, seconds=limits.seconds)
    headers = _login(here) | {"Content-Type": "application/json"}
    failures = _failures(shown, limits, deadline, what="cannot be reached", remedy="")
    with failures, _response(here, address, headers, deadline, body) as response:
        if not 200 <= response.status < 300:
            raise SourceFailed(f"the server answers {response.status} {response.reason}".rstrip(), path=shown)


@contextlib.contextmanager
def _response(
    parts: SplitResult, address: str, headers: dict[str, str], deadline: float, body: bytes | None = None
) -> Iterator[http.client.HTTPResponse]:
    """Open a connection to the address and send the request; the connection is cut at the deadline.

    With a body the request is a POST.
    """
    connection = _Connection(parts, address, max(deadline - time.monotonic(), 0.001))
    timer = threading.Timer(max(deadline - time.monotonic(), 0.001), connection.cut)
    timer.daemon = True
    timer.start()
    try:
        target = urlunsplit(("", "", parts.path or "/", parts.query, ""))
        standard = {"User-Agent": AGENT, "Accept": ACCEPT, "Accept-Encoding": "gzip", "Connection": "close"}
        connection.request("GET" if body is None else "POST", _quoted(target), body, headers=standard | headers)
        yield connection.getresponse()
    finally:
        timer.cancel()
        connection.close()


class _Connection(http.client.HTTPConnection):
    """Connection to a checked address; the host's name is for the server and its certificate only."""

    def __init__(self, parts: SplitResult, address: str, seconds: float) -> None:
        super().__init__(str(parts.hostname), parts.port or PORTS[parts.scheme], timeout=seconds)
        self.default_port = PORTS[parts.scheme]  # so that the Host header has no port if it is the usual one
        self.address = address
        self.context = ssl.create_default_context() if parts.scheme == "https" else None

        self._open: socket.socket | None = None  # `sock` is None as soon as the headers are read

    def connect(self) -> None:
        self.sock = self._open = socket.create_connection((self.address, self.port), self.timeout)
        if self.context is not None:
            self.sock = self._open = self.context.wrap_socket(self.sock, server_hostname=self.host)

    def cut(self) -> None:
        """Cut the connection while another thread reads from it."""
        if self._open is not None:
            with contextlib.suppress(OSError):
                self._open.shutdown(socket.SHUT_RDWR)


def _read(response: http.client.HTTPResponse, url: str, limits: Limits) -> bytes:
    """Return the body, unpacked; neither the packed nor the unpacked form may exceed the limit."""
    encoding = response.getheader("Content-Encoding", "identity").strip().lower()
    if encoding not in ("identity", "gzip", "x-gzip", "deflate", ""):
        raise SourceFailed(f"has the content encoding {encoding!r}", path=url, remedy="tell the owner of the feed")
    unpack = zlib.decompressobj(47) if encoding not in ("identity", "") else None  # 47: gzip or zlib
    too_large = SourceFailed(
        f"is larger than {limits.size / MB:.0f} MB", path=url, remedy="raise --max-size, or leave this source out"
    )
    if int(response.getheader("Content-Length") or 0) > limits.size:
        raise too_large
    parts, size = [], 0
    while chunk := response.read(CHUNK):
        data = chunk if unpack is None else unpack.decompress(chunk, limits.size + 1 - size)
        parts.append(data)
        size += len(data)
        if size > limits.size:
            raise too_large
    if response.length or (unpack is not None and not unpack.eof):
        raise SourceFailed("the connection broke off", path=url, remedy=AGAIN)
    return b"".join(parts)


@contextlib.contextmanager
def _failures(
    url: str, limits: Limits, deadline: float, what: str = "cannot be read", remedy: str = AGAIN
) -> Iterator[None]:
    """Turn errors of the network into `SourceFailed`; a connection that was cut is one, even if it looks complete."""
    try:
        yield
        if time.monotonic() >= deadline:
            raise TimeoutError
    except ssl.SSLCertVerificationError as error:
        raise SourceFailed(f"its certificate is not valid: {error.verify_message}", path=url) from None
    except (OSError, http.client.HTTPException, zlib.error, ValueError) as error:
        if isinstance(error, TimeoutError) or time.monotonic() >= deadline:
            raise _too_slow(url, limits, remedy) from None
        if isinstance(error, SourceFailed):
            raise
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise SourceFailed(f"{what}: {reason}", path=url, remedy=remedy) from None


def _too_slow(url: str, limits: Limits, remedy: str = AGAIN) -> SourceFailed:
    return SourceFailed(f"no complete answer in {limits.seconds:g} s", path=url, remedy=remedy)


def _remedy(status: int) -> str:
    known = {401: "give user name and password in the URL", 403: "the server does not allow it"}
    known |= {404: "check the address", 410: "the feed is gone for good; leave it out", 429: "read it less often"}
    return known.get(status, AGAIN)


def _host(parts: SplitResult) -> tuple[str, str | None, int | None]:
    return parts.scheme, parts.hostname, parts.port


def _login(parts: SplitResult) -> dict[str, str]:
    if parts.username is None:
        return {}
    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
    return {"Authorization": "Basic " + base64.b64encode(pair).decode()}


def _quoted(target: str) -> str:
    """Return the target of a request in ASCII, as international URLs are sent."""
    return "".join(c if ord(c) < 128 else "".join(f"%{byte:02X}" for byte in c.encode()) for c in target)
