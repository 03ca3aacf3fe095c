"""A menu of the form in a browser whose menus have one line: what it cuts is below it."""

from __future__ import annotations

import pytest

from support.firefox import Firefox, find_firefox
from warplens.app.browser_files import TEMPLATE_FILES

pytestmark = pytest.mark.browser

LONG = "Zachary's karate club, weighted by the number of common contexts"
PAGE = """<!doctype html><script>SCRIPT</script>
<style>select { width: 200px; padding: 0 20px 0 10px; font: 14px sans-serif; }</style>
<body><script type=module>
  const menu = document.createElement("select");
  const options = [...NAMES, "short"].map((name) => new Option(name.replaceAll(" ", "\u00a0")));
  menu.append(...options);
  const field = document.createElement("div");
  field.className = "widget-dropdown";
  field.append(menu);
  document.body.append(field);
</script>"""
CHOSEN = "document.querySelector('.widget-dropdown').getAttribute('data-chosen')"


@pytest.mark.skipif(find_firefox() is None, reason="Firefox is not installed")
def test_what_a_menu_cuts_is_below_it(tmp_path):
    script = (TEMPLATE_FILES / "static" / "choices.js").read_text()
    page = tmp_path / "menu.html"
    page.write_text(PAGE.replace("SCRIPT", script).replace("NAMES", f"[{LONG!r}]"))
    profile = tmp_path / "profile"
    profile.mkdir()
    firefox = Firefox(profile)
    try:
        firefox.goto(page.as_uri())
        firefox.wait_for(f"{CHOSEN} === {LONG!r}")
        firefox.evaluate("document.querySelector('select').selectedIndex = 1")
        firefox.wait_for(f"{CHOSEN} === null")
        firefox.evaluate("document.querySelector('select').selectedIndex = 0")
        firefox.wait_for(f"{CHOSEN} === {LONG!r}")
        assert firefox.errors == []
    finally:
        firefox.close()
