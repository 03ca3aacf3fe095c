"""The planted kernels of the tests under NVIDIA's compute-sanitizer, beside ``gpucore.watch``.

Each kernel of ``tests/watching/kernels/planted_*.cu`` has one mistake, and a twin without it. nvcc
builds them with a small program that launches the one it is asked for, as the tests do; then
memcheck, racecheck, synccheck and initcheck look at each. A kernel that does not end is killed.
Prints one JSON object.

    python benchmarks/sanitizer.py --jobs 8 > benchmarks/results/sanitizer-h100.json
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import gpucore
from gpucore.bench.setup import describe_setup
from gpucore.device import get_device

KERNELS = Path(__file__).parents[1] / "tests" / "watching" / "kernels"
PLANTED = "\n".join(path.read_text() for path in sorted(KERNELS.glob("planted_*.cu")))
TOOLS = ("memcheck", "racecheck", "synccheck", "initcheck")
#: Kernels whose blocks meet, as in the tests.
TWO_BLOCKS = ("last_block", "flag_after", "division_by_zero_right", "different_values")
#: Kernels whose result begins without content.
EMPTY = "uninitialised_global"
#: Exit code of compute-sanitizer for "something was found".
_FOUND = 9
_PATIENCE = 20
#: Kernels that do not end hold the card, so they come last.
ENDLESS = ("lock_that_stays", "flag_that_no_thread_sets", "empty_loop")

_MAIN = """
#include <cstdio>
#include <cstring>
int main(int, char** words)
{
    const int n = 64, blocks = atoi(words[2]), empty = atoi(words[3]);
    int numbers[n], *x, *out;
    for (int i = 0; i < n; ++i) numbers[i] = i;
    cudaMalloc(&x, sizeof numbers);
    cudaMalloc(&out, sizeof numbers);
    cudaMemcpy(x, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    if (!empty) cudaMemset(out, 0, sizeof numbers);
    %s
    cudaDeviceSynchronize();
    if (!empty) cudaMemcpy(numbers, out, sizeof numbers, cudaMemcpyDeviceToHost);
    printf("%%s\\n", cudaGetErrorString(cudaGetLastError()));
}
"""


def main() -> None:
    """Build, look, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=4, help="kernels side by side")
    options = parser.parse_args()
    names = re.findall(r"^__global__ void (\w+)\(", PLANTED, re.MULTILINE)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        program = build(Path(folder), names)
        names.sort(key=lambda name: name in ENDLESS)
        rows = list(pool.map(lambda name: look(program, name), names))
    for row in rows:
        row["watch"] = watched(row["kernel"])
    print(json.dumps({"setup": setup(), "kernels": rows, "found": counts(rows)}, indent=1))


def build(folder: Path, names: list[str]) -> Path:
    """Return the program that launches a kernel by its name."""
    launch = 'if (!strcmp(words[1], "{0}")) {0}<<<blocks, 64, 256>>>(x, out, n);'
    source = folder / "planted_main.cu"
    launches = "\n    ".join(launch.format(name) for name in names)
    source.write_text(f"{PLANTED}\n{_MAIN % launches}")
    command = ["nvcc", "-std=c++17", "-lineinfo", "-w", "-O1", "-arch=native"]
    subprocess.run([*command, "-o", str(folder / "planted"), str(source)], check=True)
    return folder / "planted"


def look(program: Path, name: str) -> dict[str, object]:
    """Return what each tool says of a kernel: found, nothing, or that it did not end."""
    words = [str(program), name, str(_blocks(name)), str(int(name.startswith(EMPTY)))]
    said = {}
    for tool in TOOLS:
        command = ["compute-sanitizer", f"--tool={tool}", f"--error-exitcode={_FOUND}", *words]
        try:
            done = subprocess.run(command, capture_output=True, timeout=_PATIENCE, check=False)
            said[tool] = {0: "nothing", _FOUND: "found"}.get(done.returncode, "failed")
        except subprocess.TimeoutExpired:
            said[tool] = "does not end"
    return {"kernel": name, "planted": not name.endswith("_right"), **said}


def watched(name: str) -> str:
    """Return what ``gpucore.watch`` says of it."""
    x, out = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    empty = [1] if name.startswith(EMPTY) else []
    report = gpucore.watch(
        PLANTED, _blocks(name), 64, (x, out, 64), name=name, shared_mem=256, empty=empty
    )
    return "nothing" if report.ok else "found"


def counts(rows: list[dict[str, object]]) -> dict[str, dict[str, int]]:
    """Return for each tool how many mistakes it found, and how many right kernels it accused."""
    return {
        tool: {
            "planted": sum(bool(row["planted"]) and row[tool] == "found" for row in rows),
            "right": sum(not row["planted"] and row[tool] == "found" for row in rows),
        }
        for tool in (*TOOLS, "watch")
    }


def setup() -> dict[str, object]:
    """Return the card, and the tools' versions."""
    found = dict(describe_setup(get_device("cuda")))
    for tool in ("nvcc", "compute-sanitizer"):
        said = subprocess.run([tool, "--version"], capture_output=True, text=True, check=False)
        found[tool] = said.stdout.strip().splitlines()[-1] if said.stdout else "?"
    return found


def _blocks(name: str) -> int:
    return 2 if name.startswith(TWO_BLOCKS) else 1


if __name__ == "__main__":
    sys.exit(main())
