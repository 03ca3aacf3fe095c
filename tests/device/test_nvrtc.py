"""Every kernel compiles for a GPU on a machine without one; its resources are checked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from gpucore.device import nvrtc, source
from gpucore.errors import KernelCompileError, KernelError

pytest.importorskip("cuda.bindings.nvrtc", reason="needs the packages of the test extra")

# A kernel may give up registers on purpose, to have more warps at work: it says so by its launch
# bounds.  Even then it may not spill more than this, in bytes a thread: what the search of a small
# graph in one launch reads again on the newest GPU.
BOUNDED = re.compile(r"SIMT_KERNEL\((\w+), __launch_bounds__")
CHOSEN_SPILL = 704

SHARED = """
extern "C" __global__ void with_shared(float* out, const float* in, int n)
{
    __shared__ float tile[64];
    tile[threadIdx.x % 64] = in[threadIdx.x % n];
    __syncthreads();
    out[threadIdx.x] = tile[(threadIdx.x + 1) % 64] * TWO + out[threadIdx.x];
}
extern "C" __global__ void with_stack(int* out, int n)
{
    volatile int list[100];
    for (int i = 0; i < 100; ++i) list[i] = out[i];
    out[0] = list[n % 100];
}
"""


@pytest.fixture(scope="module")
def compile_once() -> Callable[..., nvrtc.Compiled]:
    """Return a function like compile_file that compiles every kernel only once."""
    return cache(nvrtc.compile_file)


@pytest.fixture
def two_kernels(tmp_path: Path) -> Path:
    path = tmp_path / "two.cu"
    path.write_text(SHARED)
    return path


def test_resources_are_read(two_kernels: Path) -> None:
    compiled = nvrtc.compile_file(two_kernels, arch="sm_90", constants={"TWO": 2})
    needs = compiled.resources()
    assert set(needs) == {"with_shared", "with_stack"}
    assert needs["with_shared"].static_shared_bytes == 256
    assert needs["with_shared"].parameters == 3
    assert needs["with_shared"].barriers == 1
    assert needs["with_shared"].stack_bytes == 0
    assert needs["with_stack"].stack_bytes == 400
    assert needs["with_stack"].parameters == 2
    assert needs["with_stack"].barriers == 0
    for kernel in needs.values():
        assert kernel.registers > 0
        assert kernel.code_bytes > 0
        assert kernel.spill_store_bytes == kernel.spill_load_bytes == 0


def test_spills_are_seen(tmp_path: Path) -> None:
    """A kernel held to few registers, with many live values, has to spill."""
    path = tmp_path / "crowded.cu"
    path.write_text(
        """
        extern "C" __global__ void __launch_bounds__(1024, 2) crowded(float* out)
        {
            float x[96];
            #pragma unroll
            for (int i = 0; i < 96; ++i) x[i] = out[i * 1024 + threadIdx.x];
            __syncthreads();
            #pragma unroll
            for (int i = 0; i < 96; ++i) out[i * 1024 + 95 - threadIdx.x] = x[i] * x[95 - i];
        }
        """
    )
    needs = nvrtc.compile_file(path, arch="sm_90").resources()["crowded"]
    assert needs.registers <= 32
    assert needs.spill_store_bytes > 0
    assert needs.spill_load_bytes > 0


def test_arithmetic_is_that_of_the_host(two_kernels: Path) -> None:
    """No fused multiply-add and no flushing of denormals: both devices compute the same bits."""
    ptx = nvrtc.compile_file(two_kernels, arch="sm_90", constants={"TWO": 2}).ptx
    assert "fma.rn.f32" not in ptx
    assert "ftz" not in ptx


def test_compile_error_names_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.cu"
    path.write_text('extern "C" __global__ void broken(int* p)\n{\n    *p = missing;\n}\n')
    with pytest.raises(KernelCompileError, match=r'broken\.cu\(3\).*"missing" is undefined'):
        nvrtc.compile_file(path, arch="sm_90")


def test_unknown_architecture_is_one_error(two_kernels: Path) -> None:
    with pytest.raises(KernelCompileError, match="sm_12"):
        nvrtc.compile_file(two_kernels, arch="sm_12", constants={"TWO": 2})


def test_unknown_family_and_level_are_errors() -> None:
    with pytest.raises(KernelError, match="no kernel source 'nonesuch'"):
        source.source_path("nonesuch")
    with pytest.raises(KernelError, match="record level 3"):
        source.compile_options(Path(), 3, {})


def test_digest_follows_the_headers(two_kernels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    header = two_kernels.with_name("extra.cuh")
    header.write_text("// one\n")
    monkeypatch.setattr(source, "INCLUDE", (two_kernels.parent,))
    before = source.digest(two_kernels)
    assert source.digest(two_kernels) == before
    header.write_text("// two\n")
    assert source.digest(two_kernels) != before


@pytest.mark.parametrize("family", source.sources())
def test_family_compiles_for_the_gpu(
    family: str, compile_once: Callable[..., nvrtc.Compiled]
) -> None:
    """For the newest GPU and the oldest one; at every record level, with and without events.

    Without a record no kernel spills unasked or carries a trace of it. Only what is asked of
    registers needs the optimiser, which takes seconds; the levels are compared without it.
    """
    path = source.source_path(family)
    oldest, *_, newest = nvrtc.ARCHITECTURES
    level_off, level_counters, level_events = source.RECORD_LEVELS
    optimised = compile_once(path, arch=newest, record=level_off).resources()
    quick = ("--Ofast-compile=max",)
    off, counters, events = (
        compile_once(path, arch=oldest, record=level, options=quick).resources()
        for level in (level_off, level_counters, level_events)
    )
    bounded = set(BOUNDED.findall(path.read_text()))
    assert off
    assert set(optimised) == set(off) == set(counters) == set(events)
    for name in off:
        spilled = max(optimised[name].spill_store_bytes, optimised[name].spill_load_bytes)
        assert spilled <= (CHOSEN_SPILL if name in bounded else 0), name
        assert counters[name].parameters == events[name].parameters, name
        if events[name].parameters > off[name].parameters:
            assert off[name].parameters == events[name].parameters - 1, name
            # Mostly smaller; but the compiler may unroll a loop only where it records nothing.
            assert off[name].code_bytes != events[name].code_bytes, name
        else:  # nothing to record: the same code, though functions that it calls may spill
            assert off[name].code_bytes == events[name].code_bytes, name
            assert off[name].registers == events[name].registers, name
    recording = [name for name in off if events[name].parameters > off[name].parameters]
    assert bool(recording) == ("RECORD_PARAMS" in path.read_text())


def test_survey_is_written_as_data(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    compile_once: Callable[..., nvrtc.Compiled],
) -> None:
    monkeypatch.setattr(nvrtc, "compile_file", compile_once)
    # All sources are compiled one by one above; a survey of the shortest shows what it writes.
    some = sorted(source.sources(), key=lambda name: source.source_path(name).stat().st_size)[:2]
    monkeypatch.setattr(source, "sources", lambda: some)
    output = tmp_path / "resources.json"
    assert nvrtc.main(["--arch", "sm_90", "--output", str(output)]) == 0
    table = json.loads(output.read_text())
    assert table["compiler"].startswith("NVRTC ")
    assert set(table["sources"]) == set(source.sources())
    rows = [(row["family"], row["record"]) for row in table["kernels"]]
    assert set(rows) == {(f, level) for f in source.sources() for level in source.RECORD_LEVELS}
    assert all(row["registers"] > 0 for row in table["kernels"])


def test_survey_reports_an_unusable_architecture(capsys: pytest.CaptureFixture[str]) -> None:
    if not source.sources():
        pytest.skip("there is no kernel family to compile")
    assert nvrtc.main(["--arch", "sm_12"]) == 1
    assert "does not compile for sm_12" in capsys.readouterr().err
