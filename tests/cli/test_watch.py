"""``warplens watch`` of a kernel: its arguments in words, its forms of output, its exit codes."""

import json
from pathlib import Path

import numpy as np
import pytest

from gpucore.cli.console import BAD_INPUT, DEVICE, NOT_CERTIFIED, USAGE
from gpucore.device.signature import Parameter, Signature
from gpucore.errors import ParameterError
from gpucore.watching.launches.given import read_arguments

SUM = """\
__global__ void total(const int* x, int n, int* sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) %s;
}
"""
RIGHT, RACY = SUM % "atomicAdd(sum, x[i])", SUM % "sum[0] += x[i]"
KEYS = {
    "file", "ok", "name", "findings", "races", "same_value", "results", "schedules", "warnings",
    "remarks", "output", "lines", "steps", "arrays",
}  # fmt: skip


@pytest.fixture
def watch(call, lab_compiler, tmp_path):
    """Watch a source; returns the result, with the path of its file."""

    def run(source, *options):
        path = tmp_path / "kernel.cu"
        path.write_text(source)
        return call("watch", path, "--schedules", "3", *options), path

    return run


def test_a_right_kernel_is_ok(watch):
    found, _ = watch(RIGHT, "--block", "32")
    assert found.exit_code == 0, found.output
    assert found.stdout == "total: no data race, one result in 3 schedules\n"


def test_a_race_has_its_exit_code_and_lines(watch):
    found, _ = watch(RACY, "--block", "32")
    assert found.exit_code == NOT_CERTIFIED
    assert "line 4: the global store of block 0, thread 0" in found.stdout


def test_json_has_stable_keys(watch):
    found, path = watch(RACY, "--block", "32", "--json")
    assert found.exit_code == NOT_CERTIFIED
    said = json.loads(found.stdout)
    assert said.keys() == KEYS
    assert (said["ok"], said["file"], said["name"]) == (False, str(path), "total")
    assert said["races"][0]["first"].keys() == {"file", "line", "kind", "block", "thread"}
    assert said["races"][0]["second"]["line"] == 4
    store = next(row for row in said["lines"] if row["kind"] == "global store")
    assert (store["file"], store["line"], store["requests"], store["lanes"]) == ("", 4, 2, 64)
    assert said["arrays"][1] == {
        "type": "int32",
        "length": 64,
        "values": said["arrays"][1]["values"],
    }


def test_json_has_the_steps_of_warps_with_their_lanes(watch):
    source = """__global__ void k(int* x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x % 32 < 8)
        x[i] = 1;
    else
        x[i] = 2;
}
"""
    found, _ = watch(source, "--block", "64", "--json")
    stores = [row for row in json.loads(found.stdout)["steps"] if row["kind"] == "global store"]
    warps = [(block, warp) for block in range(2) for warp in range(2)]
    kept = sorted((row["block"], row["warp"], row["line"], row["lanes"]) for row in stores)
    assert kept == [
        (*one, line, lanes) for one in warps for line, lanes in ((5, 0xFF), (7, 0xFFFFFF00))
    ]


def test_json_has_exact_numbers_or_texts(watch):
    source = """__global__ void k(float* x, unsigned long long* y)
{
    if (threadIdx.x == 0) { x[0] = 1.0f / 0.0f; y[0] = ~0ull; }
}
"""
    arguments = ["--arg", "zeros:float32:2000", "--arg", "list:uint64:7,8"]
    found, _ = watch(source, "--block", "32", "--grid", "1", "--json", *arguments)
    floats, longs = json.loads(found.stdout)["arrays"]
    assert (floats["length"], len(floats["values"]), floats["values"][:2]) == (
        2000,
        1024,
        ["inf", 0.0],
    )
    assert longs == {"type": "uint64", "length": 2, "values": [str(2**64 - 1), 8]}


def test_github_gets_annotations(watch):
    found, path = watch(RACY, "--block", "32", "--github", "--arg", "iota:10")
    lines = found.stdout.splitlines()
    assert f"::error file={path},line=4::block 0, thread 10 reads x[10]" in (lines[0])
    assert all(line.startswith("::") for line in lines)
    assert watch(RIGHT, "--block", "32", "--github")[0].stdout == ""


def test_headers_beside_the_file_and_templates_are_found(watch, tmp_path):
    (tmp_path / "twice.h").write_text("__device__ int twice(int x) { return 2 * x; }\n")
    source = (
        '#include "twice.h"\ntemplate <class T> __global__ void f(T* x)\n'
        "{ x[blockIdx.x * 8 + threadIdx.x + 4 * threadIdx.y] = twice(1); }\n"
    )
    options = ("--name", "f<long>", "--grid", "2,1", "--block", "4,2")
    assert watch(source, *options)[0].exit_code == 0
    assert "f is a template" in watch(source, "--block", "32")[0].stderr


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--block", "x"), USAGE, "--block is 'x'"),
        (("--block", "32", "--arg", "rubbish"), USAGE, "the argument 'rubbish' is none of iota:"),
        (("--block", "32", "--arg", "iota:float32:32"), DEVICE, "this is float*"),
        (("--block", "32", "--name", "none"), DEVICE, "no kernel 'none'"),
        (("--block", "32", "--arg", f"iota:{10**12}"), USAGE, "bytes can be watched"),
        (("--block", "32", "--grid", f"{10**12}"), USAGE, "bytes can be watched"),
        (("--seconds", "nan"), USAGE, "seconds is nan"),
        (("--seconds", "-1"), USAGE, "seconds is -1"),
    ],
)
def test_wrong_use_is_explained(watch, options, code, words):
    found, _ = watch(RIGHT, *options)
    assert (found.exit_code, words in found.stderr) == (code, True), found.stderr


@pytest.mark.parametrize("options", [(), ("--block", "32")])
@pytest.mark.parametrize(("data", "words"), [(b"", "is empty"), (b"\x7fELF\0\1", "zero bytes")])
def test_files_that_are_no_text(call, tmp_path, data, words, options):
    path = tmp_path / "a.cu"
    path.write_bytes(data)
    found = call("watch", path, *options)
    assert found.exit_code == BAD_INPUT
    assert words in found.stderr
    assert len(found.stderr.splitlines()) == 1


INT, FLOAT = np.dtype(np.int32), np.dtype(np.float32)
CONST_INTS, FLOATS = Parameter(INT, True, True, 4), Parameter(FLOAT, True, False, 4)
SIGNATURE = Signature((CONST_INTS, FLOATS, Parameter(INT, False, False, 4)))


def test_arguments_that_are_not_given_fit_the_launch():
    (ints, floats, number), empty = read_arguments(SIGNATURE, ["auto"], 5)
    assert (ints.tolist(), floats.tolist(), number, empty) == ([0, 1, 2, 3, 4], [0] * 5, 5, [])
    record = Parameter(None, False, False, 24)
    assert read_arguments(Signature((record,)), [], 5)[0][0].nbytes == 24


def test_arguments_are_read(tmp_path):
    np.save(tmp_path / "a.npy", np.array([3, 1], np.int32))
    texts = [str(tmp_path / "a.npy"), "empty:3", "-7"]
    (ints, floats, number), empty = read_arguments(SIGNATURE, texts, 5)
    assert (ints.tolist(), floats.dtype, floats.size, number, empty) == ([3, 1], FLOAT, 3, -7, [1])
    (random, more, _), _ = read_arguments(SIGNATURE, ["random:9:4", "random:float64:9:4"], 5)
    assert random.min() >= 0 and random.max() < 9 and len(set(random)) > 1
    assert more.dtype == np.float64


def test_a_list_is_read():
    (ints, floats, _), _ = read_arguments(SIGNATURE, ["list:3,-1,2", "list:float64:0.5,nan"], 5)
    assert (ints.dtype, ints.tolist()) == (np.int32, [3, -1, 2])
    assert (floats.dtype, str(floats.tolist())) == (np.float64, "[0.5, nan]")


@pytest.mark.parametrize(
    "texts",
    [["iota:what1:3"], ["no.npy"], ["empty.npy"], ["list:uint8:300"], ["list:1,"], ["1"] * 4],
)
def test_wrong_arguments_are_refused(texts, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("empty.npy").touch()
    with pytest.raises(ParameterError):
        read_arguments(SIGNATURE, texts, 5)
