"""A replay as one HTML file that plays without a server, and without a network."""

from __future__ import annotations

import base64
import html

from gpucore.record.wire import decode

from ... import theme
from ..bundle import bundle, style
from . import ENTRY, STYLE

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{switch_style}
:root {{ font: 14px/1.5 system-ui, sans-serif; }}
body {{ margin: 0 auto; max-width: 1180px; padding: 20px; background: Canvas; color: CanvasText; }}
header {{ display: flex; justify-content: space-between; gap: 12px; margin: 0 0 12px; }}
h1 {{ font-size: 20px; margin: 0; }}
{style}
</style>
<script>
{switch}
</script>
</head>
<body>
<header><h1>{title}</h1><div class="ws-theme" role="group" aria-label="Colours"></div></header>
<div id="player"></div>
<script type="text/plain" id="packed">{payload}</script>
<script>
{script}
// The text leaves the page once it is unpacked, and is unpacked in pieces: whole, it would take
// several times the replay's memory.
const unpack = (holder) => {{
  const text = holder.textContent;
  holder.remove();
  const filled = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - filled);
  const piece = 1 << 16;
  for (let at = 0; at < text.length; at += piece) {{
    const letters = atob(text.slice(at, at + piece));
    const place = (at / 4) * 3;
    for (let i = 0; i < letters.length; ++i) bytes[place + i] = letters.charCodeAt(i);
  }}
  return bytes;
}};
const values = {{
  payload: unpack(document.getElementById("packed")),
  position: {position},
  cursors: [],
}};
const model = {{
  get: (name) => values[name],
  set: (name, value) => {{ values[name] = value; }},
  save_changes() {{}},
  on() {{}},
  off() {{}},
}};
entry.render({{ model, el: document.getElementById("player") }});
</script>
</body>
</html>
"""


def player_page(payload: bytes, *, title: str = "Warpscope replay", position: int = 0) -> str:
    """Return a page that plays a payload.

    Parameters
    ----------
    payload : bytes
        From :func:`app.widgets.player_payload`.
    title : str
        The page's heading.
    position : int
        First position of the replay.

    Returns
    -------
    str
        HTML, four thirds of the payload's size and about 60 kB.
    """
    meta, _ = decode(payload)
    families = (meta["family"],)
    return _PAGE.format(
        title=html.escape(title),
        style=style((STYLE,), families),
        switch=(theme.FOLDER / "theme.js").read_text(encoding="utf-8"),
        switch_style=(theme.FOLDER / "theme.css").read_text(encoding="utf-8"),
        script=bundle(ENTRY, families).replace("</script", "<\\/script"),
        payload=base64.b64encode(payload).decode(),
        position=int(position),
    )
