"""Instructions per byte: what is counted is what the kernels do."""

from __future__ import annotations

import re

import numpy as np
import pytest

import gpucore
from gpucore.device import get_device, source
from gpucore.errors import DeviceError
from gpucore.families.redblue.bench.intensity import (
    INSTRUCTIONS,
    LANES,
    PUBLISHED,
    SECTOR,
    Instructions,
    Work,
    count_work,
    study,
)
from gpucore.families.redblue.record import SUB_STEPS
from gpucore.loading import load
from gpucore.problems.graph.numbering import permuted
from support.matching_cases import random_graph, skewed_graph

GRAPHS = {
    "grid": permuted(load("grid:rows=30,columns=41"), 0).graph,
    "random": random_graph(700, 3000, 2),
    "skewed": skewed_graph(9, 3000, 3),
}
FIRST = {"variant": "paper", "select": "first", "seed": 5}
#: Lines of redblue.cu that read or write memory, and the kernel that they belong to; what the two
#: share is in redblue.cuh.
_KERNEL = re.compile(r"SIMT_KERNEL\((\w+)\)")


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_steps_and_neighbours_are_those_that_the_kernels_count(each_device, graph):
    work, mate = count_work(graph, seed=5)
    result = gpucore.run("redblue", graph, device=each_device, record="counters", **FIRST)
    np.testing.assert_array_equal(result.mate, mate)
    steps = result.record.steps
    for name, kernel in (("propose", "redblue_propose"), ("respond", "redblue_respond")):
        mine = steps["sub_step"] == SUB_STEPS.index(name)
        one = work[kernel]
        assert steps["edges"][mine].sum() == one.edges
        assert steps["lane_slots"][mine].sum() == LANES * (one.warps + one.steps)


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_sectors_are_those_that_the_instrumented_executor_counts(graph):
    try:
        device = get_device("host", instrumented=True, observe="lines")
    except DeviceError as error:
        pytest.skip(str(error))
    gpucore.run("redblue", graph, device=device, certify=False, **FIRST)
    lines = device.profile().lines
    ours = count_work(graph, seed=5)[0]
    shared = lines["file"] == "redblue.cuh"  # weights; their requests may be split
    weights = int(lines["lanes"][shared & (lines["kind"] == "global load")].sum())
    total = 0
    for kernel, one in ours.items():
        mine = (lines["file"] == "redblue.cu") & np.isin(lines["line"], _lines_of(kernel))
        touched = {k: int(lines[k][mine & _is_global(lines)].sum()) for k in ("lanes", "sectors")}
        found = one.sectors // SECTOR - touched["sectors"]
        assert 0 <= found <= weights
        total += found
    assert total <= weights


def _is_global(lines):
    return np.isin(lines["kind"], ("global load", "global store"))


def _lines_of(kernel):
    """Return the lines of a kernel in its file, from 1."""
    owner, found = "", []
    for number, line in enumerate(source.source_path("redblue").read_text().splitlines(), 1):
        if name := _KERNEL.search(line):
            owner = name[1]
        if owner == kernel:
            found.append(number)
    return found


def test_a_request_counts_words_and_sectors():
    work = Work()
    work.touch(np.arange(64), np.arange(64), 4)
    assert (work.words, work.sectors) == (256, 256)
    work.touch(np.arange(4), np.array([0, 7, 8, 800]), 4)  # 3 sectors
    assert (work.words, work.sectors) == (272, 256 + 3 * SECTOR)
    work.touch(np.array([0, 32]), np.array([5, 5]), 8)  # two warps
    assert (work.words, work.sectors) == (288, 256 + 5 * SECTOR)
    for n, size in ((70, 1), (70, 4), (64, 4), (0, 1)):
        one, other = Work(), Work()
        one.touch(np.arange(n), np.arange(n), size)
        other.touch_all(n, size)
        assert one == other


def test_the_study_is_of_a_grid():
    found = study(get_device("host"))
    assert set(found["kernels"]) == set(PUBLISHED)
    for one in found["kernels"].values():
        assert 0 < one["words"] <= one["sectors"]
        assert one["per_byte"] < one["per_word_byte"]
        assert one["instructions"] == pytest.approx(one["per_byte"] * one["sectors"])


def test_instructions_are_the_compilers():
    """Another release of the compiler may choose a few others."""
    pytest.importorskip("cuda.bindings.nvrtc", reason="needs the packages of the test extra")
    from gpucore.device import nvrtc

    ptx = nvrtc.compile_file(source.source_path("redblue"), arch="sm_90").ptx
    for kernel, known in INSTRUCTIONS.items():
        found = count_instructions(ptx, kernel)
        for part in ("start", "once", "step"):
            assert getattr(found, part) == pytest.approx(getattr(known, part), rel=0.2)


def count_instructions(ptx: str, kernel: str) -> Instructions:
    """Return the instructions of a kernel's parts from its PTX.

    The loop that chooses the heaviest neighbour, which keeps a maximum, is left out.
    """
    begin = ptx.index(f".entry {kernel}")
    body = ptx[begin : ptx.index("\n}", begin)].splitlines()
    lines = [line.strip() for line in body]
    code = [line for line in lines if _is_instruction(line) or line.startswith("$L__")]
    labels: dict[str, int] = {}
    text: list[str] = []
    loops: list[tuple[int, int]] = []
    for line in code:
        if line.endswith(":"):
            labels[line[:-1]] = len(text)
            continue
        text.append(line)
        target = re.search(r"\bbra(?:\.uni)?\s+(\$\w+);", line)
        if target and target[1] in labels:
            loops.append((labels[target[1]], len(text)))
    (first,) = (
        end - start for start, end in loops if not any("max.u64" in t for t in text[start:end])
    )
    start = next(i for i, line in enumerate(text) if line.startswith("ld.global.u64"))
    inside = sum(end - begin for begin, end in loops)
    return Instructions(start, len(text) - inside - start, first)


def _is_instruction(line: str) -> bool:
    return line.endswith(";") and not line.startswith(".")
