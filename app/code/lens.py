"""The profile lens: what a kernel's lines cost, as bars and in sentences.

Turns a :class:`~gpucore.device.profile.Profile` into what the code pane shows.  The colour of a bar
shows how bad the line is by itself; its length shows the line's share of the total loss in this
measure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gpucore.device.profile import COUNTERS, Profile

from .book import CodeBook

#: Measures beside the lines: name, label, meaning of the readings.
MEASURES = {
    "lanes": ("Active lanes", "lanes at work, of 32"),
    "sectors": ("Sectors", "32-byte sectors a request touched, and how few would do"),
    "banks": ("Bank conflicts", "further passes a shared-memory request needed"),
    "cas": ("Failed CAS", "compare-and-swaps that found another value, of all atomics"),
}

#: Measures for which a family can give reasons; "atomic" is why atomic operations do not fail.
REASONED = (*MEASURES, "atomic")

_LANES = 32
_WHOLE = 0.97  # share of the lanes that counts as all of them
_CLOSE = 1.25  # times the ideal sectors: adjacencies may begin inside a sector

_NAMES = {"load": "load", "store": "store", "atomic": "atomic operation"}

Counters = Mapping[str, int]


@dataclass(frozen=True)
class Reading:
    """One measure of one line.

    Attributes
    ----------
    text : str
        Text beside the line.
    badness : float
        From 0 (best) to 1 (worst).
    lost : float
        Lane slots, sectors, passes or attempts that were wasted, in total.
    """

    text: str
    badness: float
    lost: float


def rows_of(profile: Profile, file: str) -> dict[int, dict[str, Counters]]:
    """Return the counters of a file's lines: line -> kind -> counter."""
    table: dict[int, dict[str, Counters]] = {}
    columns = profile.lines
    for i in (columns["file"] == file).nonzero()[0]:
        counters = {name: int(columns[name][i]) for name in COUNTERS}
        table.setdefault(int(columns["line"][i]), {})[str(columns["kind"][i])] = counters
    return table


def readings(rows: Mapping[str, Counters]) -> dict[str, Reading]:
    """Return the measures that apply to one line."""
    found = {}
    visits = _visits(rows)
    if visits["requests"]:
        slots = _LANES * visits["requests"]
        active = visits["lanes"] / visits["requests"]
        waste = 1 - visits["lanes"] / slots
        found["lanes"] = Reading(f"{number(active)} of 32", waste, slots - visits["lanes"])
    memory = _sum(rows, "global ")
    if memory["sectors"]:
        each, ideal = (memory[k] / memory["requests"] for k in ("sectors", "ideal_sectors"))
        extra = memory["sectors"] - memory["ideal_sectors"]
        text = f"{number(each)} for {number(ideal)}"
        found["sectors"] = Reading(text, extra / memory["sectors"], extra)
    shared = _sum(rows, "shared ")
    if shared["requests"]:
        passes = shared["bank_conflicts"] / shared["requests"]
        found["banks"] = Reading(
            f"+{number(passes)}", passes / (1 + passes), shared["bank_conflicts"]
        )
    atomics = _sum(rows, "atomic")
    if atomics["lanes"]:
        failed = atomics["cas_failed"]
        found["cas"] = Reading(
            f"{failed:,} of {atomics['lanes']:,}", failed / atomics["lanes"], failed
        )
    return found


def number(value: float) -> str:
    """Return a short number: one decimal below 10, unless it is 0."""
    text = f"{value:.1f}" if value < 9.95 else f"{value:,.0f}"
    return text.removesuffix(".0")


def explain(rows: Mapping[str, Counters], because: Mapping[str, str]) -> list[dict[str, str]]:
    """Explain a line's readings, a sentence for each measure.

    Parameters
    ----------
    rows : mapping
        The line's counters, kind -> counter.
    because : mapping of str to str
        The family's reasons for the line, by measure.
    """
    sentences = []
    visits = _visits(rows)
    if visits["requests"]:
        sentences.append(("lanes", _lanes_text(visits, because.get("lanes", ""))))
    for space in ("global ", "shared "):
        for kind, name in _NAMES.items():
            counters = rows.get(space + kind)
            if counters is None or not counters["requests"]:
                continue
            if space == "global " and counters["sectors"]:
                sentences.append(
                    ("sectors", _sectors_text(name, counters, because.get("sectors", "")))
                )
            if space == "shared ":
                sentences.append(("banks", _banks_text(name, counters, because.get("banks", ""))))
    atomics = _sum(rows, "atomic")
    if atomics["lanes"]:
        sentences.append(("cas", _atomics_text(atomics, because)))
    return [{"measure": measure, "text": text} for measure, text in sentences]


def _lanes_text(visits: Counters, because: str) -> str:
    times = _times(visits["requests"])
    active = visits["lanes"] / visits["requests"]
    if active >= _WHOLE * _LANES:
        return f"Warps came here {times} with all 32 lanes at work{_tail(because)}"
    if active < 1.05:
        cause = because or "the code before gives this work to a single lane"
        return f"Warps came here {times} with one lane at work and 31 waiting, because {cause}."
    cause = because or "the condition or the loop before did not lead the others here"
    return (
        f"Warps came here {times} with {number(active)} of 32 lanes at work on average: "
        f"divergence. The others waited, because {cause}."
    )


def _sectors_text(name: str, counters: Counters, because: str) -> str:
    lanes, sectors, ideal = (
        counters[key] / counters["requests"] for key in ("lanes", "sectors", "ideal_sectors")
    )
    who = "one lane" if lanes < 1.05 else f"{number(lanes)} lanes"
    start = f"A global {name} of {who}, on average, touched "
    if sectors <= _CLOSE and lanes > 1.05:
        return (
            f"{start}{_sectors(sectors)}: the lanes ask for the same entry or for neighbouring "
            f"ones, and one sector of 32 bytes serves them all."
        )
    if lanes < 1.05:
        return f"{start}{_sectors(sectors)}: with one lane there is nothing to coalesce."
    if counters["sectors"] == counters["ideal_sectors"]:
        return f"{start}{_sectors(sectors)}, no more than its bytes fill: coalesced{_tail(because)}"
    compared = f"{start}{_sectors(sectors)} of 32 bytes where {number(ideal)} would do: "
    if sectors <= _CLOSE * ideal:
        return (
            f"{compared}nearly coalesced{', because ' + because if because else ''}; what lies "
            "together may still begin inside a sector."
        )
    cause = because or "the lanes read addresses that lie far apart"
    return f"{compared}un-coalesced, because {cause}."


def _banks_text(name: str, counters: Counters, because: str) -> str:
    passes = counters["bank_conflicts"] / counters["requests"]
    lanes = counters["lanes"] / counters["requests"]
    start = f"A shared {name} of {number(lanes)} {'lane' if lanes < 1.05 else 'lanes'}, on average,"
    if not counters["bank_conflicts"]:
        return f"{start} was served in one pass: no bank conflict{_tail(because)}"
    several = "one word, or words" if name == _NAMES["atomic"] else "different words"
    cause = because or f"lanes asked for {several} of one bank"
    return f"{start} needed {number(passes)} further passes, because {cause}."


def _atomics_text(atomics: Counters, because: Mapping[str, str]) -> str:
    failed, tried = atomics["cas_failed"], atomics["lanes"]
    if failed:
        cause = because.get("cas") or "another lane had changed the value first"
        return f"{failed:,} of {tried:,} attempts changed nothing, because {cause}."
    return f"None of the {tried:,} atomic operations here failed{_tail(because.get('atomic', ''))}"


def _tail(because: str) -> str:
    return f": {because}." if because else "."


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _sectors(count: float) -> str:
    text = number(count)
    return f"{text} sector" if text == "1" else f"{text} sectors"


def _sum(rows: Mapping[str, Counters], kind: str) -> Counters:
    chosen = [row for name, row in rows.items() if kind in name]
    return {name: sum(row[name] for row in chosen) for name in COUNTERS}


def _visits(rows: Mapping[str, Counters]) -> Counters:
    """Return the counters of a line's visits: of its basic blocks, else of its busiest access."""
    if "block" in rows:
        return rows["block"]
    return max(rows.values(), key=lambda row: row["requests"])


def lens(profile: Profile, book: CodeBook, files: tuple[str, ...]) -> dict[str, Any]:
    """Return the profile of these files in the form that the code pane shows."""
    shown: dict[str, Any] = {}
    for file in files:
        lines = {}
        for line, rows in rows_of(profile, file).items():
            because = {m: book.because(file, line, m) for m in REASONED}
            lines[line] = (readings(rows), explain(rows, because))
        shown[file] = lines
    every = [found for lines in shown.values() for found, _ in lines.values()]
    most = {m: max((f[m].lost for f in every if m in f), default=0.0) for m in MEASURES}
    return {
        "measures": [{"name": n, "label": a, "about": b} for n, (a, b) in MEASURES.items()],
        "files": {
            file: {
                str(line): {
                    "readings": {m: _bar(reading, most[m]) for m, reading in found.items()},
                    "sentences": sentences,
                }
                for line, (found, sentences) in lines.items()
            }
            for file, lines in shown.items()
        },
        "summary": summary(profile),
        "races": [str(race) for race in profile.races],
    }


def _bar(reading: Reading, most: float) -> list[Any]:
    """Return text, colour (0 to 1) and length (0 to 1) of a reading."""
    # The square root keeps small losses visible beside the largest one.
    length = math.sqrt(reading.lost / most) if most else 0.0
    return [reading.text, round(reading.badness, 3), round(length, 3)]


def summary(profile: Profile) -> str:
    """Return the whole profile in a sentence."""
    launches = "the one launch" if profile.launches == 1 else f"all {profile.launches:,} launches"
    races = len(profile.races)
    found = "no data race" if not races else f"{races} data race{'s' if races > 1 else ''}"
    return (
        f"Over all lines, {_LANES * profile.simt_efficiency:.1f} of 32 lanes at work on average; "
        f"{profile.coalescing:.0%} of the sectors that global loads touched would have done; "
        f"{found}. Every number adds up {launches} of the kernels."
    )
