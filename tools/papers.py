"""Write the data of the page "Papers", and the table PAPERS.md of what the papers have.

python tools/papers.py           # write app/papers/data/PAPER.json and PAPERS.md
python tools/papers.py --check   # change nothing; 1 if something would change
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from gpucore.bench.papers.declare import Paper, papers
from gpucore.bench.papers.evaluate import evaluate
from gpucore.bench.papers.parts import page
from gpucore.bench.results import read_results

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
TARGET = ROOT / "app" / "papers" / "data"
TABLE = ROOT / "PAPERS.md"


def results_of(paper: Paper) -> list[Path]:
    """Return the committed results of a paper's family, the newest first."""

    def day(path: Path) -> str:
        return str(read_results(path)["setup"]["date"])[:10]

    found = sorted(RESULTS.glob(f"*/{paper.family}.json"))
    return sorted(found, key=day, reverse=True)  # keeps the order of names within a day


def text_of(paper: Paper) -> str:
    """Return the content of a paper's file."""
    paths = results_of(paper)
    found = evaluate(paper, [read_results(path) for path in paths])
    found["files"] = [path.relative_to(ROOT).as_posix() for path in paths]
    return json.dumps(_rounded(found), indent=1, allow_nan=False, ensure_ascii=False) + "\n"


def _rounded(found: Any) -> Any:
    """Return the same with numbers of twelve digits: the last ones are those of a NumPy version."""
    if isinstance(found, float):
        return float(f"{found:.12g}")
    if isinstance(found, dict):
        return {key: _rounded(value) for key, value in found.items()}
    return [_rounded(value) for value in found] if isinstance(found, list | tuple) else found


def main(arguments: list[str]) -> int:
    """Write or check all files; return the exit code."""
    stale = 0
    texts = {TARGET / f"{paper.name}.json": text_of(paper) for paper in papers().values()}
    texts[TABLE] = page(papers())
    for path, text in texts.items():
        if path.exists() and path.read_text() == text:
            continue
        stale += 1
        if "--check" in arguments:
            print(f"{path.relative_to(ROOT)} differs from the results; run {Path(__file__).name}")
        else:
            path.write_text(text)
    return int(bool(stale) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
