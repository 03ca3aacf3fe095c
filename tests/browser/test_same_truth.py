"""The page's engine in Chromium says what ``gpucore.watch`` says, of all kernels of these tests."""

from __future__ import annotations

import pytest
from simt.instrumented.planted import OWN as FOLDER
from simt.instrumented.planted import SYNCHRONISED

from support.truths import NAMES, OWN, native, own, planted, verdict
from warplens.app.play.unlike import UNLIKE

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
#: Kernels of which the two say different things, and why.
DIFFERENT = {
    "uninitialised_global_structure": "structures",
    "uninitialised_global_structure_right": "structures",
    "uninitialised_shared_structure": "structures",
    "uninitialised_shared_structure_right": "structures",
    "uninitialised_local": "without a value",
    "synchronised turn_around not_read": "joined",
    "patterns calls": "functions",
    "empty_loop": "empty loop",
}


def changed(mistake):
    """Return the kernel in which a mistake is."""
    text = (FOLDER / f"{mistake.source}.cu").read_text()
    before = text[: text.index(mistake.old)]
    return before.rpartition("SIMT_KERNEL(")[2].partition(")")[0]


MISTAKES = [(mistake.source, changed(mistake), mistake) for mistake in SYNCHRONISED]
KERNELS = {
    **{name: (planted, name) for name in NAMES},
    **{f"{file} {name}": (own, file, name) for file, names in OWN.items() for name in names},
    **{
        f"{file} {name} {change.name}": (own, file, name, change) for file, name, change in MISTAKES
    },
}


@pytest.mark.parametrize("name", KERNELS)
def test_page_and_watch_agree(engine_in_chromium, lab_compiler, name):
    make, *about = KERNELS[name]
    asked = make(*about)
    found, wanted = engine_in_chromium.run(asked), native(asked)
    assert "ok" in found, found
    assert (verdict(found) == verdict(wanted)) == (name not in DIFFERENT)


def test_every_difference_has_a_reason_and_a_kernel():
    assert set(DIFFERENT) <= set(KERNELS)
    assert set(DIFFERENT.values()) == set(UNLIKE)
