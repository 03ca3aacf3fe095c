"""Lets the tests of this folder use the graphs and references of other folders' tests."""

from __future__ import annotations

import sys
from pathlib import Path

for folder in ("certify", "algorithms"):
    sys.path.insert(0, str(Path(__file__).parent.parent / folder))
