"""``warplens serve``: the dashboards in the browser."""

from __future__ import annotations

import os
import sys
import webbrowser
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Annotated

import typer
from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from gpucore.cli.fields import options_from
from gpucore.errors import ParameterError

from ..classroom.rooms import MOST_STUDENTS, STUDENTS_OF_ADDRESS
from ..installed import check_installed
from ..limits import MEBIBYTE, PageLimits
from .addresses import ANY_HOST, Listener, base_path, listen, origin, token_for
from .ahead import can_compile, compiling_ahead
from .background import server_folder
from .first_run import FirstRun

_DEFAULT = PageLimits()


@dataclass(frozen=True)
class ServeOptions:
    """Options of ``warplens serve``."""

    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 lets other computers connect.")
    ] = "127.0.0.1"
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port; the next free one if it is busy.")
    ] = 8866
    browser: Annotated[
        bool | None,
        typer.Option(
            "--browser/--no-browser", help="Open a browser; by default where there is a screen."
        ),
    ] = None
    token: Annotated[
        str | None,
        typer.Option(
            envvar="WARPLENS_TOKEN",
            show_envvar=True,
            help="Token a visitor needs; made automatically if other computers can connect.",
        ),
    ] = None
    pool: Annotated[
        int,
        typer.Option(
            min=0,
            max=16,
            help="Page processes kept warm, so that a page opens at once (about 100 MB each): one "
            "for every dashboard in turn.",
        ),
    ] = 3
    warm: Annotated[
        bool,
        typer.Option(
            "--warm/--no-warm",
            help="Compile the kernels for this computer's GPU in the background, as "
            "`warplens warm` does, so that no page waits for them.",
        ),
    ] = True
    max_pages: Annotated[
        int, typer.Option(min=1, help="Pages open at the same time (about 100 MB each).")
    ] = 16
    pages_per_visitor: Annotated[
        int | None, typer.Option(min=1, help="Pages of one visitor.", show_default="half of them")
    ] = None
    pages_per_address: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Pages of one network address; a class often shares one.",
            show_default="three quarters of them",
        ),
    ] = None
    cpu_minutes_per_visitor: Annotated[
        float,
        typer.Option(
            min=0.1,
            help="Processor time in an hour, in minutes, that all pages of one visitor use before "
            "they give way to the pages of others.",
        ),
    ] = 10
    idle_minutes: Annotated[
        float, typer.Option(min=1, help="Minutes an open page may lie unused.")
    ] = 120
    lost_minutes: Annotated[
        float, typer.Option(min=0.1, help="Minutes a page that lost its browser is kept.")
    ] = 2
    upload_mb: Annotated[
        int, typer.Option(min=1, max=1024, help="Largest file that can be uploaded, in MiB.")
    ] = _DEFAULT.upload_bytes // MEBIBYTE
    run_seconds: Annotated[int, typer.Option(min=1, help="Longest run on a page, in seconds.")] = (
        _DEFAULT.run_seconds
    )
    page_memory_mb: Annotated[
        int, typer.Option(min=1024, help="Memory of one page process, in MiB.")
    ] = _DEFAULT.process_bytes // MEBIBYTE
    page_cpu_minutes: Annotated[
        int, typer.Option(min=1, help="Processor time of one page process, in minutes.")
    ] = _DEFAULT.process_seconds // 60
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            help="Public name by which a reverse proxy on this computer is called, or * for any "
            "name, if there is a token. The proxy must append the visitor's address to "
            "X-Forwarded-For."
        ),
    ] = None
    base_url: Annotated[
        str,
        typer.Option(
            help="Path below which the pages are, as in /course/; a proxy must not remove it."
        ),
    ] = "/"
    allow_embed: Annotated[
        list[str] | None,
        typer.Option(
            help="Origin, as in https://example.org, whose pages may show these pages in a frame; "
            "repeat it for several. By default no other site may."
        ),
    ] = None
    classroom: Annotated[
        bool,
        typer.Option(
            help="Let a page lead a live class: students follow its replay in their own browsers, "
            "without a process each, and answer its questions."
        ),
    ] = False
    students_per_address: Annotated[
        int,
        typer.Option(
            min=1,
            max=MOST_STUDENTS,
            help="Students of one network address in a live class; raise it for a larger class "
            "behind one address.",
        ),
    ] = STUDENTS_OF_ADDRESS
    static_pages: Annotated[
        bool,
        typer.Option(
            help="Write the gallery as static pages when a visitor first finds no place, and offer "
            "them to who waits; it takes one core a minute."
        ),
    ] = True
    verbose: Annotated[bool, typer.Option(help="Log everything.")] = False

    def limits(self) -> PageLimits:
        """Return the limits of a page."""
        return PageLimits(
            upload_bytes=self.upload_mb * MEBIBYTE,
            run_seconds=self.run_seconds,
            process_bytes=self.page_memory_mb * MEBIBYTE,
            process_seconds=self.page_cpu_minutes * 60,
        )


@options_from(ServeOptions)
def serve(options: ServeOptions) -> None:
    """Serve the dashboards on this computer and print their address.

    Only this computer can open them, unless --host says otherwise; then a visitor needs the token
    that is part of the printed address.

    Each open page is a process. For a public server, put a reverse proxy in front that passes
    websockets on, name it with --allow-host, and choose --max-pages by the available memory;
    further visitors wait in a queue. SECURITY.md says what the server promises.
    """
    console = Console()
    check_installed()
    base, embedders = base_path(options.base_url), tuple(map(origin, options.allow_embed or ()))
    wanted = token_for(options.host, options.token)
    names = tuple(options.allow_host or ())
    if not all(name.strip() for name in names):
        raise ParameterError("--allow-host is empty; name the host as visitors do")
    if ANY_HOST in names and not wanted:
        raise ParameterError("--allow-host '*' lets any web page in; choose a --token with it")
    listener = listen(options.host, options.port, base)
    # Page processes inherit the environment; they must not have the token.
    os.environ.pop("WARPLENS_TOKEN", None)

    first_run = FirstRun(server_folder())
    first_run.prepare()  # beside the imports of the server, which take as long
    leave_out_grammars()
    from .server import run
    from .settings import Settings

    settings = Settings(
        pool=options.pool,
        max_pages=options.max_pages,
        pages_per_visitor=options.pages_per_visitor or 0,
        pages_per_address=options.pages_per_address or 0,
        seconds_per_visitor=options.cpu_minutes_per_visitor * 60,
        disconnected_timeout=round(options.lost_minutes * 60),
        connected_timeout=round(options.idle_minutes * 60),
        token=wanted,
        allowed_hosts=names,
        base_url=base,
        embedders=embedders,
        classroom=options.classroom,
        students_per_address=options.students_per_address,
        static_pages=options.static_pages,
        verbose=options.verbose,
        limits=options.limits(),
    )

    def ready() -> None:
        announce(console, listener, wanted)
        if has_screen() if options.browser is None else options.browser:
            webbrowser.open(listener.url(wanted))

    with compiling_ahead() if options.warm and can_compile() else nullcontext():
        run(settings, listener, ready, first_run)
    console.print("Stopped.")


def has_screen() -> bool:
    """Return whether a browser can be opened here: not through ssh, and with a display."""
    if "SSH_CONNECTION" in os.environ:
        return False
    if sys.platform.startswith("linux"):
        return any(name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    return True


def announce(console: Console, listener: Listener, token: str) -> None:
    """Print the address, and warn if the port or the access is unusual."""
    if listener.moved:
        console.print(f"Port {listener.wanted} is busy, port {listener.port} is used instead.")
    url = listener.url(token)
    text = Text(url, style=f"bold link {url}")
    console.print(Panel.fit(text, title="Warplens", subtitle="Ctrl-C stops it", padding=(1, 3)))
    # Again as plain text: a frame breaks long addresses in narrow terminals.
    console.print(f"Open {url}", soft_wrap=True, highlight=False)
    if token:
        console.print("Anyone who knows this address can use the pages.")


def leave_out_grammars() -> None:
    """Keep jsonschema from compiling the grammars of IRIs: it takes longer than all other imports.

    The server validates none, and without the module jsonschema leaves out that format.
    """
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
