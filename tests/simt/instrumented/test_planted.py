"""Planted mistakes are found: by the race detector, or by schedules that yield at any access."""

from __future__ import annotations

import multiprocessing
import resource
import warnings
from collections.abc import Callable
from contextlib import suppress
from itertools import product
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gpucore
from gpucore.device.base import Kernel
from gpucore.device.host import HostDevice
from gpucore.device.profile import Race
from gpucore.errors import KernelError
from gpucore.problems.graph.graph import Graph
from support.planting import Planted

from . import planted
from .planted import PRODUCT_MISTAKES, SYNCHRONISED, Mistake

#: What a changed algorithm may take: more address space (its stacks are reserved), and time.
MOST_BYTES, MOST_SECONDS = 8 << 30, 100

Host = Callable[..., HostDevice]
Run = Callable[[Any], bool]  # runs kernels, returns whether the result is right


def random_ints(n: int, high: int) -> np.ndarray:
    return np.random.default_rng(1).integers(0, high, n).astype(np.int32)


def tree_sum(kernel: Callable[[str], Kernel]) -> bool:
    values, total = random_ints(512, 100), np.zeros(1, np.int32)
    kernel("tree_sum")(4, 128, (values, total))
    return bool(total[0] == values.sum())


def turn_around(kernel: Callable[[str], Kernel]) -> bool:
    values = np.arange(128, dtype=np.int32)
    kernel("turn_around")(2, 64, (5, values))
    wanted = np.roll(np.arange(128).reshape(4, 32), -5, axis=1).ravel()
    return np.array_equal(values, wanted)


def halves(kernel: Callable[[str], Kernel]) -> bool:
    values = np.arange(32, dtype=np.int32)
    kernel("halves")(1, 32, (values,))
    return np.array_equal(values, np.arange(32) ^ 1)


def histogram(kernel: Callable[[str], Kernel]) -> bool:
    values, bins = random_ints(300, 8), np.zeros(8, np.int32)
    kernel("histogram")(3, 128, (300, values, bins))
    return np.array_equal(bins, np.bincount(values, minlength=8))


def smallest(kernel: Callable[[str], Kernel]) -> bool:
    values, least = random_ints(300, 10000) + 5, np.full(1, 20000, np.int32)
    kernel("smallest")(3, 128, (300, values, least))
    return bool(least[0] == values.min())


def all_blocks(kernel: Callable[[str], Kernel], name: str = "all_blocks") -> bool:
    now, before, state = random_ints(5, 9), np.zeros(5, np.int32), np.zeros(2, np.uint32)
    wanted = now.copy()
    for _ in range(4):
        wanted = wanted + np.roll(wanted, -1)
    kernel(name)(5, 32, (4, now, before, state), cooperative=True)
    return np.array_equal(now, wanted)


def all_blocks_meet(kernel: Callable[[str], Kernel]) -> bool:
    return all_blocks(kernel, "all_blocks_meet")


def any_above(kernel: Callable[[str], Kernel]) -> bool:
    values, flag = random_ints(300, 100), np.zeros(1, np.int32)
    kernel("any_above")(3, 128, (300, values, 50, flag))
    return bool(flag[0] == 1)


RUNS: dict[str, Run] = {
    run.__name__: run
    for run in (
        *(tree_sum, turn_around, halves, histogram, smallest),
        *(all_blocks, all_blocks_meet, any_above),
    )
}

#: Which run a mistake is in, and whether wrong results can show it (writing the same flag cannot).
PLACES = {
    "not_loaded": ("tree_sum", True),
    "not_added": ("tree_sum", True),
    "plain_total": ("tree_sum", True),
    "not_written": ("turn_around", True),
    "not_read": ("turn_around", True),
    "vote_for_read": ("turn_around", False),
    "no_half": ("halves", True),
    "wrong_half": ("halves", True),
    "plain_count": ("histogram", True),
    "plain_look": ("smallest", False),
    "plain_least": ("smallest", True),
    "not_kept": ("all_blocks", True),
    "not_moved": ("all_blocks", True),
    "plain_read": ("all_blocks_meet", False),
    "plain_flag": ("any_above", False),
}

#: Mistakes that are no data race: only a schedule shows them.
NO_RACE = {"plain_least"}


def launcher(device: HostDevice, source: str) -> Callable[[str], Kernel]:
    return lambda name: device.kernel(source, name)


@pytest.mark.parametrize("name", RUNS)
def test_correct_kernels_are_clean(host: Host, name: str) -> None:
    for options in ({}, {"policy": "round_robin", "resident": 3}):
        device = host(**options)
        assert RUNS[name](launcher(device, "synchronised"))
        assert device.profile().races == ()
    for seed in range(10):
        device = host(
            policy="random", seed=seed, resident=3, poison=True, yield_access=0.2, yield_atomic=0.2
        )
        assert RUNS[name](launcher(device, "synchronised")), f"seed {seed}"
        assert device.profile().races == ()


@pytest.mark.parametrize("mistake", SYNCHRONISED, ids=lambda m: m.name)
def test_detector_finds_the_mistake_in_one_run(host: Host, mistake: Mistake) -> None:
    device = host(resident=3)
    RUNS[PLACES[mistake.name][0]](launcher(device, mistake.changed_source))
    assert bool(device.profile().races) == (mistake.name not in NO_RACE)


@pytest.mark.parametrize(
    "mistake", [m for m in SYNCHRONISED if PLACES[m.name][1]], ids=lambda m: m.name
)
def test_schedules_show_the_mistake(host: Host, mistake: Mistake) -> None:
    run = RUNS[PLACES[mistake.name][0]]
    for seed in range(60):
        device = host(
            policy="random",
            seed=seed,
            resident=3,
            poison=True,
            yield_access=0.3,
            yield_atomic=0.3,
            observe="nothing",
        )
        if not run(launcher(device, mistake.changed_source)):
            return
    pytest.fail("60 schedules, and the result was always right")


def test_a_race_names_both_lines(host: Host) -> None:
    mistake = next(m for m in SYNCHRONISED if m.name == "not_written")
    device = host()
    turn_around(launcher(device, mistake.changed_source))
    text = mistake.apply(planted.path_of(mistake.source).read_text()).splitlines()
    read = 1 + text.index("        value = mine[(lane + 1) % 32];")
    write = 1 + text.index("        mine[lane] = value;")
    (race,) = (r for r in device.profile().races if "store" in r.second.kind)
    assert (race.first.line, race.second.line) == (read, write)
    assert race.first.kind == "shared load"
    assert race.second.kind == "shared store"
    assert race.first.file == race.second.file == f"{mistake.changed_source}.cu"
    assert race.first.thread // 32 == race.second.thread // 32
    assert race.count > 0
    assert f":{read} (block" in str(race)


def graphs() -> dict[str, Graph]:
    """Graphs that bring every part of the kernels to work: chains, hubs, uneven warps, ties."""
    random = np.random.default_rng(7)
    n, m = 300, 1500
    u, v = random.integers(0, n, (2, m))
    u, v = u[u != v], v[u != v]
    ties = random.integers(1, 12, len(u)).astype(np.float32)
    # the first vertices have all the edges, so some warps of a block have long lists for long
    a, b = random.integers(0, 90, 3000), random.integers(0, 200, 3000)
    a, b = a[a != b], b[a != b]
    # two hubs with more neighbours than a warp searches alone
    leaves = np.arange(2, 1300)
    hub = np.concatenate([leaves * 0, leaves * 0 + 1, leaves[:-1]])
    rim = np.concatenate([leaves, leaves, leaves[1:]])
    return {
        "ties": Graph.from_edges(n, u, v, ties, duplicates="max"),
        "uneven": Graph.from_edges(600, a, b, random.random(len(a), np.float32), duplicates="max"),
        "hubs": Graph.from_edges(1300, hub, rim, random.random(len(hub), np.float32)),
    }


GRAPHS = graphs()
VARIANTS = [
    *(("suitor", variant) for variant in ("fast", "nosync", "sync_lb", "sync_nolb", "hybrid")),
    ("ld", "ld"),
    ("ld", "warp"),
]


def races_of(
    graph: Graph, library: Any, mistake: Mistake | None, algorithm: str, **options: Any
) -> tuple[Race, ...]:
    """Run an algorithm under the detector; the result may well be wrong."""
    observed: dict[str, Any] = {"observe": "races", "resident": 3}
    if mistake is None:
        device = HostDevice(instrumented=True, **observed)
        result = gpucore.run(algorithm, graph, device=device, **options)
        assert result.certificate is not None
        assert result.certificate.ok
    else:
        device = Planted(library, mistake, **observed)
        with suppress(KernelError):  # a mistake can also end in a deadlock
            gpucore.run(algorithm, graph, device=device, certify=False, **options)
    return device.profile().races


@pytest.mark.parametrize(("algorithm", "variant"), VARIANTS, ids=str)
def test_algorithms_are_clean(library: Any, algorithm: str, variant: str) -> None:
    options = {"variant": variant}
    for graph in GRAPHS.values():
        assert races_of(graph, library, None, algorithm, **options) == ()


def taken_bytes() -> int:
    """Return the address space of this process, where the system has it."""
    sizes = Path("/proc/self/statm")
    pages = int(sizes.read_text().split()[0]) if sizes.exists() else 0
    return pages * resource.getpagesize()


def send_races(library: Any, mistake: Mistake, sender: Connection) -> None:
    """Send, after each run, whether it had races; in a process of its own."""
    most = taken_bytes() + MOST_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    algorithm = mistake.source.removesuffix("_fast")
    variants = {"suitor_fast": ["fast"], "suitor": ["nosync", "sync_lb"], "ld": ["ld", "warp"]}
    for variant, graph in product(variants[mistake.source], GRAPHS.values()):
        sender.send(bool(races_of(graph, library, mistake, algorithm, variant=variant)))


@pytest.mark.parametrize("mistake", PRODUCT_MISTAKES, ids=lambda m: m.changed_source)
def test_mistakes_in_algorithms_are_found(library: Any, mistake: Mistake) -> None:
    """A kernel that takes what is in memory for a length may write anywhere, and never end."""
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    child = fork.Process(target=send_races, args=(library, mistake, sender))
    with warnings.catch_warnings():  # other threads are those of pytest's workers
        warnings.simplefilter("ignore", DeprecationWarning)
        child.start()
    sender.close()
    found = False
    with suppress(EOFError):  # the end, whatever it was
        while not found and receiver.poll(MOST_SECONDS):
            found = receiver.recv()
    child.kill()
    child.join()
    assert found
