"""Joining JavaScript modules into one script."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import warplens.app
from gpucore.record.replay import record_kind
from warplens.app.pages import shown_families
from warplens.app.picture import EXPORTS
from warplens.app.play.engine import SCRIPTS
from warplens.app.widgets import bundle as bundler
from warplens.app.widgets.bundle import LIB, bundle, esm, player_module, style
from warplens.app.widgets.player import ENTRY

APP = Path(warplens.app.__file__).parent
FAMILIES = tuple(shown_families())
#: What a family's module has to export, without any use.
REQUIRED = "".join(f"export const {one.name} = 0;\n" for one in EXPORTS if one.required)


def write(folder, **modules):
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text)
    return folder


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """Return the folder of a family that is shown from outside of the package."""
    monkeypatch.setitem(shown_families(), "toy", shown_families()["matching"])
    monkeypatch.setattr(
        bundler, "folder_of", lambda name, known=bundler.folder_of: folder(name, known)
    )
    monkeypatch.setattr(bundler, "record_kind", lambda name: record_kind("matching"))

    def folder(name, known):
        return tmp_path / "toy" if name == "toy" else known(name)

    (tmp_path / "toy").mkdir()
    bundle.cache_clear()
    yield tmp_path / "toy"
    bundle.cache_clear()


def modules_in(script):
    """Return the keys of a script's modules in their order."""
    starts = [line for line in script.splitlines() if line.endswith("] = (() => {")]
    return [line.removeprefix('modules["').removesuffix('"] = (() => {') for line in starts]


def test_imports_come_before_their_users_and_once(tmp_path):
    write(
        tmp_path,
        top='import { a } from "./left.js";\nimport * as all from "./right.js";\n'
        "export const b = a + all.c;\n",
        left='import {\n  c,\n} from "./right.js";\nexport function a() { return c; }\n',
        right="// Says why.\n\nexport const c = 1;\nexport class D {}\n",
    )
    script = bundle(tmp_path / "top.js")
    keys = modules_in(script)
    assert [Path(key).stem for key in keys] == ["right", "left", "top"]
    assert f'const {{ c }} = modules["{keys[0]}"];' in script
    assert f'const all = modules["{keys[0]}"];' in script
    assert script.endswith(f'const entry = modules["{keys[2]}"];\n')
    assert "return { c, D };" in script
    assert "Says why" not in script
    assert "import {" not in script
    assert "export " not in script


def test_modules_of_one_name_are_kept_apart(tmp_path):
    (tmp_path / "below").mkdir()
    write(tmp_path, view='import { a } from "./below/view.js";\nexport const b = a;\n')
    write(
        tmp_path / "below",
        view='import { element } from "warplens/dom.js";\nexport const a = 1;\n',
    )
    keys = modules_in(bundle(tmp_path / "view.js"))
    assert len(set(keys)) == 3
    assert [Path(key).stem for key in keys] == ["dom", "view", "view"]


def test_circles_are_refused(tmp_path):
    write(
        tmp_path,
        one='import { b } from "./two.js";\nexport const a = 1;\n',
        two='import { a } from "./one.js";\nexport const b = 1;\n',
    )
    with pytest.raises(ValueError, match=r"one\.js -> .*two\.js -> .*one\.js"):
        bundle(tmp_path / "one.js")


@pytest.mark.parametrize(
    "line",
    [
        "export default 3;",
        'import x from "./y.js";',
        "export { a };",
        'import "./y.js";',
        'import { x } from "other/y.js";',
    ],
)
def test_forms_that_are_not_understood_are_refused(tmp_path, line):
    write(tmp_path, odd=f"const a = 1;\n{line}\n")
    with pytest.raises(ValueError, match="cannot bundle"):
        bundle(tmp_path / "odd.js")


def test_a_page_loads_its_own_families_only():
    script = bundle(ENTRY, ("redblue",))
    assert 'const FAMILIES = { "redblue": modules["families/redblue/player.js"] };' in script
    assert [key for key in modules_in(script) if key.startswith("families/")] == [
        "families/redblue/events.js",
        "families/redblue/player.js",
    ]
    both = modules_in(bundle(ENTRY, ("matching", "marriage")))
    assert {"families/matching/player.js", "families/marriage/player.js"} < set(both)


@pytest.mark.parametrize("family", FAMILIES)
def test_events_are_those_of_the_record(family):
    script = bundle(player_module(family), (family,))
    for event in record_kind(family).events:
        assert f'"{event.code.name}": {int(event.code)}' in script


@pytest.mark.parametrize("family", FAMILIES)
def test_colours_are_those_of_the_style_sheets(family):
    """The browser has every colour that a band of events uses."""
    sheet = style((ENTRY.with_suffix(".css"),), (family,))
    for band in record_kind(family).bands:
        assert f"--wp-{band.colour}:" in sheet
    own = player_module(family).read_text("utf-8")
    shared = (LIB / "theme.js").read_text("utf-8")
    for band in record_kind(family).bands:
        assert f'"{band.colour}"' in shared + own


def test_a_family_elsewhere_uses_what_is_shared(toy):
    write(
        toy,
        player='import { KIND } from "./events.js";\n'
        'import { grouped } from "warplens/words.js";\n'
        'import { a } from "./own.js";\nconst b = grouped(KIND.MATCH + a);\n' + REQUIRED,
        own="export const a = 1;\n",
    )
    (toy / "player.css").write_text(".toy { color: red; }\n")
    keys = modules_in(bundle(ENTRY, ("toy",)))
    assert [key for key in keys if key.startswith("families/")] == [
        "families/toy/events.js",
        "families/toy/own.js",
        "families/toy/player.js",
    ]
    assert ".toy" in style((ENTRY.with_suffix(".css"),), ("toy",))


def test_an_event_that_the_record_lacks_is_refused(toy):
    write(toy, player='import { KIND } from "./events.js";\nexport const b = KIND.NONSENSE;\n')
    with pytest.raises(ValueError, match="the family has no event NONSENSE; it has PROPOSE_FREE"):
        bundle(ENTRY, ("toy",))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (REQUIRED.replace("legend", "other"), "player.js does not export legend; app/picture.py"),
        (
            f"{REQUIRED}export const chainText = 0;\n",
            "player.js does not export causesOf;",
        ),
        (f"{REQUIRED}export const odd = 0;\n", "player.js exports odd, which the player does not"),
    ],
)
def test_a_family_exports_what_the_player_needs(toy, text, message):
    write(toy, player=text)
    with pytest.raises(ValueError, match=message):
        bundle(ENTRY, ("toy",))


def test_the_player_uses_every_export_that_it_names():
    """And none besides: the scripts that have a family's module take only these from it."""
    folders = (APP / "widgets" / "player", APP / "widgets" / "side_by_side")
    text = "".join(path.read_text("utf-8") for folder in folders for path in folder.glob("*.js"))
    found = set(re.findall(r"\bfamily(?:\?)?\.(\w+)", text))
    for names in re.findall(r"const \{([^}]*)\} = this\.family;", text):
        found |= {name.strip() for name in names.split(",")}
    assert found == {one.name for one in EXPORTS}


def test_events_belong_to_a_family(tmp_path):
    write(tmp_path, odd='import { KIND } from "./events.js";\nexport const b = KIND.MATCH;\n')
    with pytest.raises(ValueError, match="only modules in a family's folder"):
        bundle(tmp_path / "odd.js")


def test_every_module_belongs_to_a_widget():
    paths = [
        path
        for path in APP.rglob("*.js")
        if not {"template", "theme", "classroom"} & set(path.parts)
    ]
    texts = {path: path.read_text("utf-8") for path in paths}
    alone = [path for path, text in texts.items() if "export default { render }" in text]
    entries = [path for path, text in texts.items() if "export function render(" in text]
    assert {"player", "code", "linked"} <= {path.stem for path in entries}
    scripts = [esm(entry, FAMILIES) for entry in entries]
    static = bundle(APP / "published" / "page.js", FAMILIES)
    drop = bundle(APP / "published" / "drop.js")
    frame = bundle(APP / "published" / "frame.js", FAMILIES)
    play = bundle(APP / "play" / "play.js")
    used = {key for script in (*scripts, static, drop, frame, play) for key in modules_in(script)}
    used |= {f"play/{name}" for name in SCRIPTS}  # files that the playground's worker imports
    for path in set(paths) - set(alone):
        assert path.relative_to(APP).as_posix() in used
    for script in scripts:
        assert script.endswith("export default { render: entry.render };\n")


def test_shared_modules_import_no_family():
    for path in (APP / "widgets").rglob("*.js"):
        for line in path.read_text("utf-8").splitlines():
            if line.startswith("import") or line.startswith("} from"):
                assert "families/" not in line, (path.name, line)
