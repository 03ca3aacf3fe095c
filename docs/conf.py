"""Configuration of the documentation; ``make docs`` builds it with warnings as errors."""

import sys
from importlib.metadata import version as version_of
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent / "tools")]

project = "Warplens"
author = "The Warplens developers"
copyright = "the Warplens developers, BSD-3-Clause"
release = version = version_of("warplens")
html_title = f"Warplens {release}"

nitpicky = True
nitpick_ignore = [
    ("py:class", "cupy.RawKernel"),  # needs a GPU to be imported
]

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "docstrings",
    "played",
    "references",
    "registry",
    "reports",
    "links",
]
# The reports are about open holes of other projects; see the top of that file.
exclude_patterns = ["_ext", "reports.md"]
myst_heading_anchors = 3
myst_enable_extensions = ["deflist"]

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings name the types, with shapes
autosummary_generate = False
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
add_module_names = False
python_display_short_literal_types = True

# Copied examples have neither the prompt nor the output.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["docs.css"]
html_js_files = ["frames.js", "versions.js"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": False}
pygments_style = "friendly"
pygments_dark_style = "monokai"
