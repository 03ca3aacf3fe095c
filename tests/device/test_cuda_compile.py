"""A kernel is compiled by a process of its own, with what the compiler says as the error."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from gpucore.device import cuda, cuda_ahead, nvrtc, nvrtc_process, source
from gpucore.device.cuda_compile import compile_in_process
from gpucore.errors import KernelCompileError

pathfinder = pytest.importorskip("cuda.pathfinder", reason="needs the packages of the test extra")


@pytest.fixture(scope="module")
def library() -> Path:
    return Path(pathfinder.load_nvidia_dynamic_lib("nvrtc").abs_path)


def options(path: Path, kernel: str | None, arch: str = "sm_90") -> tuple[str, ...]:
    kernels = () if kernel is None else (kernel,)
    return (*source.compile_options(path, 0, {}, kernels), f"-arch={arch}")


def test_a_process_has_the_code_of_this_process(library: Path) -> None:
    path = source.source_path("redblue_fast")
    code = compile_in_process(library, path, options(path, "redblue_fast"))
    assert code[:4] == b"\x7fELF"
    alone = nvrtc.compile_file(path, arch="sm_90", kernel="redblue_fast")
    mine = nvrtc.Compiled(code, alone.ptx, alone.log)
    assert mine.resources() == alone.resources()


def test_an_older_compiler_writes_code_for_the_driver(library: Path) -> None:
    path = source.source_path("redblue_fast")
    code = compile_in_process(library, path, options(path, "redblue_fast", "compute_90"))
    assert b".entry redblue_fast(" in code


def test_machine_code_names_the_file_and_its_lines(library: Path) -> None:
    path = source.source_path("redblue_fast")
    code = compile_in_process(library, path, options(path, "redblue_fast"))
    assert str(path.parent).encode() in code
    assert path.name.encode() in code


def test_the_compilers_messages_are_the_error(library: Path, tmp_path: Path) -> None:
    path = tmp_path / "wrong.cu"
    path.write_text('extern "C" __global__ void wrong(int* out) {\n  out[0] = missing;\n}\n')
    with pytest.raises(KernelCompileError, match=r'wrong\.cu\(2\)(.|\n)*"missing" is undefined'):
        compile_in_process(library, path, options(path, None))


def test_a_compiler_that_cannot_be_loaded_is_named(tmp_path: Path) -> None:
    path = source.source_path("redblue_fast")
    with pytest.raises(KernelCompileError, match=r"NVRTC does not work: OSError.*nothing\.so"):
        compile_in_process(tmp_path / "nothing.so", path, options(path, None))


def test_a_process_that_cannot_be_started_is_an_error(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "/nothing/python")
    path = source.source_path("redblue_fast")
    with pytest.raises(KernelCompileError, match=r"NVRTC does not work.*/nothing/python"):
        compile_in_process(library, path, options(path, None))


def test_the_program_imports_nothing_of_ours() -> None:
    lines = Path(nvrtc_process.__file__).read_text().splitlines()
    imports = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
    assert imports == {"__future__", "ctypes", "pathlib", "sys"}


def test_kernels_of_a_unit_are_compiled_and_no_others(library: Path) -> None:
    path = source.source_path("louvain_state")
    names = ("louvain_strength", "louvain_tally")
    code = compile_in_process(
        library, path, (*source.compile_options(path, 0, {}, names), "-arch=sm_90")
    )
    found = {name for name in cuda_ahead.names_of("louvain_state", 0) if _has(code, name)}
    assert found == set(names)


def _has(code: bytes, kernel: str) -> bool:
    return f".text.{kernel}\0".encode() in code


def test_whether_a_kernel_is_compiled_starts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A caller with another way asks, and does not wait; a loaded kernel is not looked for."""
    begun: list[list[str]] = []
    made: Future[Path] = Future()

    def begin(path: Path, names: list[str], record: int, constants: dict[str, int]) -> list[Any]:
        assert path == source.source_path("redblue_fast")
        assert (record, constants) == (0, {})
        begun.append(names)
        return [made]

    monkeypatch.setattr(cuda, "begin_kernels", begin)
    device = object.__new__(cuda.CudaDevice)
    device._kernels = {}
    assert not device.is_compiled("redblue_fast", "redblue_fast")
    made.set_result(Path())
    assert device.is_compiled("redblue_fast", "redblue_fast")
    assert begun == [["redblue_fast"]] * 2
    device._kernels["redblue_fast", "redblue_fast", 0] = None  # type: ignore[assignment]
    assert device.is_compiled("redblue_fast", "redblue_fast")
    assert len(begun) == 2
