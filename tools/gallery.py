"""Record the gallery's runs again on this machine's GPU, with the same parameters.

    python tools/gallery.py --output FOLDER [NAME ...]

FOLDER gets a folder for each family, whose files belong in ``app/families/FAMILY/gallery``.

Threads race on a GPU, so two runs may have different events, but the gallery's texts name numbers.
Every run is therefore repeated until it has as many events of each kind as the present record. If
no try has, the nearest one is kept and the difference is printed.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

import numpy as np

import gpucore
from gpucore.device import Device, get_device
from gpucore.problems.graph.graph import Graph
from gpucore.record import Record
from gpucore.record.balance import balance, per_warp
from gpucore.record.replay import timeline_of
from warplens.app.gallery import PROCESSOR, Entry, catalogue, entries
from warplens.app.limits import PageLimits
from warplens.app.outcomes.record_files import graph_of

#: Columns of what a warp looks at; each family has one of them.
SCANNED = ("edges", "considered", "scanned")


def main(arguments: list[str]) -> int:
    """Record the named runs, or all those of kernels."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="by default all of kernels")
    parser.add_argument("--output", type=Path, required=True, help="folder for the records")
    parser.add_argument("--device", default="cuda", help="cuda (the default) or host")
    parser.add_argument("--tries", type=int, default=200, help="runs of each, at the most")
    chosen = parser.parse_args(arguments)
    unknown = set(chosen.names) - set(entries())
    if unknown:
        parser.error(f"the gallery has no record {sorted(unknown)[0]!r}")
    chosen.output.mkdir(parents=True, exist_ok=True)
    device = get_device(chosen.device)
    print(f"{'record':34} {'events':>6} {'unlike':>6} {'busiest':>7} {'before':>6}  takes")
    made: dict[str, dict[str, int]] = {}
    for name in chosen.names or [n for n, e in entries().items() if e.made_on != PROCESSOR]:
        shown = entries()[name]
        folder = chosen.output / shown.family
        folder.mkdir(exist_ok=True)
        events = _remake(shown, device, folder, chosen.tries)
        made.setdefault(shown.family, {})[name] = events
    for family, events_of in made.items():
        _write_catalogue(family, events_of, chosen.output / family)
    return 0


def _remake(shown: Entry, device: Device, folder: Path, tries: int) -> int:
    """Record a run again, save the try nearest to the old record, return its number of events."""
    old = shown.record()
    graph = graph_of(old, PageLimits())
    best, least = None, (sys.maxsize, 0.0)
    for _ in range(max(tries, 1)):
        record = _run(old, graph, device)
        unlike = int(np.abs(_kinds(record) - _kinds(old)).sum())
        difference = unlike, abs(_busiest(record) - _busiest(old))
        if difference < least:
            best, least = record, difference
        if difference == (0, 0.0):
            break
    assert best is not None
    best.save(folder / f"{shown.name}.npz")
    print(
        f"{shown.name:34} {best.num_events:6} {least[0]:6} {_busiest(best):7} {_busiest(old):6}  "
        f"{best.events['time'][-1]:,} {best.clock}"
    )
    return best.num_events


def _write_catalogue(family: str, made: dict[str, int], folder: Path) -> None:
    """Write a family's catalogue with the new numbers of events; the other text is kept."""
    path = catalogue(family)
    text = path.read_text(encoding="utf-8")
    for name, events in made.items():
        head = re.escape(f"[{name}]")
        text = re.sub(rf"({head}[^\[]*?\nevents = )\d+", rf"\g<1>{events}", text)
    (folder / path.name).write_text(text, encoding="utf-8")


def _run(old: Record, graph: Graph, device: Device) -> Record:
    header = old.header
    ranks = header["ranks"]["count"] if "ranks" in header else None
    result = gpucore.run(
        header["algorithm"], graph, device=device, ranks=ranks, record="events", **header["params"]
    )
    record = result.record
    assert record is not None
    timeline = timeline_of(record)
    if timeline.doubt or result.certificate is None or not result.certificate.ok:
        raise SystemExit(f"a run on {graph.name} is not as it should be: {timeline.doubt}")
    return record


def _kinds(record: Record) -> np.ndarray:
    return np.bincount(record.events["kind"], minlength=256)


def _busiest(record: Record) -> float:
    """Return what the busiest warp scans over the mean, as the gallery states it."""
    name = next(name for name in SCANNED if name in record.warps)
    return round(balance(per_warp(record.warps, record.warps[name])).ratio, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
