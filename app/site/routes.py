"""The routes of the server: which handler answers which address."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voila.paths import collect_static_paths

from ..play.policy import ENGINE, ENGINE_POLICY, PAGE
from . import assets
from .channels import ChannelsHandler
from .class_guard import ClassGuard
from .classes import routes as classroom_routes
from .files import FileHandler, StaticFiles
from .first_run import ADDRESS
from .handlers import (
    FarewellHandler,
    FirstRunHandler,
    GlossaryHandler,
    LandingHandler,
    NotFoundHandler,
    PageHandler,
    PlayHandler,
    StateHandler,
)
from .rates import Shares
from .replays import PART

if TYPE_CHECKING:
    from .server import WarplensServer

#: Requests of one address for pages: so many a second, after so many at once; more wait.
_PAGE_REQUESTS = (20, 200)

#: Bytes of files that one address may have, likewise; a page needs 2 to 6 MB once.
_FILE_BYTES = (50e6, 300e6)

_KERNEL = r"(?P<kernel_id>[0-9a-f-]{36})"


def routes_of(server: WarplensServer) -> list[Any]:
    """Return all routes."""
    settings = server.settings
    site = {
        "voila_configuration": server.voila_configuration,
        "access": server.access,
        "shares": Shares(*_PAGE_REQUESTS),
    }
    channels = {
        "upload_bytes": settings.websocket_bytes,
        "payload_bytes": settings.limits.payload_bytes,
    }
    files = {
        "files": _static_files(server),
        "access": server.access,
        "shares": Shares(*_FILE_BYTES),
        "headers": server.headers,
    }
    engine_headers = {**server.headers, "Content-Security-Policy": ENGINE_POLICY}
    page = {**site, "pages": server.pages}
    routes: list[tuple[Any, ...]] = [
        (r"", LandingHandler, {**page, "limits": settings.limits}),
        (r"glossary", GlossaryHandler, site),
        (r"(?P<path>[a-z0-9-]+)", PageHandler, {**page, "replays": server.replays}),
        (rf"api/kernels/{_KERNEL}", StateHandler),
        (rf"api/kernels/{_KERNEL}/channels", ChannelsHandler, channels),
        (rf"voila/api/shutdown/{_KERNEL}", FarewellHandler),
        (rf"voila/(templates/{assets.TEMPLATE}/static)/(.+)", FileHandler, files),
        (rf"({PART})/(.+)", FileHandler, files),
        (re.escape(ADDRESS), FirstRunHandler, {**site, "first_run": server.first_run}),
        (re.escape(PAGE), PlayHandler, {**site, "playground": server.playground}),
        (rf"({ENGINE})/(.+)", FileHandler, {**files, "headers": engine_headers}),
        (r"voila/(static|labextensions)/(.+)", FileHandler, files),
    ]
    if settings.classroom:
        guard = ClassGuard(server.rooms, server.access, server.class_sockets)
        routes = [*classroom_routes(server.rooms, guard), *routes]
    base = re.escape(server.base_url)
    below = [(base + route, *rest) for route, *rest in routes]
    return [*below, (r".*", NotFoundHandler, site)]


def _static_files(server: WarplensServer) -> StaticFiles:
    of_template = collect_static_paths(["voila", "nbconvert"], assets.TEMPLATE)
    return StaticFiles(
        {
            f"templates/{assets.TEMPLATE}/static": [Path(folder) for folder in of_template],
            PART: [server.replays.folder],
            ENGINE: [server.playground.files],
            "static": [Path(folder) for folder in server.static_paths],
            "labextensions": [Path(folder) for folder in server.labextensions_path],
        }
    )
