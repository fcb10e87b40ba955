"""Who may do what: people by session or token, roles, and requests that another site sends.

While nobody has an account, the pages are open, but only to this machine: the service listens on the loopback address,
and the Host header must name it (else another site could reach the service under a name of its own). A request that a
proxy passed on comes from elsewhere, whatever its Host header: it is rejected until there is an account. Most proxies
show themselves by a header, or by HTTP/1.0 as nginx without settings; a tunnel or a TCP proxy does not. A request that
changes something must come from our own pages (`Sec-Fetch-Site`, `Origin`), or from a program that sends neither.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from ipaddress import ip_address
from typing import Any
from urllib.parse import quote, urlsplit

from fastapi import HTTPException, Request
from starlette.concurrency import run_in_threadpool

from bayesift.service.people import People, Person, Role

COOKIE = "bayesift_session"
SAFE = ("GET", "HEAD", "OPTIONS")
FORWARDED = {"forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip"}  # headers of proxies
ELSEWHERE = (
    "Without accounts only this machine may use bayesift, and this request comes from elsewhere or through a proxy. "
    "Add an account: bayesift user add WORKSPACE NAME --role admin"
)
OTHER_NAME = (
    "Without accounts bayesift answers only at the address of this machine. Open http://127.0.0.1{port}, or add an "
    "account: bayesift user add WORKSPACE NAME --role admin"
)


def is_loopback(host: str) -> bool:
    """Return whether a host name is this machine's.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("example.org"), is_loopback("::1")
    (True, True, False, True)
    """
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def person_of(request: Request) -> Person | None:
    """Return who asks, or None."""
    people: People = request.app.state.people
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token:
        return people.find(token.strip())
    if (session := request.cookies.get(COOKIE)) and (person := people.find(session)):
        return person
    if not _is_open(request) or _is_from_elsewhere(request):
        return None
    local: Person = request.app.state.site.local
    return local


def _is_open(request: Request) -> bool:
    """Return whether the pages are open to this machine, which the request names."""
    state = request.app.state
    return state.settings.is_local and not state.people.exist() and is_loopback(_named_host(request))


def _named_host(request: Request) -> str:
    """Return the host that the request names, as it is written; starlette replaces an invalid one by the server's."""
    try:
        return urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
    except ValueError:
        return ""


def _is_from_elsewhere(request: Request) -> bool:
    """Return whether a request comes from another machine, or shows that it came through a proxy."""
    proxied = any(name in FORWARDED or name.startswith("x-forwarded-") for name in request.headers)
    old = request.scope["http_version"] == "1.0"
    return proxied or old or (request.client is not None and not is_loopback(request.client.host))


def check_reachable(request: Request) -> None:
    """Raise 403 if nobody could log in: while there is no account, for a request that the open pages do not answer."""
    if request.app.state.people.exist():
        return
    if _is_from_elsewhere(request):
        raise HTTPException(403, ELSEWHERE)
    if not is_loopback(_named_host(request)):
        port = (request.scope.get("server") or ("", None))[1]
        raise HTTPException(403, OTHER_NAME.format(port=f":{port}" if port else ""))


def check_origin(request: Request) -> None:
    """Raise 403 if another site sent a request that changes something."""
    if request.method in SAFE:
        return
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        allowed = site in ("same-origin", "none")
    else:
        origin = request.headers.get("origin")
        allowed = origin is None or (origin != "null" and urlsplit(origin).netloc == request.headers.get("host"))
    if not allowed:
        raise HTTPException(403, "This request comes from another site.")


def requires(role: Role) -> Callable[[Request], Coroutine[Any, Any, Person]]:
    """Return a dependency: the person who asks, with at least this role."""

    async def check(request: Request) -> Person:
        check_origin(request)
        known = request.app.state.people.none_lately and not ({"authorization", "cookie"} & set(request.headers))
        person = person_of(request) if known else await run_in_threadpool(person_of, request)  # asks the database
        if person is None:
            await run_in_threadpool(check_reachable, request)
            raise NotLoggedIn(request)
        if not person.may(role):
            raise HTTPException(403, f"This needs the role {role}; you are a {person.role}.")
        return person

    return check


class NotLoggedIn(HTTPException):
    """Nobody is logged in: a page leads to the log-in page, the API answers 401."""

    def __init__(self, request: Request) -> None:
        super().__init__(401, "Log in, or send a token.", {"WWW-Authenticate": "Bearer"})
        address = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        back = address if request.method in SAFE else "/"
        self.page = f"/login?to={quote(back, safe='')}"


def inside(address: str) -> str:
    """Return an address of this service to go to, or `/` if it leads elsewhere.

    >>> inside("/topics/a?b=1"), inside("//evil.example"), inside("https://evil.example"), inside("/\\\\evil")
    ('/topics/a?b=1', '/', '/', '/')
    >>> inside("//[")  # not an address at all
    '/'
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return "/"
    ours = not parts.scheme and not parts.netloc and address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if ours and address.isprintable() else "/"
