"""Imports of a page: what is imported before it is shown, and what later."""

import subprocess
import sys

import pytest

from warplens.app.pages import views

#: Packages whose import takes longer than making a page.
LARGE = ("bokeh", "networkx", "scipy.optimize", "scipy.spatial", "cupy", "networkit", "igraph")

SCRIPT = f"""
import sys
from app.dashboard.page import Dashboard
from app.comparison.page import ComparePage
Dashboard(sys.argv[1]), ComparePage(sys.argv[1])
print([name for name in {LARGE!r} if name in sys.modules])
"""


@pytest.mark.parametrize("family", views())
def test_a_page_is_there_before_large_libraries_are_imported(family):
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, family], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]", ran.stderr
