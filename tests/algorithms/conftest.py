"""Lets the tests of this folder use the graphs and references of the certificates' tests."""

from __future__ import annotations

import sys
from pathlib import Path

for folder in (Path(__file__).parent, Path(__file__).parent.parent / "certify"):
    sys.path.insert(0, str(folder))
