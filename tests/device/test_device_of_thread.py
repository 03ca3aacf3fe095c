"""A thread's runs that only name a GPU have one device, which knows the kernels of earlier runs."""

from __future__ import annotations

import threading

import pytest

import gpucore
from gpucore import device as devices
from gpucore.errors import ParameterError


class Gpu:
    """Stands for a GPU where there is none; only whether it is kept is tested."""

    name = "cuda"
    current = True

    def is_current(self):
        return self.current


@pytest.fixture
def made(monkeypatch):
    """Return the devices that were made, GPUs unless "host" was asked for."""
    made = []

    def get_device(name):
        made.append(Gpu() if name != "host" else plain(name))
        return made[-1]

    plain = devices.get_device
    monkeypatch.setattr(devices, "get_device", get_device)
    monkeypatch.setattr(devices, "_thread", threading.local())
    return made


def test_a_thread_keeps_its_gpu(made):
    first = devices.device_of_thread("cuda")
    assert devices.device_of_thread("auto") is devices.device_of_thread("cuda") is first
    assert made == [first]


def test_another_thread_has_its_own(made):
    devices.device_of_thread("cuda")
    other = threading.Thread(target=devices.device_of_thread, args=["cuda"])
    other.start()
    other.join()
    assert len(made) == 2


def test_another_gpu_is_another_device(made):
    first = devices.device_of_thread("cuda")
    first.current = False
    second = devices.device_of_thread("cuda")
    assert second is not first
    assert devices.device_of_thread("cuda") is second


def test_the_host_is_made_for_each_run(made):
    gpu = devices.device_of_thread("auto")
    assert devices.device_of_thread("host") is not devices.device_of_thread("host")
    assert devices.device_of_thread("auto") is gpu


def test_a_name_that_does_not_exist():
    with pytest.raises(ParameterError, match="choose auto, cuda or host"):
        devices.device_of_thread("gpu")


@pytest.mark.gpu
def test_runs_on_a_gpu_share_a_device(cuda):
    graph = gpucore.load("karate")
    gpucore.run("louvain", graph, device="cuda")
    kept = devices.device_of_thread("cuda")
    loaded = kept.kernels_loaded
    assert loaded > 0
    gpucore.run("louvain", graph, device="auto")
    assert devices.device_of_thread("cuda") is kept
    assert kept.kernels_loaded == loaded
