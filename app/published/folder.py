"""A folder of static pages: the gallery, comparisons of its runs, and an index."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import islice
from pathlib import Path
from string import Template

from gpucore.errors import ParameterError
from gpucore.format import counted
from gpucore.record import Record
from gpucore.saving import make_directory, replacing

from ..gallery import Entry, entries
from ..limits import PageLimits
from ..pages import find_pages
from ..stories.library import Shipped, first_story
from ..stories.library import stories as all_stories
from .drop import drop_page
from .page import Files, beside, head_of, page_of, shared_files, top_of
from .replays import MOST_TOGETHER, comparison_of, replay_of

#: What helps if the folder cannot be written to.
FIX = "name another folder for the site"
#: Folder of the scripts and styles that all pages share.
ASSETS = "assets"
INDEX = "index.html"
#: Page that plays a visitor's own record.
DROP = "drop.html"
#: Heading of the stories, the first part of the index.
STORIES = "Stories"
#: Heading of the runs side by side.
COMPARED = "Compare"
_FOLDED = Template(
    '<details class="ws-more"><summary>$heading ($count)</summary><div>$cards</div></details>'
)

_INDEX = Template("""<body class="ws-page ws-home">
$top<main id="content" tabindex="-1">
<section class="ws-hero ws-short"><h1>See how GPU graph algorithms work</h1>
<p>Recorded runs of real kernels: every warp is recorded, every result is checked by independent
code, and each record plays in your browser, forwards and backwards. Nothing is installed, nothing
is sent.</p></section>
<iframe class="ws-first" src="$first.html?controls=0&amp;play=1&amp;loop=1"
 title="A recorded run that plays"></iframe>
<p class="ws-next">$next</p>
<section class="ws-gallery">$cards</section>
<p>Have a record of your own? <a href="$drop">Play it here</a>; it stays in your browser.</p>
</main>
</body>
</html>
""")


@dataclass(frozen=True)
class Written:
    """One page of a site.

    Attributes
    ----------
    name, title, look, note, heading : str
        File without its ending, display texts, and the part of the index that lists it.
    size : int
        Bytes.
    """

    name: str
    title: str
    look: str
    note: str
    heading: str
    size: int = 0


def write_site(
    folder: Path,
    limits: PageLimits,
    names: Iterable[str] = (),
    progress: Callable[[str, int, int], None] = lambda phase, done, total: None,
    *,
    stories: bool = True,
    playground: str = "",
) -> list[Written]:
    """Write a folder of pages that any web server, or none, can serve.

    Parameters
    ----------
    folder : Path
        New, empty, or an earlier site; pages of the same name are replaced.
    limits : PageLimits
        Bounds graphs and messages to the browser.
    names : iterable of str
        Records of the gallery; all of them if empty.
    progress : callable
        ``progress(page, done, total)``.
    stories : bool
        Whether the stories about these records are pages, too.
    playground : str
        Address of the playground, which the index names first; empty if it is not on the site.

    Returns
    -------
    list of Written
        All pages but the index and the page for a visitor's own records.

    Raises
    ------
    ParameterError
        The folder cannot be written to, holds other files, or there is no such record.
    """
    chosen = _chosen(list(names))
    _check(folder)
    groups = _comparable(chosen)
    pages: list[Written] = []
    with_stories = _stories_about(chosen) if stories else []
    total = len(chosen) + len(groups) + len(with_stories)
    families = tuple(dict.fromkeys(entry.family for entry in chosen))
    files = beside(ASSETS, INDEX, playground)
    make_directory(folder / ASSETS, ParameterError, FIX)
    for name, text in shared_files(families).items():
        _save(folder / ASSETS / name, text)
    for entry in chosen:
        progress(entry.title, len(pages), total)
        pages.append(_write_record(folder, entry, limits, files))
    for group in groups:
        progress(" and ".join(entry.title for entry in group), len(pages), total)
        pages.append(_write_comparison(folder, group, limits, files))
    for one in with_stories:
        progress(one.story.title, len(pages), total)
        pages.append(_write_story(folder, one, limits, files))
    _save(folder / DROP, drop_page(families, files))
    _save(folder / INDEX, _index(pages, playground))
    return pages


def _chosen(names: Sequence[str]) -> list[Entry]:
    known = entries()
    for name in names:
        if name not in known:
            raise ParameterError(
                f"the gallery has no record {name[:60]!r}; it has {', '.join(known)}"
            )
    return [known[name] for name in names or known]


def _stories_about(chosen: Sequence[Entry]) -> list[Shipped]:
    """Return the stories about some records; a story about a run of its own needs the dashboard."""
    names = {entry.name for entry in chosen}
    found = [one for one in all_stories().values() if one.story.record in names]
    return sorted(found, key=lambda one: not one.story.first)


def _check(folder: Path) -> None:
    """Refuse a folder that holds something else than a site."""
    if folder.is_dir() and any(folder.iterdir()) and not (folder / ASSETS).is_dir():
        raise ParameterError(f"{folder} holds other files; {FIX}")


def _comparable(chosen: Sequence[Entry]) -> list[list[Entry]]:
    """Return the records that are runs on one graph, in groups that fit on one page."""
    groups: dict[tuple[str, str], list[Entry]] = {}
    for entry in chosen:
        fingerprint = entry.record().header["graph"]["fingerprint"]
        groups.setdefault((entry.family, fingerprint), []).append(entry)
    return [list(islice(group, MOST_TOGETHER)) for group in groups.values() if len(group) > 1]


def _write_record(folder: Path, entry: Entry, limits: PageLimits, files: Files) -> Written:
    replay = replay_of(entry.record(), limits, title=entry.title, look=entry.look)
    heading = next(page.title for page in find_pages().values() if page.family == entry.family)
    note = f"{counted(replay.events, 'event')}, on {entry.where}"
    page = Written(entry.name, entry.title, entry.look, note, heading)
    return _write(folder, page, page_of(replay, files))


def _write_comparison(
    folder: Path, group: Sequence[Entry], limits: PageLimits, files: Files
) -> Written:
    records: list[Record] = [entry.record() for entry in group]
    titles = [f"{entry.title} (on {entry.where})" for entry in group]
    replay = comparison_of(records, limits, titles=titles)
    graph = records[0].header["graph"]["name"]
    title = f"{graph}: {len(group)} runs on one clock"
    page = Written("together-" + group[0].name, title, "; ".join(titles), "compared", COMPARED, 0)
    return _write(folder, page, page_of(replace(replay, title=title), files))


def _write_story(folder: Path, one: Shipped, limits: PageLimits, files: Files) -> Written:
    story = one.story
    record = entries()[story.record].record()
    replay = replay_of(record, limits, title=story.title, look=story.summary, story=story)
    note = f"{len(story.stops)} stops, {story.minutes} minutes"
    page = Written(f"story-{one.name}", story.title, story.summary, note, STORIES)
    return _write(folder, page, page_of(replay, files))


def _write(folder: Path, page: Written, text: str) -> Written:
    return replace(page, size=_save(folder / f"{page.name}.html", text))


def _save(path: Path, text: str) -> int:
    content = text.encode()
    with replacing(path, ParameterError, FIX) as file:
        file.write(content)
    return len(content)


def _index(pages: Sequence[Written], playground: str) -> str:
    files = beside(ASSETS, INDEX)
    parts = []
    headings = dict.fromkeys(page.heading for page in pages)
    for heading in sorted(headings, key=lambda heading: heading != STORIES):
        cards = "".join(
            f'<a class="ws-card" href="{escape(page.name)}.html"><b>{escape(page.title)}</b>'
            f"<span>{escape(page.look)}</span><small>{escape(page.note)}</small></a>"
            for page in pages
            if page.heading == heading
        )
        count = sum(page.heading == heading for page in pages)
        parts.append(_FOLDED.substitute(heading=escape(heading), count=count, cards=cards))
    begin = first_story()
    story = next((p for p in pages if begin and p.name == f"story-{begin.name}"), None)
    links = [(f"{story.name}.html", story.title)] if story else []
    links += [(playground, "Write a kernel")] if playground else []
    next_links = "".join(f'<a href="{escape(to)}">{escape(text)}</a>' for to, text in links)
    plain = [p.name for p in pages if p.heading not in (STORIES, COMPARED)]
    shown = begin.story.record if begin and begin.story.record in plain else plain[0]
    index = _INDEX.substitute(
        top=top_of(files), cards="".join(parts), drop=DROP, next=next_links, first=shown
    )
    return head_of("Recorded runs", files) + index
