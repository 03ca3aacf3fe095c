"""Pictures of what 32 lanes did, as HTML that fits a light and a dark notebook."""

from __future__ import annotations

from gpucore.format import counted

from .trace import LANES, Request

#: Distinguishable with colour blindness, and visible on white and on black.
COLOURS = ("#3d8fd1", "#d98a1c", "#1f9e7a", "#c0679f", "#8c7ae6", "#a58a2b")

#: Largest number of sectors drawn under the lanes.
MOST_SECTORS = 64

_CELL, _GAP = 13, 2
_WIDTH = LANES * (_CELL + _GAP)

_STYLE = """<style>
.ws-lab { font: 13px/1.45 system-ui, sans-serif; max-width: 860px; overflow-x: auto;
  color: var(--jp-content-font-color1, currentColor); }
.ws-lab .ws-step { border-top: 1px solid color-mix(in srgb, currentColor 16%, transparent);
  padding: 8px 0 6px; }
.ws-lab code { background: none; color: inherit; font-size: 12.5px; white-space: pre; }
.ws-lab .ws-line { opacity: .55; display: inline-block; min-width: 3ch; }
.ws-lab .ws-note { opacity: .75; }
.ws-lab .ws-row { display: flex; flex-wrap: wrap; gap: 2px 14px; align-items: center;
  margin: 5px 0 0; }
.ws-lab svg { display: block; flex: none; }
.ws-lab .ws-verdict { border-left: 4px solid; border-radius: 3px; padding: 8px 12px;
  margin: 4px 0; background: color-mix(in srgb, currentColor 5%, transparent); }
</style>"""


def wrap(body: str) -> str:
    """Return HTML with the labs' style."""
    return f'{_STYLE}<div class="ws-lab">{body}</div>'


def lane_strip(active: tuple[bool, ...], colours: list[str] | None = None) -> str:
    """Return the lanes as an SVG: filled is active.

    Examples
    --------
    >>> lane_strip((True,) * 32).count("<rect")
    32
    """
    cells = []
    for lane, on in enumerate(active):
        colour = colours[lane] if colours else COLOURS[0]
        paint = (
            f'fill="{colour}"' if on else 'fill="none" stroke="currentColor" stroke-opacity=".3"'
        )
        title = f"lane {lane}: {'active' if on else 'waits'}"
        cells.append(
            f'<rect x="{lane * (_CELL + _GAP) + 1}" y="1" width="{_CELL}" height="{_CELL}" '
            f'rx="3" {paint}><title>{title}</title></rect>'
        )
    label = f"{sum(active)} of {len(active)} lanes active"
    return (
        f'<svg role="img" aria-label="{label}" width="{_WIDTH + 2}" height="{_CELL + 2}">'
        f"{''.join(cells)}</svg>"
    )


def memory_strip(request: Request) -> str:
    """Return the 32-byte sectors from the first to the last that was touched, as an SVG."""
    touched = request.sectors
    first = touched[0]
    span = touched[-1] - first + 1
    shown = min(span, MOST_SECTORS)
    width = _WIDTH / max(shown, 16)
    cells = []
    for place in range(shown):
        sector = first + place
        on = sector in touched
        paint = f'fill="{sector_colour(sector)}"' if on else 'fill="currentColor" opacity=".12"'
        cells.append(
            f'<rect x="{place * width + 1:.1f}" y="1" width="{width - 1.5:.1f}" height="6" '
            f"{paint}><title>bytes {sector * 32} to {sector * 32 + 31}</title></rect>"
        )
    label = f"{len(touched)} sectors touched"
    return (
        f'<svg role="img" aria-label="{label}" width="{_WIDTH + 2}" height="8">'
        f"{''.join(cells)}</svg>"
    )


def sector_colour(sector: int) -> str:
    """Return a sector's colour; neighbours differ."""
    return COLOURS[sector % len(COLOURS)]


def say(request: Request) -> str:
    """Return a request in words."""
    lanes = counted(request.lanes, "lane")
    if request.space == "shared":
        return f"{lanes}, shared memory"
    if not request.space:
        return lanes
    count, ideal = len(request.sectors), request.ideal_sectors
    sectors = counted(count, "sector")
    if count > ideal:
        return f"{request.kind}: {lanes}, {sectors}; {ideal} would do"
    return f"{request.kind}: {lanes}, {sectors}"


def request_picture(request: Request) -> str:
    """Return one request: lanes coloured by the sector they touch, and the sectors."""
    if request.space != "global":
        return f'<div class="ws-row">{lane_strip(request.active)}<span>{say(request)}</span></div>'
    colours = [sector_colour(max(0, int(offset)) // 32) for offset in request.offsets]
    strips = lane_strip(request.active, colours) + memory_strip(request)
    return f'<div class="ws-row"><div>{strips}</div><span>{say(request)}</span></div>'


class Picture:
    """HTML that a notebook shows."""

    def __init__(self, html: str) -> None:
        self.html = html

    def _repr_html_(self) -> str:
        return self.html
