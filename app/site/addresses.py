"""The server's address: loopback by default, a free port, and a token where others can connect."""

from __future__ import annotations

import errno
import ipaddress
import re
import secrets
import socket
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from gpucore.errors import ParameterError

#: Number of ports that are tried after the requested one.
PORTS_TRIED = 50

#: Name that stands for any name of a host.
ANY_HOST = "*"

_PART = re.compile(r"[\w.~@%+=-]+", re.ASCII)
_ORIGIN = re.compile(r"https?://(?:\*\.)?[a-z0-9.-]+(?::\d{1,5})?/?", re.IGNORECASE)


@dataclass(frozen=True)
class Listener:
    """A bound, listening address.

    Attributes
    ----------
    sockets : list of socket.socket
        One socket for each address of the host.
    host : str
        Host as the user gave it.
    port : int
        The port in use, perhaps not the requested one.
    wanted : int
        The port the user asked for; 0 leaves the choice to the system.
    base_url : str
        Path of the pages, see :func:`base_path`.
    """

    sockets: list[socket.socket]
    host: str
    port: int
    wanted: int
    base_url: str = "/"

    @property
    def moved(self) -> bool:
        """Whether the requested port was busy and another one is used."""
        return self.wanted not in (0, self.port)

    def url(self, token: str = "") -> str:
        """Return the address to type into a browser, with the token if there is one."""
        name = self.host
        if name in ("", "*", "0.0.0.0", "::"):
            name = socket.gethostname()
        elif ":" in name:
            name = f"[{name}]"
        query = "?" + urlencode({"token": token}) if token else ""
        return f"http://{name}:{self.port}{self.base_url}{query}"


def is_loopback(host: str) -> bool:
    """Return whether a server on `host` is reachable from this computer only.

    Raises
    ------
    ParameterError
        `host` has no address.
    """
    if host in ("", "*"):
        return False
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        raise ParameterError(
            f"there is no host {host!r}; use 127.0.0.1, or 0.0.0.0 for all addresses"
        ) from None
    return all(ipaddress.ip_address(str(info[4][0])).is_loopback for info in found)


def token_for(host: str, token: str | None) -> str:
    """Return the token that visitors need: the given one, else a new one where others can connect.

    Raises
    ------
    ParameterError
        The token is empty and other computers can reach the server.
    """
    if is_loopback(host):
        return token or ""
    if token is None:
        return secrets.token_urlsafe(24)
    if not token:
        raise ParameterError(
            f"a server on {host} can be reached by others and needs a token; leave --token out "
            "to have one made"
        )
    return token


def base_path(text: str) -> str:
    """Return the path of the pages, with a slash at both ends.

    Raises
    ------
    ParameterError
        It is not a plain path.
    """
    parts = [part for part in text.split("/") if part]
    # A dot alone or two would be resolved by browsers; "@" and "~" are in the names of hubs' users.
    if any(not _PART.fullmatch(part) or set(part) == {"."} for part in parts) or "//" in text:
        raise ParameterError(
            f"{text[:80]!r} is no path of a site; use one such as /course/ or /user/ada/warplens/"
        )
    return "/" + "".join(f"{part}/" for part in parts)


def origin(text: str) -> str:
    """Return the origin of a site as the header ``Content-Security-Policy`` takes it.

    Raises
    ------
    ParameterError
        It is not a scheme and a host, perhaps with a port.
    """
    if not _ORIGIN.fullmatch(text) or not urlsplit(text).hostname:
        raise ParameterError(
            f"{text[:80]!r} is no origin; use scheme and host, such as https://example.org, or "
            "https://*.example.org for all hosts below one"
        )
    return text.rstrip("/").lower()


def listen(host: str, port: int, base_url: str = "/") -> Listener:
    """Bind the requested port or the next free one.

    The sockets are bound before anything is started or printed, so that no other program can
    take the port in between.

    Raises
    ------
    ParameterError
        No port can be bound, or the host is not an address of this computer.
    """
    from tornado.netutil import bind_sockets

    last = port + PORTS_TRIED if port else port
    for candidate in range(port, min(last, 65535) + 1):
        try:
            sockets = bind_sockets(candidate, "" if host == "*" else host)
        except OSError as error:
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                continue
            raise ParameterError(
                f"cannot listen on {host}: {error.strerror or error}; use an address of this "
                "computer"
            ) from None
        return Listener(sockets, host, sockets[0].getsockname()[1], port, base_url)
    raise ParameterError(
        f"the ports {port} to {min(last, 65535)} on {host} are busy or forbidden; "
        "choose another one with --port"
    )
