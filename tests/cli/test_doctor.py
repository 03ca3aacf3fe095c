"""warplens doctor: it finds what is installed, and says how to install the rest."""

import shutil

import pytest

from gpucore import native
from gpucore.cli import checks
from gpucore.cli.nvidia import extra_for
from gpucore.errors import DeviceError
from gpucore.installing import install_hint


def test_this_installation_is_whole(call_json):
    code, found = call_json("doctor")
    assert code == 0
    assert found["ok"] is True
    states = {check["name"]: check["state"] for check in found["checks"]}
    assert states["native library"] == states["host device"] == states["Python"] == "ok"


def test_a_missing_library_is_reported_with_its_fix(call, call_json, monkeypatch):
    def load():
        raise DeviceError("the native library is not installed")

    monkeypatch.setattr(native, "load", load)
    code, found = call_json("doctor")
    assert code == 1
    assert found["ok"] is False
    broken = next(check for check in found["checks"] if check["state"] == "missing")
    assert broken["name"] == "native library"
    assert "pip install" in broken["mend"]
    assert "missing" in call("doctor").stdout


def test_optional_parts_do_not_fail(call, monkeypatch):
    monkeypatch.setattr(checks, "BROWSERS", ("no-such-browser",))
    monkeypatch.setattr(checks.Path, "home", classmethod(lambda cls: cls("/nowhere")))
    monkeypatch.setattr(checks, "COMPILERS", ("no-such-compiler",))
    result = call("doctor")
    assert result.exit_code == 0
    assert "playwright install chromium" in result.stdout
    assert "C++ compiler" in result.stdout


def test_a_check_that_raises_is_a_finding(monkeypatch):
    def burst():
        raise RuntimeError("half an installation")

    finding = checks._guarded(burst)
    assert finding.state == "missing"
    assert "half an installation" in finding.detail


def test_packages_that_are_not_installed_are_named():
    found, lacking = checks._versions(("numpy", "no-such-package"))
    assert found.startswith("numpy ")
    assert lacking == ["no-such-package"]


@pytest.mark.parametrize(
    ("shown", "extra"),
    [
        ("| Driver Version: 525.60  CUDA Version: 12.0 |", "cuda12"),
        ("| Driver Version: 580.65  CUDA Version: 13.0 |", "cuda13"),
        ("| Driver Version: 700.00  CUDA Version: 14.2 |", "cuda13"),
        ("| Driver Version: 470.00  CUDA Version: 11.4 |", None),
        ("NVIDIA-SMI has failed", None),
    ],
)
def test_the_driver_chooses_the_extra(shown, extra):
    assert extra_for(shown) == extra


def test_with_a_driver_but_without_cupy_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/true")
    monkeypatch.setattr("gpucore.cli.nvidia.cuda_extra", lambda path: "cuda13")
    assert checks._gpu_fix() == install_hint("cuda13")
