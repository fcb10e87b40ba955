"""The network address that a feed's host may be contacted at: never one of the own machine or network.

The name is resolved once, all its addresses are checked, and the connection goes to a checked address. A name that
means another address a moment later therefore gains nothing.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import threading
from urllib.parse import SplitResult, urlsplit

from bayesift.filtering.feeds.limits import SourceFailed

PORTS = {"http": 80, "https": 443}
LOGIN = re.compile(r"(?<=://)[^/?#\s]*@")
ANY_LOGIN = re.compile(r"(?<=://).*@", re.DOTALL)


def without_login(address: str) -> str:
    """Return an address without user name and password; also one that is not a URL, such as a folder.

    >>> [without_login(one) for one in ("https://me:secret@example.org/feed", "https://me:a@b@[/", "/mail/a@b")]
    ['https://example.org/feed', 'https://[/', '/mail/a@b']
    """
    return LOGIN.sub("", address)


def split_url(url: str, name: str | None = None) -> SplitResult:
    """Return the parts of an http or https URL; raise `SourceFailed`, with this name, if it is not one.

    >>> split_url("https://example.org/feed.xml").hostname
    'example.org'
    """
    wrong = "is not an http or https URL"
    try:
        parts = urlsplit(url)
        if parts.scheme in PORTS and parts.hostname and not any(ord(c) <= 32 or ord(c) == 127 for c in url):
            wrong = "has no port from 1 to 65535"
            if parts.port is None or parts.port > 0:
                return parts
    except ValueError:  # an invalid IPv6 address or port
        pass
    shown = ANY_LOGIN.sub("", name or url)  # a password with / or # is not where a URL has one
    raise SourceFailed(wrong, path=shown, remedy="check the address; in a password, write / as %2F and # as %23")


def address_of(parts: SplitResult, url: str, *, private: bool, seconds: float) -> str:
    """Return an address of the host that may be contacted.

    Raises
    ------
    SourceFailed
        If the name is unknown, cannot be resolved in time, or has a private address that is not allowed.
    """
    host, port = str(parts.hostname), parts.port or PORTS[parts.scheme]
    found = _resolved(host, port, url, seconds)
    if not private:
        for address in found:
            _check_public(host, address, url)
    return found[0]


def check_written(parts: SplitResult, url: str) -> None:
    """Raise `SourceFailed` if a URL names a private address as a number, or localhost; other names are not looked up.

    >>> check_written(split_url("https://example.org/hook"), "https://example.org/hook")
    """
    host = str(parts.hostname)
    if number := _number(host):
        _check_public(host, number, url)


def _number(host: str) -> str:
    """Return the address that a host is written as, in any of the forms that the system takes; "" for a name."""
    if host == "localhost" or host.endswith(".localhost"):
        return "127.0.0.1"
    try:
        return str(socket.getaddrinfo(host, None, flags=socket.AI_NUMERICHOST)[0][4][0])
    except (OSError, UnicodeError):
        return ""


def _check_public(host: str, address: str, url: str) -> None:
    if not is_public(address):
        raise SourceFailed(
            f"{host} has the private address {address}, which is not contacted",
            path=url,
            remedy="allow it with --allow-private if it is yours",
        )


def is_public(address: str) -> bool:
    """Return whether an address is one of the public internet.

    >>> [is_public(a) for a in ("93.184.215.14", "127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.1")]
    [True, False, False, False, False, False]
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo and found.teredo[1])
        if inner or found in ipaddress.ip_network("64:ff9b::/96"):  # an IPv4 address in disguise
            return is_public(str(inner or ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)))
    return found.is_global and not found.is_multicast


def _resolved(host: str, port: int, url: str, seconds: float) -> list[str]:
    """Return the addresses of a host; the system's own resolver has no time limit, so a thread asks it."""
    result: list[list[str] | Exception] = []

    def ask() -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            result.append(list(dict.fromkeys(str(entry[4][0]) for entry in found)))
        except (OSError, UnicodeError) as error:  # UnicodeError: an invalid international name
            result.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(max(seconds, 0.0))
    if not result:
        raise SourceFailed(f"the address of {host} was not found in time", path=url, remedy="check the network")
    if isinstance(result[0], Exception) or not result[0]:
        raise SourceFailed(f"there is no host {host}", path=url, remedy="check the address and the network")
    return result[0]
