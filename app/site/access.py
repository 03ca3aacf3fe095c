"""Who may come in: the host name of a request, the token, and the cookie of a visitor.

Every request is checked here before any handler sees it, those for static files and websockets
too. Where other computers can connect, the first request needs the token, as ``?token=`` or as the
header ``Authorization: token``; the visitor gets a signed cookie for the rest. The token is then
removed from the address, so that no page process, no log and no copied link holds it.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
import secrets
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode
from weakref import WeakKeyDictionary

from jupyter_server.auth.identity import IdentityProvider, User
from tornado.httputil import HTTPServerRequest
from tornado.web import RequestHandler, create_signed_value, decode_signed_value

from .places import Visitor
from .rates import Buckets

_COOKIE_DAYS = 7
_AUTHORIZATION = re.compile(r"(?:token|bearer)\s+(\S+)", re.IGNORECASE)
#: Wrong tokens of one address: so many a second, after so many at once.
_WRONG_TOKENS = (0.1, 10)
#: Length from which on a token cannot be guessed.
_LONG_TOKEN = 16


class Refused(Exception):
    """A request that may not come in.

    Attributes
    ----------
    status : int
        HTTP status of the answer.
    reason : str
        ``"host"``, ``"missing"``, ``"wrong"`` or ``"often"``; the last three concern the token.
    """

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(status, reason)
        self.status, self.reason = status, reason


def network_of(text: str) -> str:
    """Return a visitor's network address; an IPv6 address stands for its network of 64 bits.

    Examples
    --------
    >>> network_of("2001:db8::1"), network_of("192.0.2.1")
    ('2001:db8::/64', '192.0.2.1')
    """
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return "unknown"
    if address.version == 6:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


@dataclass
class Access:
    """The rules of one server.

    Parameters
    ----------
    token : str
        What visitors need; empty if everyone who can connect may come in.
    port : int
        Part of the cookie's name: cookies do not distinguish the ports of a host.
    hosts : iterable of str, optional
        Host names that are answered, besides addresses of this computer; None answers to all.
    behind_proxy : bool
        Whether requests come from a reverse proxy, which adds the visitor's address.
    base_url : str
        Path of the pages, and of the cookie.
    embedded : bool
        Whether pages of other sites show these pages. Their browsers send a cookie only if it is
        marked so, and keep it only on an encrypted connection.
    open_to_all : callable
        Returns whether a request needs no token: a live class lets in who knows its code.
    """

    token: str = ""
    port: int = 0
    hosts: Iterable[str] | None = None
    behind_proxy: bool = False
    base_url: str = "/"
    embedded: bool = False
    open_to_all: Callable[[HTTPServerRequest], bool] = lambda request: False
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    def __post_init__(self) -> None:
        self._cookie = f"warplens-{self.port}"
        self._wrong = Buckets(*_WRONG_TOKENS)
        #: Names of new visitors, as long as their first request is answered.
        self._new: WeakKeyDictionary[HTTPServerRequest, str] = WeakKeyDictionary()

    # What a request shows

    def address_of(self, request: HTTPServerRequest) -> str:
        """Return the visitor's network address; an IPv6 address stands for its network."""
        text = request.remote_ip or ""
        if self.behind_proxy:
            # The proxy appends the address it saw; what is before it came from the visitor.
            text = request.headers.get("X-Forwarded-For", text).rpartition(",")[2].strip()
        return network_of(text)

    def name_of(self, request: HTTPServerRequest) -> str | None:
        """Return the visitor's identifier from the signed cookie, or None."""
        morsel = request.cookies.get(self._cookie)
        if morsel is None:
            return None
        found = decode_signed_value(
            self.secret, self._cookie, morsel.value, max_age_days=_COOKIE_DAYS
        )
        return found.decode("ascii", "replace") if found else None

    def visitor_of(self, request: HTTPServerRequest) -> Visitor:
        """Return who asks; a request without a cookie comes from a new visitor."""
        name = self.name_of(request) or self._new_name(request)
        return Visitor(name, self.address_of(request))

    def _new_name(self, request: HTTPServerRequest) -> str:
        """Return the name of a new visitor, which the cookie of the answer holds, too."""
        return self._new.setdefault(request, uuid.uuid4().hex)

    def given_token(self, request: HTTPServerRequest) -> str:
        """Return the token in the header or in the address; empty if there is none.

        The header comes first: a hub's proxy sets it, and the address may have the hub's own token.
        """
        found = _AUTHORIZATION.fullmatch(request.headers.get("Authorization", "").strip())
        if found:
            return found[1]
        values = request.query_arguments.get("token")
        return values[-1].decode("utf-8", "replace") if values else ""

    # The rules

    def check(self, request: HTTPServerRequest) -> None:
        """Let a request pass.

        Raises
        ------
        Refused
            The host is foreign, or the token is missing or wrong.
        """
        if not self._is_our_host(request):
            raise Refused(403, "host")
        if not self.token or self.name_of(request) is not None or self.open_to_all(request):
            return
        given = self.given_token(request)
        if not given:
            raise Refused(403, "missing")
        wrong = self._wrong[self.address_of(request)]
        right = hmac.compare_digest(given.encode(), self.token.encode())
        # A right token that is too long to be guessed passes, whatever others at the address sent.
        # A short one waits too: else it could be guessed at any speed.
        if right and len(self.token) >= _LONG_TOKEN:
            return
        if wrong.wait() > 0:
            raise Refused(429, "often")
        if not right:
            wrong.take()
            raise Refused(403, "wrong")

    def _is_our_host(self, request: HTTPServerRequest) -> bool:
        """Return whether a request was sent to a name of this server.

        Without this check a web page of a foreign host could reach a server on loopback: the host's
        name may point to 127.0.0.1 (DNS rebinding).
        """
        if self.hosts is None:
            return True
        host = re.sub(r":\d+$", "", request.host).lower()
        if host in self.hosts:
            return True
        try:
            return ipaddress.ip_address(host.strip("[]")).is_loopback
        except ValueError:
            return False

    # What a handler does for a visitor who came in

    def admit(self, handler: RequestHandler) -> None:
        """Give a visitor the cookie; remove a token from the address by a redirect."""
        request = handler.request
        if self.name_of(request) is None:
            self._set_cookie(handler)
        if "token" not in request.query_arguments:
            return
        rest = [(k, v) for k, v in parse_qsl(request.query, True) if k != "token"]
        # Without leading slashes but one: "//host" would be another host.
        path = "/" + request.path.lstrip("/\\")
        handler.redirect(path + ("?" + urlencode(rest, safe=":,=") if rest else ""))

    def _set_cookie(self, handler: RequestHandler) -> None:
        request = handler.request
        proxied = self.behind_proxy and request.headers.get("X-Forwarded-Proto") == "https"
        secure = proxied or request.protocol == "https"
        handler.set_cookie(
            self._cookie,
            create_signed_value(self.secret, self._cookie, self._new_name(request)),
            path=self.base_url,
            httponly=True,
            samesite="None" if self.embedded and secure else "Lax",
            secure=secure,
        )


class VisitorIdentity(IdentityProvider):
    """Says to Jupyter's handlers who asks. :class:`Access` has let the request pass before."""

    #: Set by the server.
    access: Access

    async def get_user(self, handler: RequestHandler) -> User | None:
        """Return the visitor of a request, or None."""
        try:
            self.access.check(handler.request)
        except Refused:
            return None
        return User(self.access.visitor_of(handler.request).name)

    @property
    def auth_enabled(self) -> bool:
        """Whether visitors log in at a form of Jupyter's: never."""
        return False

    @property
    def login_available(self) -> bool:
        """Whether there is a page to log in: the page of a refused request asks for the token."""
        return False


__all__ = ["Access", "Refused", "VisitorIdentity", "network_of"]
