"""Records that play on a static page: a saved record carries what a page needs, a page opens it.

A static page cannot compute a replay from a record: that is work of Python. So a record that is
saved on a dashboard has one more part, :data:`PART`, which readers of records pass over: the pieces
of its page. The page of :func:`drop_page` reads that part in the browser, and nothing is sent.

The pieces are HTML with scripts, and a record may come from anyone. So they are shown in a frame
without an origin, whose policy lets nothing in or out.
"""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from string import Template

from gpucore.record.storage import BESIDE

from .page import Files, filled, head_of, inside, parts_of, top_of
from .replays import Replay

#: The part of a record's file that holds its page.
PART = f"{BESIDE}parts.json"
#: Stands in the shell for a piece of the page.
_PLACE = "\u241e{}\u241e"
_PIECES = ("title", "look", "coded", "wide", "results", "made", "data", "packed")
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:; connect-src data: blob:"
)
#: At the head of the frame; the page around it has the name already.
_LIMITED = (
    f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    "<style>.ws-top .ws-brand { visibility: hidden; }</style>"
)
_SCRIPT = Path(__file__).with_name("drop.js")
_PAGE = Template("""<body class="ws-page">
$top<main class="pub" id="content" tabindex="-1">
<div class="pub-head"><h1>Play a record</h1>
<p>A record that was saved on a dashboard (the button “Record” below the player) plays here. It
stays in this browser: nothing is sent.</p></div>
<label class="ws-card pub-drop" id="drop"><b>Drop a record here, or choose one</b>
<span>a file that ends in .npz</span><input type="file" id="file" accept=".npz"></label>
<p class="pub-said" id="said" role="status"></p>
<iframe id="shown" class="pub-shown" title="the record" sandbox="allow-scripts" hidden></iframe>
</main>
<script type="application/json" id="shell" data-part="$part">$shell</script>
<script>
$script</script>
</body>
</html>
""")


def with_page(record: bytes, replay: Replay) -> bytes:
    """Return the bytes of a record's file with the part that a static page plays."""
    file = io.BytesIO(record)
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        part = zipfile.ZipInfo(PART)  # without a date: equal records make equal files
        part.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(part, json.dumps(parts_of(replay)))
    return file.getvalue()


def drop_page(families: tuple[str, ...], files: Files) -> str:
    """Return the HTML of the page that plays records of a visitor.

    Parameters
    ----------
    families : tuple of str
        Families whose records it can play.
    files : Files
        Where its own styles are. What plays a record is inside of the page: the frame can load
        nothing.
    """
    shell = filled({name: _PLACE.format(name) for name in _PIECES}, inside(families, charts=True))
    shell = shell.replace("<head>", f"<head>\n{_LIMITED}", 1)
    return head_of("Play a record", files) + _PAGE.substitute(
        top=top_of(files),
        part=PART,
        shell=json.dumps(shell).replace("<", "\\u003c"),
        script=_SCRIPT.read_text(encoding="utf-8"),
    )
