"""Words of the glossary in a notebook: a line of terms that explain themselves."""

from __future__ import annotations

from pathlib import Path

from warplens.app.glossary import explained, lookup

from .pictures import Picture, wrap


def words(*names: str) -> Picture:
    """Return terms; each shows its meaning under the pointer and with the keyboard's focus.

    Examples
    --------
    >>> words("warp", "lane").html.count("aria-describedby")
    2
    """
    import warplens.app.site as site

    style = (Path(site.__file__).parent / "template/static/glossary.css").read_text("utf-8")
    line = " · ".join(explained(term, term.term) for term in lookup(names))
    # Room below, so that a meaning is not cut off by the edge of the cell's output.
    room = "min-height: 110px; overflow: visible"
    return Picture(f"<style>{style}</style>" + wrap(f'<p style="{room}">Words: {line}</p>'))
