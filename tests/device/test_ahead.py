"""Kernels of a source are compiled one by one and side by side, by NVRTC itself."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path

import pytest

from gpucore.device import ahead, nvrtc, source
from gpucore.errors import Cancelled, KernelCompileError

pytest.importorskip("cuda.bindings.nvrtc", reason="needs the packages of the test extra")

TWO = """
#include "simt.h"
#define WHO(place) SIMT_KERNEL(place##_kernel, __launch_bounds__(64))
WHO(first)(int* out) { SIMT_SHARED(int[64], all); all[threadIdx.x] = 1; out[threadIdx.x] = all[0]; }
SIMT_KERNEL(second_kernel)(int* out) { out[threadIdx.x] = 2; }
"""


# The first file is being made when the script ends; the second waits for the only thread.
ENDING = """
import sys, threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from gpucore.device import ahead

ahead.THREADS = 1
other, began = ThreadPoolExecutor(1), threading.Event()

def first(files):
    began.set()
    try:
        while True:
            other.submit(int).result()
    except RuntimeError:  # the interpreter ends
        print("first")

folder = Path(sys.argv[1])
futures = ahead.begin([folder / "first"], first)
futures += ahead.begin([folder / "second"], lambda files: print("second"))
ahead.after(futures, lambda: ahead.begin([folder / "third"], lambda files: print("third")))
began.wait()
"""


@pytest.fixture
def two(tmp_path: Path) -> Path:
    path = tmp_path / "two.cu"
    path.write_text(TWO)
    return path


@pytest.fixture
def begin(two: Path, tmp_path: Path) -> Callable[[str], Future[Path]]:
    def begin_one(kernel: str) -> Future[Path]:
        def work(files: Sequence[Path]) -> None:
            files[0].write_bytes(nvrtc.compile_file(two, arch="sm_90", kernel=kernel).cubin)

        return ahead.begin([tmp_path / f"{kernel}.cubin"], work)[0]

    return begin_one


@pytest.mark.parametrize("kernel", ["first_kernel", "second_kernel"])
def test_a_kernel_is_compiled_alone(two: Path, kernel: str) -> None:
    alone = nvrtc.compile_file(two, arch="sm_90", kernel=kernel).resources()
    assert alone == {kernel: nvrtc.compile_file(two, arch="sm_90").resources()[kernel]}


@pytest.mark.parametrize("stem", ["suitor_fast", "marriage"])
def test_kernels_alone_need_what_they_need_together(stem: str) -> None:
    path = source.source_path(stem)
    together = nvrtc.compile_file(path, arch="sm_90", record=2).resources()
    for kernel, needs in together.items():
        alone = nvrtc.compile_file(path, arch="sm_90", record=2, kernel=kernel).resources()
        assert alone == {kernel: needs}


def test_files_are_made_side_by_side(begin: Callable[[str], Future[Path]]) -> None:
    futures = [begin("first_kernel"), begin("second_kernel")]
    files = [ahead.wait_for(future, None) for future in futures]
    assert [file.stem for file in files] == ["first_kernel", "second_kernel"]
    assert all(file.read_bytes()[:4] == b"\x7fELF" for file in files)


def test_an_error_reaches_the_caller_and_is_not_kept(
    begin: Callable[[str], Future[Path]], two: Path
) -> None:
    two.write_text(TWO.replace("= 2", "= missing"))
    with pytest.raises(KernelCompileError, match='"missing" is undefined'):
        ahead.wait_for(begin("second_kernel"), None)
    two.write_text(TWO)
    assert ahead.wait_for(begin("second_kernel"), None).is_file()


def test_files_that_are_made_together_are_made_once(tmp_path: Path) -> None:
    made: list[list[str]] = []
    go = threading.Event()

    def work(files: Sequence[Path]) -> None:
        assert go.wait(60)
        made.append([file.name for file in files])
        for file in files:
            file.touch()

    names = ("there", "one", "two", "three")
    files = [tmp_path / name for name in names]
    files[0].touch()
    some = ahead.begin(files[:2], work)
    assert ahead.is_under_way(files[1])
    assert not ahead.is_under_way(files[0])
    every = ahead.begin(files, work)
    assert every[1] is some[1]
    go.set()
    assert [ahead.wait_for(future, None) for future in every] == files
    assert sorted(made) == [["one"], ["two", "three"]]
    assert not any(map(ahead.is_under_way, files))


def test_what_follows_begins_when_all_have_ended() -> None:
    done: list[str] = []
    ahead.after([], lambda: done.append("at once"))
    one, two = Future[None](), Future[None]()
    ahead.after([one, two], lambda: done.append("after both"))
    two.set_result(None)
    assert done == ["at once"]
    one.set_exception(KernelCompileError("with an error"))
    assert done == ["at once", "after both"]


def test_a_file_is_made_once_and_outlives_a_cancelled_wait(tmp_path: Path) -> None:
    file, go, made = tmp_path / "one", threading.Event(), []
    cancel = threading.Event()

    def work(files: Sequence[Path]) -> None:
        assert go.wait(60)
        made.append(1)
        file.touch()

    futures = [ahead.begin([file], work)[0], ahead.begin([file], work)[0]]
    cancel.set()
    with pytest.raises(Cancelled):
        ahead.wait_for(futures[0], cancel)
    go.set()
    assert [ahead.wait_for(future, None) for future in futures] == [file, file]
    assert ahead.wait_for(ahead.begin([file], work)[0], None) == file
    assert made == [1]


def test_an_ending_interpreter_begins_no_more_files_and_says_nothing(tmp_path: Path) -> None:
    command = (sys.executable, "-c", ENDING, str(tmp_path))
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert (ran.stdout, ran.stderr) == ("first\n", "")
