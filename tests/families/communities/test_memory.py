"""Louvain needs the memory that it asks for, and no more."""

from __future__ import annotations

import tracemalloc

import pytest

import gpucore
from gpucore.device import get_device
from gpucore.device.host import HostDevice
from gpucore.device.source import source_path
from gpucore.errors import DeviceError
from gpucore.families.communities.fast import (
    batches,
    contraction,
    last,
    sizes,
    small,
    small_leiden,
    workspace,
)
from gpucore.families.communities.fast.batches import (
    ENTRY_BYTES,
    SLOT_BYTES,
    fits_at_once,
    most_pairs,
    slots_of,
)
from gpucore.families.communities.fast.contraction import contract
from gpucore.families.communities.part_certificate import certify_part
from gpucore.families.communities.scratch import scratch_bytes
from gpucore.problems.graph.distributed.load import load_whole
from gpucore.problems.graph.generate import rmat
from gpucore.problems.graph.part import cut

from .runs import phase_of, random_graph
from .test_batches import same


class Bounded(HostDevice):
    """A host device with so much memory, in which arrays are counted that exist from now on."""

    def __init__(self, total):
        super().__init__()
        self._total = total
        tracemalloc.stop()
        tracemalloc.start()

    def total_memory(self):
        return self._total

    def free_memory(self):
        return self._total - tracemalloc.get_traced_memory()[0]

    @property
    def peak(self):
        return tracemalloc.get_traced_memory()[1]


@pytest.fixture(autouse=True)
def _untraced():
    yield
    tracemalloc.stop()


@pytest.fixture
def no_small_tables(monkeypatch):
    for module in (batches, contraction):
        monkeypatch.setattr(module, "SMALL_TABLE", 0)


#: Large enough that Python's own objects are small beside the arrays.
LARGER = {
    "rmat": rmat(11, 30, seed=1),
    "sparse": random_graph(12_000, 36_000, 1),
}
#: Bytes of Python's objects that are traced, too.
OBJECTS = 250_000


@pytest.mark.parametrize("share", [0.5, 0.7])
@pytest.mark.parametrize("name", LARGER)
def test_contraction_takes_the_memory_that_it_may(name, share):
    phase = phase_of(LARGER[name], LARGER[name].num_vertices // 3, 2, get_device("host"))
    stage = phase.stage
    free = int(share * (SLOT_BYTES * slots_of(stage.entries) + ENTRY_BYTES * stage.entries))
    assert not fits_at_once(slots_of(stage.entries), stage.entries, 0, free)
    numbering = 12 * stage.n  # new number and strength, before it is asked what is free
    tracemalloc.start()
    contract(phase, free)
    assert tracemalloc.get_traced_memory()[1] < free + numbering + OBJECTS


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("divide", [False, True])
@pytest.mark.parametrize("variant", ["fast", "leiden"])
@pytest.mark.parametrize("name", LARGER)
def test_a_run_takes_no_more_than_it_asks_for(
    name, variant, divide, waits, no_small_tables, monkeypatch
):
    """With exactly the memory that a run asks for, it ends and stays below."""
    graph, karate, more = LARGER[name], gpucore.load("karate"), {"deterministic": waits}
    if divide:
        monkeypatch.setattr(contraction, "fits_at_once", lambda *_: False)
        monkeypatch.setattr(batches, "SHARE", 1 << 60)
        monkeypatch.setattr(small, "MOST_ENTRIES", 0)
    total = 1 << 26
    for _ in range(3):  # a part of what is asked for depends on the size of the memory
        total = scratch_bytes(variant, graph.num_vertices, len(graph.indices), Sized(total), **more)
    (part,) = cut(graph, 1)
    gpucore.run("louvain", karate, device="host", variant=variant)  # imports what a run needs
    device = Bounded(total + OBJECTS)
    result = gpucore.run("louvain", part, device=device, variant=variant, certify=False, **more)
    assert device.peak < total + OBJECTS
    if divide and variant == "fast" and name == "sparse":
        assert result.figures["stages"][0]["batches"] > 1
    assert certify_part(part, result, get_device("host")).ok


class Sized(HostDevice):
    """A host device of which only the size of the memory matters."""

    def __init__(self, total):
        super().__init__()
        self._total = total

    def total_memory(self):
        return self._total


def test_too_little_memory_is_one_clear_error():
    (part,) = cut(LARGER["rmat"], 1)
    device = Bounded(1 << 20)
    with pytest.raises(DeviceError, match=r"the search for communities needs .* has only .* free"):
        gpucore.run("louvain", part, device=device)
    assert device.peak < 1 << 20


@pytest.mark.gpu
@pytest.mark.parametrize("spec", ["rmat_rows:scale=18,weights=unit", "rmat_rows:scale=16"])
def test_a_card_with_little_memory(spec, cuda, no_small_tables, monkeypatch):
    """CuPy's pool refuses more memory than the run asks for; it processes batches."""
    pool = cuda.xp.get_default_memory_pool()
    part = load_whole(spec, cuda, matching=False)
    gpucore.run("louvain", part, device=cuda, starts=1)
    pool.free_all_blocks()
    monkeypatch.setattr(cuda, "total_memory", lambda: 1 << 30)
    monkeypatch.setattr(contraction, "fits_at_once", lambda *_: False)
    monkeypatch.setattr(batches, "SHARE", 1 << 60)
    needed = scratch_bytes("fast", part.n, part.entries, cuda)
    pool.set_limit(pool.used_bytes() + needed * 5 // 4)  # the pool's blocks leave gaps
    try:
        result = gpucore.run("louvain", part, device=cuda, certify=False, starts=1)
        with pytest.raises(DeviceError, match="the search for communities needs"):
            pool.set_limit(pool.used_bytes() + needed // 2)
            gpucore.run("louvain", part, device=cuda)
    finally:
        pool.set_limit(0)
    assert certify_part(part, result, cuda).ok
    assert result.figures["stages"][0]["batches"] > 1


def test_a_table_that_is_too_small_is_filled_again(monkeypatch):
    graph = rmat(11, seed=1)
    device = get_device("host")
    expected = contract(phase_of(graph, 700, 1, device))
    asked = []

    def too_few_first(fast):
        asked.append(slots_of(most_pairs(fast)))
        return 1024 if len(asked) == 1 else asked[-1]

    monkeypatch.setattr(contraction, "expected_slots", too_few_first)
    found = contract(phase_of(graph, 700, 1, device))
    assert expected[0].entries > 1024
    assert len(asked) == 2
    assert same(found, expected)


def test_what_the_blocks_of_one_launch_share_and_its_log_are_counted():
    """They do not depend on the graph, and are most of what a tiny one needs."""
    device = get_device("host")
    rows = small.MOST_STAGES * small.WIDTH + last.MAX_STAGES * len(last.COLUMNS)
    for steps, places in (
        (2 * small.MOST_STAGES + 2, rows),
        (small_leiden.STEPS, small_leiden.STEPS * small.WIDTH),
    ):
        wanted = steps, small.HEADER_SIZE + places, 0, 0, 0, 0
        shared, log, *_ = small.memory_of(device, *wanted).arrays(0)
        assert shared.nbytes + log.nbytes + workspace.ALIGNMENT <= small.FIXED_BYTES
        assert log.size == small.HEADER_SIZE + places


@pytest.mark.parametrize(
    ("file", "kernel", "most"),
    [
        ("louvain_fast", "fast_phase", sizes.OTHER_BYTES),
        ("louvain_fast_last", "fast_last", sizes.OTHER_BYTES),
        ("louvain_fast_small", "fast_small", small.OTHER_BYTES),
        ("leiden_small", "leiden_small", small.OTHER_BYTES),
    ],
)
def test_shared_memory_beside_the_tables(file, kernel, most):
    pytest.importorskip("cuda.bindings.nvrtc", reason="needs the packages of the test extra")
    from gpucore.device import nvrtc

    options = ("--Ofast-compile=max",)
    found = nvrtc.compile_file(
        source_path(file), arch=nvrtc.ARCHITECTURES[0], record=0, options=options
    )
    assert found.resources()[kernel].static_shared_bytes <= most
