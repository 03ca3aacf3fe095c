"""CONTRIBUTING says what a view and a family's player.js need; the words are the code's own."""

import inspect
import re
from dataclasses import MISSING, fields
from pathlib import Path

from warplens.app.pages import shown_families
from warplens.app.picture import EXPORTS
from warplens.app.view import View
from warplens.app.widgets.bundle import bundle
from warplens.app.widgets.player import ENTRY

CONTRIBUTING = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text()


def between(marker):
    return re.search(rf"<!-- {marker} -->\n(.*?)\n<!-- end -->", CONTRIBUTING, re.DOTALL)[1].strip()


def documented(kind):
    """Return the names of a class's documented attributes, as they are grouped, and their texts."""
    text = inspect.getdoc(kind).partition("Attributes\n----------\n")[2]
    found = re.findall(r"^(\w[\w, ]*) : .*\n((?: {4}.*\n?)+)", text, re.MULTILINE)
    return [(names.split(", "), " ".join(lines.split())) for names, lines in found]


def test_every_field_of_a_view_is_documented_once():
    names = [name for group, _ in documented(View) for name in group]
    assert sorted(names) == sorted(field.name for field in fields(View))


def test_the_required_fields_of_a_view():
    needed = {f.name for f in fields(View) if f.default is f.default_factory is MISSING}
    lines = ["| field | what it is |", "|---|---|"]
    for group, text in documented(View):
        if named := [f"`{name}`" for name in group if name in needed]:
            lines.append(f"| {', '.join(named)} | {text.replace('``', '`')} |")
    assert between("fields") == "\n".join(lines)


def test_the_exports_of_a_player():
    lines = ["| export | what it is, or returns |", "|---|---|"]
    for one in EXPORTS:
        form = f"**`{one.form}`**" if one.required else f"`{one.form}`"
        lines.append(f"| {form} | {one.about} |")
    assert between("exports") == "\n".join(lines)


def test_every_family_exports_what_the_player_needs():
    """The bundler checks each; see :mod:`app.picture`."""
    families = tuple(shown_families())
    assert all(f'"families/{name}/player.js"' in bundle(ENTRY, families) for name in families)
