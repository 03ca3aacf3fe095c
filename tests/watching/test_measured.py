"""What the guide says of other people's benchmark suites is what was measured."""

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks/results"
#: The guide as one line.
GUIDE = " ".join((ROOT / "docs/howto/own-kernel.md").read_text().split())


def test_indigo_1():
    rows = json.loads((RESULTS / "indigo1.json").read_text())["summary"]
    found = {row["label"]: row["found"] for row in rows}
    assert not any(row["missed"] or row["false_alarms"] for row in rows)
    assert f"all {found['race']} races and all {found['bounds']} accesses outside" in GUIDE


def test_indigo_3():
    measured = json.loads((RESULTS / "indigo3.json").read_text())
    clean, planted = measured["without_a_bug"], measured["with_a_bug"]
    rows = planted["summary"]
    for row in rows:
        assert row["found"] + row["without_effect"] == row["files"], row
        assert row["missed"] == 0
    files, found, without = (
        sum(row[key] for row in rows) for key in ("files", "found", "without_effect")
    )
    assert without == len({file for one in planted["without_effect"] for file in one["files"]})
    for text in (f"{files:,} codes have one bug", f"In {found:,} of them", f"other {without} it"):
        assert text in GUIDE
    errors = clean["errors_of_the_suite"]
    accused = {file for one in errors for file in one["files"]}
    assert not clean["unexplained"]
    assert (len(accused), clean["files"] - len(accused)) == (clean["accused"], clean["quiet"])
    assert len(errors) == 9
    assert f"the {clean['files']} codes without a planted bug {clean['quiet']} are left" in GUIDE
    assert f"other {clean['accused']} have nine errors" in GUIDE


def test_indigo_3_where_only_numbers_are_wrong():
    measured = json.loads((RESULTS / "indigo3.json").read_text())["with_wrong_numbers"]
    rows = measured["summary"]
    files, shown, quiet = (sum(row[key] for row in rows) for key in ("files", "shown", "not_shown"))
    assert files == shown + quiet
    assert quiet == len({file for one in measured["not_shown"] for file in one["files"]})
    assert f"Other {files} codes have wrong numbers" in GUIDE
    assert f"the consequences of {shown}" in GUIDE
