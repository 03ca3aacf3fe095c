"""Every finding has a kernel that only it catches, and a clean twin that it leaves alone."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import gpucore

FILES = sorted((Path(__file__).parent / "kernels").glob("planted_*.cu"))
SOURCE = "\n".join(path.read_text() for path in FILES)
LINES = SOURCE.splitlines()
NAMES = re.findall(r"^__global__ void (\w+)\(", SOURCE, re.MULTILINE)
#: Kernels whose blocks meet.
TWO_BLOCKS = ("last_block", "flag_after", "division_by_zero_right", "different_values")


def marks(name):
    """Return the kinds and lines that the comments of a kernel name."""
    start = next(at for at, line in enumerate(LINES) if f" {name}(" in line)
    end = next(at for at in range(start, len(LINES)) if LINES[at] == "}")
    named = [(re.search(r"<- ([\w ,]+)", LINES[at]), at + 1) for at in range(start, end)]
    return {(kind.strip(), at) for found, at in named if found for kind in found[1].split(",")}


def watched(name, **options):
    x, out = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    blocks = 2 if name.startswith(TWO_BLOCKS) else 1
    chosen = {"schedules": 12, "shared_mem": 256, "steps": 4_000_000} | options
    if name.startswith("uninitialised_global"):
        chosen["empty"] = [1]
    return gpucore.watch(SOURCE, blocks, 64, (x, out, 64), name=name, **chosen)


def found_in(report):
    races = {("race", side.line) for race in report.races for side in (race.first, race.second)}
    same = {("same value", race.first.line) for race in report.same_value}
    return races | same | {(finding.kind, finding.line) for finding in report.findings}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_planted_is_found_and_nothing_else(lab_compiler, name):
    report = watched(name)
    assert found_in(report) == marks(name), str(report)
    assert report.ok == (not {kind for kind, _ in marks(name)} - {"same value"})


def test_every_kernel_has_a_clean_twin():
    planted = [name for name in NAMES if not name.endswith("_right")]
    assert sorted(NAMES) == sorted([*planted, *(f"{name}_right" for name in planted)])
    assert all({kind for kind, _ in marks(name)} for name in planted)
    assert not any(
        {kind for kind, _ in marks(f"{name}_right")} - {"same value"} for name in planted
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("reads_outside", "reads x[64], of an array of 64 int32, 4 bytes past its"),
        ("writes_before", "writes out[-1], of an array of 64 int32, 4 bytes before"),
        ("reads_far_outside", "x[1000000]"),
        ("updates_outside", "updates out[64]"),
        ("shared_outside", "other[32], of shared memory of 128 bytes, 4 bytes past its end"),
        ("local_outside", "own[4], of a local array of 4 elements, 4 bytes past its end"),
        ("local_before", "reads own[-1], of a local array of 3 elements, 4 bytes before its"),
        ("local_far_outside", "own[8192], of a local array of 4 elements"),
        ("uninitialised_local_array", "reads own[0], of a local array of 4 elements, which"),
        (
            "uninitialised_shared",
            "part[63], of shared memory of 256 bytes, which has not been",
        ),
        ("barrier_by_some_lanes", "32 threads of block 0 come to __syncthreads, and thread 1 ret"),
        ("shuffle_with_absent_lanes", "mask 0xffffffff, of which lanes 20 to 31 return without"),
        ("lock_that_stays", "63 threads are at line"),
    ],
)
def test_a_finding_says_who_what_and_where(lab_compiler, name, words):
    assert words in str(watched(name, schedules=1)), watched(name, schedules=1)


def test_forgotten_shared_memory_names_the_option(lab_compiler):
    report = watched("dynamic_outside_right", shared_mem=0, schedules=1)
    assert "dynamic shared memory of 0 bytes" in str(report)
    assert "pass its size as shared_mem" in str(report)


def test_why_a_launch_was_ended(lab_compiler):
    x = np.zeros(1, np.int32)
    count = "__global__ void k(int* x) { while (atomicAdd(x, 1) >= 0) {} }"
    found = gpucore.watch(count, 1, 32, (x,), steps=100_000).findings
    assert [one.kind for one in found] == ["endless"]
    assert found[0].text.startswith("the launch has not ended after 100,000 steps")
    wait = "__global__ void k(int* x) { while (atomicAdd(x, 0) == 0) {} }"
    found = gpucore.watch(wait, 1, 32, (x,), steps=100_000).findings
    assert [one.text.partition(". ")[2] for one in found] == ["What they wait for does not change."]


def test_races_before_an_error_are_reported_with_it(lab_compiler):
    source = """
    __global__ void k(int* x, int n) {
        x[0] += 1;
        if (threadIdx.x == 5) x[n] = 7;
    }"""
    report = gpucore.watch(source, 1, 32, (np.zeros(8, np.int32), 1 << 28))
    assert {("race", 3), ("outside", 4)} <= found_in(report)
    assert report.results == 0


@pytest.mark.parametrize("view", [lambda a: a.reshape(4, 3).T, lambda a: a[::2], lambda a: a[::-1]])
def test_views_are_passed_as_on_a_gpu(lab_compiler, view):
    a = view(np.arange(12, dtype=np.float32))
    source = "__global__ void k(float* o, const float* a) { o[threadIdx.x] = a[threadIdx.x]; }"
    report = gpucore.watch(source, 1, a.size, (np.zeros(a.size, np.float32), a), schedules=1)
    assert "a is not contiguous" in str(report)
    if a.strides[0] > 0:
        assert report.ok
        assert np.array_equal(report.arrays[0], np.arange(a.size))
    else:  # the pointer is the last element's place
        assert [finding.kind for finding in report.findings] == ["outside"]


def test_device_variables_begin_with_their_value_in_each_schedule(lab_compiler):
    report = watched("division_by_zero_right")
    assert report.results == 1


def test_different_results_are_a_verdict_of_their_own(lab_compiler):
    source = """
    __global__ void k(int* list, int* count) {
        list[atomicAdd(count, 1)] = threadIdx.x;
    }"""
    report = gpucore.watch(source, 1, 64, (np.zeros(64, np.int32), np.zeros(1, np.int32)))
    assert report.ok
    assert report.results > 1
    assert "different results in 20 schedules" in str(report)
