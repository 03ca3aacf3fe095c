"""Compare a native certificate with its reference, on blocks of any size and any threads."""

from __future__ import annotations

import pytest

from gpucore.certify import work
from gpucore.certify.work import attended


def agree(native, reference, *arguments, block=3, threads=2, **options):
    """Return the native certificate; its checks, sentences and figures are the reference's.

    Sums may differ by rounding, in figures and where sentences print all of their digits.
    """
    with pytest.MonkeyPatch.context() as patch, attended(threads=threads):
        patch.setattr(work, "BLOCK", block)
        found = native(*arguments, **options)
    wanted = reference(*arguments, **options)
    assert found.ok == wanted.ok, f"{found}\n{wanted}"
    assert [check.name for check in found.checks] == [check.name for check in wanted.checks]
    assert [check.ok for check in found.checks] == [check.ok for check in wanted.checks]
    for ours, theirs in zip(found.checks, wanted.checks, strict=True):
        assert _words(ours.detail) == _words(theirs.detail)
    assert dict(found.figures) == pytest.approx(dict(wanted.figures), rel=1e-12, abs=1e-12)
    return found


def _words(text):
    """Return the words of a sentence, numbers as such, with a tolerance."""
    return [_number(word.strip(",;:()")) for word in text.split()]


def _number(word):
    """Return whole numbers exactly; others may be rounded to a few digits, up or down."""
    if word.lstrip("-").isdigit():
        return word
    try:
        value = float(word)
    except ValueError:
        return word
    return pytest.approx(value, rel=1e-2, abs=1e-12, nan_ok=True)
