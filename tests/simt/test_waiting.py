"""Lanes that wait for others make progress; a kernel that never ends can be cancelled."""

from __future__ import annotations

import itertools
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gpucore.device.host import HostDevice
from gpucore.errors import Cancelled, KernelError

from . import torture

Host = Callable[..., HostDevice]
POLICIES = ["sequential", "round_robin", "random"]


def zero() -> np.ndarray:
    return np.zeros(1, np.int32)


class After:
    """Set once it was asked a number of times."""

    def __init__(self, times: int) -> None:
        self._left = itertools.chain(itertools.repeat(False, times), itertools.repeat(True))

    def is_set(self) -> bool:
        return next(self._left)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    "kind", range(6), ids=["atomic", "simt_load", "ldcg", "nanosleep", "fence", "collective"]
)
def test_polling_does_not_starve_others(host: Host, policy: str, kind: int) -> None:
    host(policy=policy).kernel("endless", "waits_for_last")(1, 128, (kind, zero()))


@pytest.mark.parametrize("policy", POLICIES)
def test_a_warp_that_polls_does_not_starve_others(host: Host, policy: str) -> None:
    host(policy=policy).kernel("endless", "warp_waits")(1, 64, (zero(),))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("threads", [1, 3])
def test_a_lock_goes_round_all_lanes(host: Host, policy: str, threads: int) -> None:
    guarded = zero()
    device = host(policy=policy, threads=threads, resident=2)
    device.kernel("endless", "locks")(4, 96, (zero(), guarded))
    assert guarded[0] == 4 * 96


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "kind", range(5), ids=["atomics", "collectives", "barriers", "racy loads", "plain loads"]
)
def test_an_endless_kernel_is_cancelled(host: Host, kind: int, threads: int) -> None:
    device = host(threads=threads)
    kernel = device.kernel("endless", "never_ends")
    with device.cancel_with(After(3), None), pytest.raises(Cancelled):
        kernel(4, 64, (kind, zero()))
    assert torture.run(device) == torture.run(host())  # and the device can go on


def test_cancelled_before_the_launch(host: Host) -> None:
    device = host()
    out = np.zeros(32, np.uint32)
    with device.cancel_with(After(0), None), pytest.raises(Cancelled):
        device.kernel("collectives", "active")(1, 32, (out,))
    assert not out.any()


def test_cancelling_ends_with_its_context(host: Host) -> None:
    device = host()
    before = {*threading.enumerate()}
    with device.cancel_with(After(10**9), None):
        torture.run(device)
    assert {*threading.enumerate()} <= before
    torture.run(device)


def test_progress_is_reported_in_the_launching_thread(host: Host) -> None:
    device = host()
    seen: list[tuple[str, int, int]] = []

    def progress(phase: str, done: int, total: int) -> None:
        seen.append((phase, done, total))
        assert threading.current_thread() is threading.main_thread()

    with device.cancel_with(After(4), progress), pytest.raises(Cancelled):
        device.kernel("endless", "never_ends")(4, 64, (1, zero()))
    assert seen
    assert set(seen) == {("never_ends", 0, 4)}


def test_an_error_of_the_callback_ends_the_launch_and_is_raised(host: Host) -> None:
    device = host(threads=2)

    def progress(phase: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with device.cancel_with(None, progress), pytest.raises(KeyboardInterrupt):
        device.kernel("endless", "never_ends")(4, 64, (0, zero()))


INTERRUPTED = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
sys.path.insert(0, sys.argv[1])
import numpy as np
import torture
from gpucore.device.host import HostDevice
device = HostDevice(library=sys.argv[2])
try:
    print("ready", flush=True)
    device.kernel("endless", "never_ends")(1, 64, (3, np.zeros(1, np.int32)))
except KeyboardInterrupt:
    assert torture.run(device) == torture.run(HostDevice(library=sys.argv[2]))
    print("interrupted", flush=True)
"""


def test_ctrl_c_ends_a_launch(library: Path) -> None:
    """In a process of its own, which gets Ctrl-C even if the tests ignore it."""
    command = [sys.executable, "-c", INTERRUPTED, str(Path(__file__).parent), str(library)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        try:
            assert child.communicate(timeout=60)[0] == "interrupted\n"
        finally:
            child.kill()


FORK = """
import os, sys
sys.path.insert(0, sys.argv[1])
import torture
from gpucore.device.host import HostDevice
expected = torture.run(HostDevice(library=sys.argv[2], threads=2))
child = os.fork()
found = torture.run(HostDevice(library=sys.argv[2], threads=2))
if child == 0:
    os._exit(0 if found == expected else 1)
assert os.waitpid(child, 0)[1] == 0 and found == expected
"""


def test_a_forked_process_has_its_own_lanes(library: Path) -> None:
    command = [sys.executable, "-c", FORK, str(Path(__file__).parent), str(library)]
    subprocess.run(command, check=True)


def test_two_devices_in_two_threads(host: Host) -> None:
    expected = torture.run(host())
    results: list[str] = []

    def work(seed: int) -> None:
        device = host(policy="random", seed=seed)
        for _ in range(5):
            results.append(torture.run(device))
            with pytest.raises(KernelError):
                device.kernel("mistakes", "gives_up")(1, 32, ())

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 15
