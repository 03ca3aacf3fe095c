"""What the README and the page about the command line show runs as it stands there."""

import gzip
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from gpucore.family import families
from gpucore.solutions.form import form_of
from gpucore.solutions.match import MOST_EDGES

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def commands(text):
    """Return the arguments of all commands of ours in a page."""
    return [
        shlex.split(line, comments=True)[1:]
        for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
        for line in block.splitlines()
        if line.startswith("warplens ")
    ]


COMMANDS = commands((ROOT / "docs" / "howto" / "command-line.md").read_text())
EXAMPLES = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


#: What the page watches.
PROGRAM = """\
#include <cstdlib>
__global__ void sum(const int* x, int n, int* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(out, x[i]);
}
int main(int, char** argv)
{
    int n = atoi(argv[1]), *x, *out;
    cudaMalloc(&x, n * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemset(x, 1, n * sizeof(int));
    cudaMemset(out, 0, sizeof(int));
    sum<<<(n + 63) / 64, 64>>>(x, n, out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
"""


def run_example(block, folder):
    command = [sys.executable, "-c", block]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=120)
    assert ran.returncode == 0, ran.stderr
    assert len([line for line in block.splitlines() if line]) <= 12
    return ran.stdout


def test_the_first_example_runs(tmp_path):
    assert "certified" in run_example(EXAMPLES[0], tmp_path)
    assert (tmp_path / "karate.npz").exists()


def test_the_first_five_minutes(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first, *others = commands(README)
    said = call(*first, "--device", "host").output
    block = re.search(r"```\n(suitor .*?)```", README, re.DOTALL)[1]
    shown = {line.split()[0]: line.split(maxsplit=1)[1] for line in block.splitlines()}
    assert f"suitor {shown['suitor']}" in said
    for name in ("weight", "cardinality", "certified"):
        assert shown[name] in " ".join(said.split())
    assert all(" ".join(line.split()) in " ".join(said.split()) for line in block.splitlines()[-3:])
    for words in others:
        assert call(*words).exit_code == 0, words
    assert (tmp_path / "karate.html").is_file()
    assert len((tmp_path / "pairs.csv").read_text().splitlines()) == 1 + int(shown["cardinality"])


def test_the_table_of_solutions_has_every_property():
    text = (ROOT / "docs" / "howto" / "solutions.md").read_text()
    rows = dict(re.findall(r"^\| `(\w+)` \| [^|]* \| ([^|]*) \|$", text, re.MULTILINE))
    declared = {name: family.solution for name, family in families().items() if family.solution}
    assert rows.keys() == declared.keys()
    for name in declared:
        form = form_of(name)
        assert [p.name for p in form.properties] == rows[name].split(", "), name
    assert f"at most {MOST_EDGES:,} edges" in text


def test_its_links_and_pictures_exist():
    links = re.findall(r"\]\(([^):#]+)\)", README)
    assert len(links) > 20
    assert not [link for link in links if not (ROOT / link).is_file()]


def test_it_is_short():
    assert len(README.splitlines()) <= 130


@pytest.mark.parametrize("words", [c for c in COMMANDS if c[0] != "bench"], ids=" ".join)
def test_the_commands_run(call, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with gzip.open("my-graph.mtx.gz", "wt") as file:
        file.write("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n")
    Path("pairs.csv").write_text("u,v\n0,1\n")
    Path("list.csv").write_text("id,from,to\n7,1,2\n8,2,3\n")
    Path("sum.cu").write_text(PROGRAM)
    Path("signed.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 -3\n")
    result = call(*words)
    assert result.exit_code == 0, result.output


def test_the_table_has_every_family_with_its_algorithms_and_papers():
    rows = [line.split(" | ") for line in README.splitlines() if line.startswith("| ")][1:]
    shown = {row[1]: (row[0].strip("| "), row[2]) for row in rows}
    assert shown.keys() == {family.title for family in families().values()}
    for family in families().values():
        number, what = shown[family.title]
        names = family.load_algorithms() or family.load_methods()
        assert all(f"`{name}`" in what for name in names)
        if family.figures:
            assert number == str(family.papers[0])
