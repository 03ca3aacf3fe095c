"""The executor that readers' kernels are linked with: shipped, or compiled on the machine."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest

from gpucore.device.host import HostDevice
from gpucore.watching.compiling import executor
from gpucore.watching.compiling.compiler import compile_kernel
from gpucore.watching.source.translate import translate
from gpucore.watching.toolchain import KERNEL, command

SOURCE = "__global__ void k(int* o) { o[threadIdx.x] = threadIdx.x; }"


@pytest.fixture
def fresh(monkeypatch, tmp_path, lab_compiler):
    """Return an empty cache folder."""
    monkeypatch.setenv("WARPLENS_CACHE", str(tmp_path))
    return tmp_path


def works():
    out = np.zeros(32, np.int32)
    library = compile_kernel(translate(SOURCE))
    HostDevice(library=library, instrumented=True).kernel("lab", "k")(1, 32, [out])
    return out.tolist() == list(range(32))


def test_the_installed_executor_is_used_as_it_is(fresh, capsys):
    shipped = executor._shipped()
    assert shipped is not None, "the digest of CMake and that of Python differ; install again"
    assert works()
    assert (executor.prepared() / "executor.o").read_bytes() == shipped.read_bytes()
    assert capsys.readouterr().err == ""


def test_one_that_this_compiler_cannot_link_is_compiled(fresh, monkeypatch, capsys, tmp_path):
    broken = tmp_path / "watched.o"
    broken.write_bytes(b"not an object file")
    monkeypatch.setattr(executor, "_shipped", lambda: broken)
    assert works()
    assert "Compiling the executor, once on this machine" in capsys.readouterr().err


def test_the_compiled_headers_are_taken(fresh):
    folder = executor.prepared()
    unit = fresh / "unit.cpp"
    unit.write_text(f'#include "{executor.PREFIX}"\n')
    asked = [*command(KERNEL), "-H", "-Winvalid-pch", "-I", str(folder), "-fsyntax-only", str(unit)]
    done = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert f"! {folder / executor.PREFIX}.gch" in done.stderr
