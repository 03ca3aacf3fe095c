"""Lets the tests of this folder use the strategies of graphs."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "graph"))
