"""A reader's kernels: compiling, errors, cache; never compiled by the served app."""

import ast
import re
from pathlib import Path

import numpy as np
import pytest

from gpucore.errors import KernelCompileError, KernelError, MissingDependency, ParameterError
from gpucore.watching.compiling import compiler as labs_compiler
from warplens.labs.kit.kernels import run

ROOT = Path(__file__).parents[2]

COPY = """
SIMT_KERNEL(copy)(int stride, const float* in, float* out)
{
    out[threadIdx.x] = in[threadIdx.x * stride];   // COPY
}
"""


def test_the_app_compiles_nothing_that_a_visitor_types():
    # The playground's own parts run in the visitor's browser, or write files for it.
    paths = sorted(set((ROOT / "app").rglob("*.py")) - set((ROOT / "app" / "play").glob("*.py")))
    imported = {(path, name) for path in paths for name in imported_by(path)}
    assert {path.name for path, _ in imported} > {"view.py", "run_chooser.py"}
    foreign = {(p, n) for p, n in imported if n.partition(".")[0] == "labs" or "watching" in n}
    assert not foreign
    # Who writes its files, and who sends them.
    users = {path.name for path, name in imported if re.search(r"\bplay\b", name)}
    assert users == {"command.py", "handlers.py", "playground.py", "routes.py"}


def imported_by(path):
    """Return the names of the modules that a file imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


@pytest.mark.parametrize(("stride", "sectors"), [(1, 4), (2, 8), (4, 16), (8, 32)])
def test_requests_have_lanes_and_sectors(lab_compiler, stride, sectors):
    values = np.arange(256, dtype=np.float32)
    out = np.zeros(32, np.float32)
    made = run(COPY, stride, values, out)
    np.testing.assert_array_equal(out, values[: 32 * stride : stride])
    (load,) = made.at("COPY", "load")
    (store,) = made.at("COPY", "store")
    assert (load.lanes, len(load.sectors), load.ideal_sectors) == (32, sectors, 4)
    assert (store.lanes, len(store.sectors)) == (32, 4)
    counted = made.profile.select("global load")
    assert (counted["sectors"], counted["lanes"]) == (sectors, 32)


def test_requests_add_up_to_the_profile(lab_compiler):
    source = """
SIMT_KERNEL(climb)(const int* in, int* out)
{
    int sum = 0;
    for (int step = 0; step <= threadIdx.x; ++step) sum += in[step * 9 % 64];
    if (threadIdx.x % 3 == 0) out[threadIdx.x] = sum;
}
"""
    made = run(source, np.ones(64, np.int32), np.zeros(64, np.int32), block=50, grid=2)
    for kind in ("load", "store"):
        mine = [request for request in made.requests if request.kind == kind]
        counted = made.profile.select(f"global {kind}")
        assert len(mine) == counted["requests"]
        assert sum(request.lanes for request in mine) == counted["lanes"]
        assert sum(len(request.sectors) for request in mine) == counted["sectors"]


def test_the_picture_shows_source_and_lanes(lab_compiler):
    made = run(COPY, 8, np.zeros(256, np.float32), np.zeros(32, np.float32))
    html = made._repr_html_()
    assert "32 sectors; 4 would do" in html
    assert "out[threadIdx.x] = in[threadIdx.x * stride];" in html


def test_a_mistake_is_reported_with_the_readers_own_line(lab_compiler):
    with pytest.raises(KernelCompileError, match=r"line 4: .*nowhere") as caught:
        run(COPY.replace("in[", "nowhere["), 1, np.zeros(1, np.float32), np.zeros(1, np.float32))
    assert "4 |     out[threadIdx.x] = nowhere[" in str(caught.value)


def test_a_source_without_a_kernel_is_refused(lab_compiler):
    with pytest.raises(KernelCompileError, match="begin it with SIMT_KERNEL"):
        run("int x;")


def test_the_executor_reports_a_kernel_that_crashes(lab_compiler):
    source = "SIMT_KERNEL(lost)(int* out)\n{\n    out[1 << 30] = 1;\n}\n"
    with pytest.raises(KernelError, match=r"thread \(0,0,0\)"):
        run(source, np.zeros(1, np.int32))


def test_wrong_arguments_are_refused(lab_compiler):
    with pytest.raises(KernelError, match="copy"):
        run(COPY, 1, np.zeros(32, np.float64), np.zeros(32, np.float32))
    with pytest.raises(KernelError, match="no kernel 'paste'; the source has copy"):
        run(COPY, 1, np.zeros(32, np.float32), np.zeros(32, np.float32), name="paste")
    with pytest.raises(ParameterError, match="a lab takes 1 to 4,096"):
        run(COPY, 1, np.zeros(32, np.float32), np.zeros(32, np.float32), block=5000)


def test_a_kernel_is_compiled_once(lab_compiler):
    library = labs_compiler.compile_kernel(COPY)
    made = library.stat().st_mtime_ns
    assert labs_compiler.compile_kernel(COPY) == library
    assert library.stat().st_mtime_ns == made


def test_without_a_compiler_the_error_names_the_fix(monkeypatch):
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(
        MissingDependency, match=r"no-such-compiler was not found.*apt install g\+\+"
    ):
        labs_compiler.compiler.__wrapped__()
