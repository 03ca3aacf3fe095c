"""Joining JavaScript modules into one script."""

from __future__ import annotations

import pytest

from warpscope.app.widgets.bundle import SOURCES, bundle, esm


def write(folder, **modules):
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text)
    return folder


def test_imports_come_before_their_users_and_once(tmp_path):
    write(
        tmp_path,
        top='import { a } from "./left.js";\nimport * as all from "./right.js";\n'
        "export const b = a + all.c;\n",
        left='import {\n  c,\n} from "./right.js";\nexport function a() { return c; }\n',
        right="// Says why.\n\nexport const c = 1;\nexport class D {}\n",
    )
    script = bundle("top", tmp_path)
    assert script.count("modules.right = ") == 1
    assert script.index("modules.right = ") < script.index("modules.left = ")
    assert "const { c } = modules.right;" in script
    assert "const all = modules.right;" in script
    assert "return { c, D };" in script
    assert "Says why" not in script
    assert "import" not in script
    assert "export" not in script


def test_circles_are_refused(tmp_path):
    write(
        tmp_path,
        one='import { b } from "./two.js";\nexport const a = 1;\n',
        two='import { a } from "./one.js";\nexport const b = 1;\n',
    )
    with pytest.raises(ValueError, match="one -> two -> one"):
        bundle("one", tmp_path)


@pytest.mark.parametrize(
    "line", ["export default 3;", 'import x from "./y.js";', "export { a };", 'import "./y.js";']
)
def test_forms_that_are_not_understood_are_refused(tmp_path, line):
    write(tmp_path, odd=f"const a = 1;\n{line}\n")
    with pytest.raises(ValueError, match="cannot bundle"):
        bundle("odd", tmp_path)


def test_every_module_belongs_to_a_widget():
    paths = list(SOURCES.glob("*.js"))
    entries = [path.stem for path in paths if "export function render(" in path.read_text("utf-8")]
    assert {"main", "code"} <= set(entries)
    scripts = [esm(entry) for entry in entries]
    for path in paths:
        assert any(f"modules.{path.stem} = " in script for script in scripts), path.name
    for entry, script in zip(entries, scripts, strict=True):
        assert script.rstrip().endswith(f"export default {{ render: modules.{entry}.render }};")
