"""Write the data of the page "Papers", and the table PAPERS.md of what the papers have.

python tools/papers.py             # write app/papers/data/PAPER.json and PAPERS.md
python tools/papers.py --check     # change nothing; 1 if something would change
python tools/papers.py --verdicts  # compute every verdict from the committed results and print it
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from gpucore.bench.papers.declare import Paper, papers
from gpucore.bench.papers.evaluate import evaluate, session_of
from gpucore.bench.papers.parts import page
from gpucore.bench.results import read_results

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
TARGET = ROOT / "app" / "papers" / "data"
TABLE = ROOT / "PAPERS.md"
VERDICTS = {True: "agrees", False: "differs", None: "not measured"}


def results_of(paper: Paper) -> list[Path]:
    """Return the committed results of a paper's family, the newest first."""

    def day(path: Path) -> str:
        return str(read_results(path)["setup"]["date"])[:10]

    found = sorted(RESULTS.glob(f"*/{paper.family}.json"))
    return sorted(found, key=day, reverse=True)  # keeps the order of names within a day


def evaluated(paper: Paper) -> dict[str, Any]:
    """Return a paper's figures, from the committed results."""
    paths = results_of(paper)
    found = evaluate(paper, [read_results(path) for path in paths])
    return found | {"files": [path.relative_to(ROOT).as_posix() for path in paths]}


def text_of(paper: Paper) -> str:
    """Return the content of a paper's file."""
    text = json.dumps(_rounded(evaluated(paper)), indent=1, allow_nan=False, ensure_ascii=False)
    return text + "\n"


def verdicts() -> str:
    """Return every figure with the session that it is drawn from, and its statements' verdicts."""
    lines = []
    for paper in papers().values():
        for figure in evaluated(paper)["figures"]:
            drawn = session_of(figure["setup"]) if figure["setup"] else "not measured"
            lines.append(f"{paper.name}, {figure['number']}: {drawn}")
            for one in figure["expectations"]:
                where = f" ({one['session']})" if "session" in one else ""
                lines.append(f"  {VERDICTS[one['holds']]}: {one['sentence']}{where}")
    return "\n".join(lines) + "\n"


def _rounded(found: Any) -> Any:
    """Return the same with numbers of twelve digits: the last ones are those of a NumPy version."""
    if isinstance(found, float):
        return float(f"{found:.12g}")
    if isinstance(found, dict):
        return {key: _rounded(value) for key, value in found.items()}
    return [_rounded(value) for value in found] if isinstance(found, list | tuple) else found


def main(arguments: list[str]) -> int:
    """Write or check all files, or print the verdicts; return the exit code."""
    if "--verdicts" in arguments:
        print(verdicts(), end="")
        return 0
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
