"""Write the tables of benchmarks/README.md from the committed results.

    python tools/tables.py           # rewrite what stands between the markers
    python tools/tables.py --check   # change nothing; 1 if something would change

A marker names a results file and perhaps a file of peers, both in benchmarks/results:

    <!-- summary matching-h100/matching.json peers-h100.json -->
    <!-- end -->

Between ``<!-- numbers -->`` and ``<!-- end -->`` stand the numbers that other documents quote; see
``headline.py``.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import headline

from gpucore.bench.markdown import summary_of
from gpucore.bench.results import read_peers, read_results
from gpucore.bench.suite import get_suite

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
#: Files with markers.
PAGES = (ROOT / "benchmarks" / "README.md",)
_MARKER = re.compile(
    r"(?P<begin><!-- summary (?P<data>\S+)(?: (?P<peers>\S+))? -->\n).*?(?P<end><!-- end -->)", re.S
)
_NUMBERS = re.compile(r"(?P<begin><!-- numbers -->\n).*?(?P<end><!-- end -->)", re.S)


def written(text: str) -> str:
    """Return the text of a page with the tables that its results have."""

    def table(found: re.Match[str]) -> str:
        data = read_results(RESULTS / found["data"])
        peers = read_peers(RESULTS / found["peers"]) if found["peers"] else []
        words = summary_of(get_suite(data["family"]), data, peers)
        return f"{found['begin']}\n{words}\n\n{found['end']}"

    def numbers(found: re.Match[str]) -> str:
        words = headline.table(headline.numbers().values())
        return f"{found['begin']}\n{words}\n\n{found['end']}"

    return _NUMBERS.sub(numbers, _MARKER.sub(table, text))


def peers() -> dict[str, str]:
    """Return the file of peers that stands beside a results file on a page, by that file."""
    found = [match for page in PAGES for match in _MARKER.finditer(page.read_text())]
    return {match["data"]: match["peers"] for match in found if match["peers"]}


def main(arguments: list[str]) -> int:
    """Write or check all pages; return the exit code."""
    stale = [page for page in PAGES if written(page.read_text()) != page.read_text()]
    for page in stale:
        if "--check" in arguments:
            print(f"{page.relative_to(ROOT)} differs from the results; run {Path(__file__).name}")
        else:
            page.write_text(written(page.read_text()))
    return int(bool(stale) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
