"""The evaluated figures that come with the package."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from gpucore.errors import ParameterError

FOLDER = Path(__file__).resolve().parent / "data"


def names() -> list[str]:
    """Return the names of the papers with data, in the order of the README's list."""
    from gpucore.bench.papers.declare import papers

    return [name for name in papers() if (FOLDER / f"{name}.json").is_file()]


@cache
def load(name: str) -> dict[str, Any]:
    """Return a paper's figures; see :func:`gpucore.bench.papers.evaluate.evaluate`.

    Raises
    ------
    ParameterError
        There is no data of this paper.
    """
    if name not in names():
        raise ParameterError(f"there are no figures of {name!r}; there are {', '.join(names())}")
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
