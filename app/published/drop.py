"""Records that play on a static page: a saved record carries what a page needs, a page opens it.

A static page cannot compute a replay from a record: that is work of Python. So a record that is
saved on a dashboard has one more part, :data:`PART`, which readers of records pass over: the pieces
of its page. The page of :func:`drop_page` reads that part in the browser, and nothing is sent.

A record may come from anyone, and its pieces are HTML. So a frame without an origin shows them.
The frame begins as an empty page of ours. It receives the pieces as a message, takes text and plain
elements from them (``received.js``), and its policy runs no script but ours. It can load nothing
and go nowhere: the policy of the page around it allows no address to a frame.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path
from string import Template

from gpucore.record.storage import BESIDE

from .page import Files, filled, frame_script, hash_of, head_of, inside, parts_of, top_of
from .replays import Replay

#: The part of a record's file that holds its page.
PART = f"{BESIDE}parts.json"
_PIECES = ("title", "look", "coded", "wide", "results", "made", "data", "packed")
#: Of the frame: its own scripts run, by their hashes, and nothing is loaded, sent or opened.
_POLICY = (
    "default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; img-src data: blob:; "
    "font-src data:; base-uri 'none'; form-action 'none'"
)
#: Of the page around it: no frame goes anywhere, whatever is in it.
_AROUND = (
    "<meta http-equiv=\"Content-Security-Policy\" content=\"frame-src 'none'; object-src 'none'; "
    "connect-src 'none'; base-uri 'none'; form-action 'none'\">"
)
#: The page around the frame has the name already.
_LIMITED = (
    '<meta http-equiv="Content-Security-Policy" content="{policy}">'
    "<style>.ws-top .ws-brand {{ visibility: hidden; }}</style>"
)
_SCRIPT = Path(__file__).with_name("drop.js")
_PAGE = Template("""<body class="ws-page">
$top<main class="pub" id="content" tabindex="-1">
<div class="pub-head"><h1>Play a record</h1>
<p>A record that was saved on a dashboard (the button “Save record” below the player) plays here. It
stays in this browser: nothing is sent.</p></div>
<label class="ws-card pub-drop" id="drop"><b>Drop a record here, or choose one</b>
<span>a file that ends in .npz</span><input type="file" id="file" accept=".npz"></label>
<p class="pub-said" id="said" role="status"></p>
<iframe id="shown" class="pub-shown" title="the record" sandbox="allow-scripts" hidden></iframe>
</main>
<script type="application/json" id="shell" data-part="$part" data-names="$names">$shell</script>
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
    around = head_of("Play a record", files).replace("<head>", f"<head>\n{_AROUND}", 1)
    return around + _PAGE.substitute(
        top=top_of(files),
        part=PART,
        names=" ".join(_PIECES),
        shell=json.dumps(_shell(families)).replace("<", "\\u003c"),
        script=_SCRIPT.read_text(encoding="utf-8"),
    )


def _shell(families: tuple[str, ...]) -> str:
    """Return the page in the frame, which holds nothing of a record."""
    own = inside(families, charts=True, script=frame_script(families))
    page = filled(dict.fromkeys(_PIECES, ""), own)
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    policy = _POLICY.format(scripts=" ".join(map(hash_of, scripts)))
    return page.replace("<head>", f"<head>\n{_LIMITED.format(policy=policy)}", 1)
