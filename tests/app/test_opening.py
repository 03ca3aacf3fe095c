"""Imports of a page: what is imported before it is shown, and what later."""

import subprocess
import sys

from warplens.app.pages import views

#: Packages whose import takes longer than making a page.
LARGE = ("bokeh", "networkx", "scipy.optimize", "scipy.spatial", "cupy", "networkit", "igraph")

SCRIPT = f"""
import sys
from app.dashboard.page import Dashboard
from app.comparison.page import ComparePage
for family in sys.argv[1:]:
    Dashboard(family), ComparePage(family)
    print(family, [name for name in {LARGE!r} if name in sys.modules])
"""


def test_pages_are_there_before_large_libraries_are_imported():
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, *views()], capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines() == [f"{family} []" for family in views()], ran.stderr
