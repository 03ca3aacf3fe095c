"""CUDA's functions of two or four small numbers in a word, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

WIDE = np.int64
NAMES = ["add", "sub", "addss", "addus", "subss", "subus", "avgu", "haddu", "maxs", "maxu", "mins"]
NAMES += ["minu", "absdiffs", "absdiffu", "sads", "sadu", "cmpeq", "cmpne", "cmplts", "cmpleu"]
NAMES += ["cmpgtu", "cmpges", "seteq", "setltu", "setges", "neg", "abs"]


def wanted(name, a, b, bits):
    """Return a function's result for arrays of words."""
    signed = (name[-1] == "s" and name[-2:] != "us") or name == "neg"
    kind = np.dtype(f"{'i' if signed else 'u'}{bits // 8}")
    x, y = (np.ascontiguousarray(word).view(kind).astype(WIDE) for word in (a, b))
    limits = np.iinfo(kind)
    operation = name[:-1] if name[-1] in "su" and name != "abs" else name
    compared = {"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}
    if operation.startswith(("cmp", "set")):
        parts = np.where(compared[operation[3:5]], -1 if operation.startswith("cmp") else 1, 0)
    elif operation == "sad":
        return np.abs(x - y).reshape(-1, 32 // bits).sum(axis=1).astype(np.uint32)
    else:
        parts = {
            "add": x + y,
            "sub": x - y,
            "adds": np.clip(x + y, limits.min, limits.max),
            "addu": np.clip(x + y, limits.min, limits.max),
            "subs": np.clip(x - y, limits.min, limits.max),
            "subu": np.clip(x - y, limits.min, limits.max),
            "avg": (x + y + 1) // 2,
            "hadd": (x + y) // 2,
            "max": np.maximum(x, y),
            "min": np.minimum(x, y),
            "absdiff": np.abs(x - y),
            "neg": -x,
            "abs": np.abs(x),
        }[operation]
    return parts.astype(np.dtype(f"u{bits // 8}")).view(np.uint32)


@pytest.mark.parametrize("parts", [2, 4])
def test_parts_of_words(run, parts):
    generator = np.random.default_rng(parts)
    a, b = generator.integers(0, 2**32, (2, 256), dtype=np.uint32)
    a[:16], b[8:24] = 0x80008080, 0x7FFF7F80
    b[32:64] = a[32:64]
    one = ("neg", "abs")
    lines = [
        f"out[{i} * 256 + t] = __v{name}{parts}(a[t]{'' if name in one else ', b[t]'});"
        for i, name in enumerate(NAMES)
    ]
    body = "const int t = threadIdx.x;\n" + "\n".join(lines)
    out = np.zeros(len(NAMES) * 256, np.uint32)
    parameters = "unsigned* out, const unsigned* a, const unsigned* b"
    found = run(body, out, a, b, parameters=parameters, block=256)
    for name, row in zip(NAMES, found.arrays[0].reshape(-1, 256), strict=True):
        np.testing.assert_array_equal(row, wanted(name, a, b, 32 // parts), err_msg=name)
