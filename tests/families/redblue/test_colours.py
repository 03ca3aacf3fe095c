"""Colours are those of algorithm 4, bit for bit, and best_p is the best p of equation (2)."""

from __future__ import annotations

import hashlib
import math
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpucore.errors import GraphError, ParameterError
from gpucore.families.redblue.colours import (
    best_p,
    blue_limit,
    first_round_fraction,
    md5_colours,
    md5_hashes,
    philox4x32,
    philox_colours,
    round_numbers,
)

WORDS = st.integers(0, 2**32 - 1)
MASK = 2**32 - 1
TURNS = ((7, 12, 17, 22), (5, 9, 14, 20), (4, 11, 16, 23), (6, 10, 15, 21))


def compress(words, quarters=4):
    """Return the state of MD5 after one block, of which only some quarters are worked on."""
    start = struct.unpack("<4I", bytes.fromhex("0123456789abcdeffedcba9876543210"))
    a, b, c, d = start
    for step in range(16 * quarters):
        quarter, place = divmod(step, 16)
        mixed, at = (
            ((b & c) | (~b & d), place),
            ((d & b) | (~d & c), (5 * place + 1) % 16),
            (b ^ c ^ d, (3 * place + 5) % 16),
            (c ^ (b | (~d & MASK)), 7 * place % 16),
        )[quarter]
        total = (a + mixed + int(abs(math.sin(step + 1)) * 2**32) + words[at]) & MASK
        turn = TURNS[quarter][place % 4]
        a, b, c, d = d, (b + (total << turn | total >> (32 - turn))) & MASK, b, c
    return [(x + y) & MASK for x, y in zip(start, (a, b, c, d), strict=True)]


def scalar_hash(v, r):
    return sum(compress([v * r**i & MASK for i in range(16)], quarters=1)) & MASK


def test_the_reference_is_md5():
    for message in (b"", b"abc", b"fifty-five bytes are the most that fit into one block"):
        block = (message + b"\x80").ljust(56, b"\0") + struct.pack("<Q", 8 * len(message))
        state = compress(struct.unpack("<16I", block))
        assert struct.pack("<4I", *state) == hashlib.md5(message).digest()


@given(WORDS, WORDS)
def test_md5_is_the_first_quarter(v, r):
    hashed = md5_hashes(np.array([v], np.uint32), r)
    assert hashed.dtype == np.uint32
    assert hashed.item() == scalar_hash(v, r)


@pytest.mark.parametrize("p", [2**-40, 0.1, 0.53406, 1 - 2**-53])
def test_colours_of_many_vertices(p):
    for r in round_numbers(7, 3).tolist():
        found = md5_colours(500, r, p)
        assert found.tolist() == [scalar_hash(v, r) < p * 2**32 // 1 for v in range(500)]


# The vectors that the authors of Philox publish with it (Random123, kat_vectors).
@pytest.mark.parametrize(
    ("counter", "key", "expected"),
    [
        ("00000000 " * 4, "00000000 " * 2, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ("ffffffff " * 4, "ffffffff " * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        (
            "243f6a88 85a308d3 13198a2e 03707344",
            "a4093822 299f31d0",
            "d16cfe09 94fdcceb 5001e420 24126ea1",
        ),
    ],
)
def test_philox_gives_the_published_words(counter, key, expected):
    words = [np.array([int(word, 16)], np.uint32) for word in counter.split()]
    found = philox4x32(tuple(words), tuple(int(word, 16) for word in key.split()))
    assert [word.dtype for word in found] == [np.uint32] * 4
    assert [f"{word.item():08x}" for word in found] == expected.split()


def test_philox_colours_hash_vertex_and_round():
    vertices, r = np.array([5, 0, 3_000_000_000]), 4_000_000_001
    zero = np.zeros(3, np.uint32)
    words = philox4x32((vertices.astype(np.uint32), zero, zero, zero), (r, 0))[0]
    np.testing.assert_array_equal(philox_colours(vertices, r, 0.25), words < 2**30)


@pytest.mark.parametrize("colours", [md5_colours, philox_colours])
@given(r=WORDS, chosen=st.lists(WORDS, max_size=5))
def test_a_colour_depends_on_its_vertex_alone(colours, r, chosen):
    together = colours(np.array(chosen, np.uint32), r, 0.5)
    alone = [colours(np.array([v]), r, 0.5).item() for v in chosen]
    assert together.dtype == np.bool_
    assert together.tolist() == alone


@pytest.mark.parametrize("colours", [md5_colours, philox_colours])
def test_colours_look_random(colours):
    """Right part of blue, independent from round to round and from vertex to vertex."""
    n, p = 100_000, 0.53406
    first, second = (colours(n, r, p) for r in round_numbers(3, 2).tolist())
    both = {"rounds": first & second, "neighbours": first[1:] & first[:-1]}
    assert first.mean() == pytest.approx(p, abs=5 * math.sqrt(p * (1 - p) / n))
    for pairs in both.values():
        assert pairs.mean() == pytest.approx(p * p, abs=5 * p / math.sqrt(n))


def test_the_best_p_maximises_equation_2():
    steps = np.linspace(0.0, 0.999, 100_000)
    fractions = 2 * (1 - steps) * (1 - np.exp(-steps / (1 - steps)))
    assert best_p() == pytest.approx(0.53406, abs=5e-6)
    assert best_p() == pytest.approx(steps[fractions.argmax()], abs=1e-4)
    assert first_round_fraction(best_p()) == pytest.approx(fractions.max(), rel=1e-9)
    assert [first_round_fraction(float(p)) for p in steps[:3]] == pytest.approx(fractions[:3])


def test_round_numbers_can_be_drawn_one_by_one():
    rng = np.random.default_rng(11)
    one_by_one = [rng.integers(0, 2**32, dtype=np.uint32) | np.uint32(1) for _ in range(50)]
    found = round_numbers(11, 50)
    assert found.dtype == np.uint32
    np.testing.assert_array_equal(found, one_by_one)
    assert (found % 2 == 1).all()


@pytest.mark.parametrize("p", [0, 1, -0.1, 1.5, float("nan"), "0.5", True])
def test_a_wrong_p_is_refused(p):
    with pytest.raises(ParameterError, match="p must be"):
        blue_limit(p)


@pytest.mark.parametrize(
    ("vertices", "r", "text"),
    [
        (2.5, 1, "vertices must be"),
        ([[1]], 1, "vertices must be"),
        (-1, 1, "from 0"),
        ([2**32], 1, "32 bits"),
        (3, -1, "round's number"),
        (3, 2**32, "round's number"),
        (3, True, "round's number"),
        (3, 1.0, "round's number"),
    ],
)
def test_wrong_vertices_and_rounds_are_refused(vertices, r, text):
    for colours in (md5_colours, philox_colours):
        with pytest.raises(ParameterError, match=text):
            colours(vertices, r, 0.5)


def test_other_wrong_parameters_are_refused():
    with pytest.raises(ParameterError, match="p must be at least 0"):
        first_round_fraction(1.0)
    with pytest.raises(GraphError, match="seed"):
        round_numbers(-1, 3)


def test_only_vertex_0_has_one_colour_for_ever():
    numbers = round_numbers(5, 64).tolist()
    seen = np.array([md5_hashes(np.arange(50, dtype=np.uint32), r) for r in numbers])
    assert np.unique(seen[:, 0]).size == 1
    assert seen[0, 0] / 2**32 == pytest.approx(0.2434, abs=5e-5)
    colours = seen < blue_limit(0.5)
    assert (colours[:, 1:].any(axis=0) & ~colours[:, 1:].all(axis=0)).all()
