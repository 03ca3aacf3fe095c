"""The directive ``played``: a record of the gallery that plays inside a page.

The pages of records are those of ``warplens site``; they are written beside the documentation.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlencode

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from warplens.app.gallery import entries
from warplens.app.limits import PageLimits
from warplens.app.published.folder import write_site

#: Folder of the records' pages, below the documentation.
FOLDER = "records"


class Played(SphinxDirective):
    """Shows a record: the argument is its name in the gallery, the options are its address's."""

    required_arguments = 1
    option_spec: ClassVar = {
        "step": directives.nonnegative_int,
        "from": directives.nonnegative_int,
        "to": directives.nonnegative_int,
        "controls": directives.nonnegative_int,
        "height": directives.nonnegative_int,
    }

    def run(self) -> list[nodes.Node]:
        """Return the frame, and a link to the record's own page."""
        name = self.arguments[0]
        if name not in entries():
            raise self.error(f"the gallery has no record {name!r}")
        records_of(self.env).setdefault(self.env.docname, set()).add(name)
        entry = entries()[name]
        options = dict(self.options)
        height = options.pop("height", 640 if options.get("controls") == 0 else 900)
        # Without controls a picture would stand still, so it plays, again and again.
        moving = {"play": 1, "loop": 1} if options.get("controls") == 0 else {}
        page = "../" * self.env.docname.count("/") + f"{FOLDER}/{name}.html"
        source = page + ("?" + urlencode(options | moving) if options or moving else "")
        title = escape(entry.title)
        html = (
            f'<figure class="ws-played"><iframe src="{escape(source)}" title="{title}"'
            f' style="height: {height}px" loading="lazy" allowfullscreen></iframe>'
            f'<figcaption><a href="{page}">{title}</a>: {entry.events:,} events, recorded on '
            f"{escape(entry.where)}.</figcaption></figure>"
        )
        return [nodes.raw("", html, format="html")]


def records_of(env: Any) -> dict[str, set[str]]:
    """Return the records that pages show, by page; kept between builds."""
    if not hasattr(env, "ws_records"):
        env.ws_records = {}
    found: dict[str, set[str]] = env.ws_records
    return found


def _forget(app: Sphinx, env: Any, docname: str) -> None:
    records_of(env).pop(docname, None)


def _write(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.format != "html":
        return
    names = sorted(set().union(*records_of(app.env).values()))
    write_site(Path(app.outdir) / FOLDER, PageLimits(), names)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("played", Played)
    app.connect("env-purge-doc", _forget)
    app.connect("build-finished", _write)
    return {"parallel_read_safe": False}
