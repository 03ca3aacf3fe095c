"""Malformed command lines: an exit code, one clear message, and no traceback."""

import io
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

ODD = [
    "", "  ", "nan", "inf", "-inf", "-1", "1e999", "10" * 20, "9" * 400, "9" * 5000, "0x10",
    "1_000", "٣", "é\u202e", "\udcff", "a\nb", "\x1b[31m", "a\0b", "x" * 300, "[/]", "[bold]",
    "%s{0}", "../..", "/", "/dev/null", "/proc/self/mem", "--", "-x", "None", "[]", "=", ":", "@",
    ",", "rmat:", "rmat:scale", "rmat:scale=", "rmat:=5", "rmat:scale=5,scale=6", "rmat:scale=nan",
    "rmat:scale=-1", f"rmat:scale={10**30}", "rmat:scale=5,seed=-1", "gnp:n=5,p=nan",
    f"gnp:n={10**20},p=0.5", f"grid:rows={10**12},columns={10**12}", "cycle:n=1", "delaunay:n=2",
    "rgg:n=5,radius=nan", "planted:communities=3", "easy:n=-1", f"hard:n={10**9}",
    "uniform:rows=-1,columns=3", f"roommates:n={10**9}",
]  # fmt: skip
#: Templates; the odd text takes the place of the star. With `False` some odd texts are fine there.
LINES = [
    ("*", True),
    ("run * karate", True),
    ("run suitor *", False),
    ("run marriage *", False),
    ("run bipartite *", False),
    ("run irving *", False),
    ("run suitor karate --device host --variant *", True),
    ("run suitor karate --device host -p *", True),
    ("run suitor karate --device host -p threads_per_block=*", True),
    ("run suitor karate --device host -p variant=* --variant fast", True),
    ("run louvain karate --device host -p resolution=*", True),
    ("run greedy karate -p threads=*", True),
    ("run suitor karate --device *", True),
    ("run suitor karate --policy *", True),
    ("run suitor karate --device host --seed *", False),
    ("run suitor karate --device host --weights-seed *", False),
    ("run bipartite karate --device host --permute *", False),
    ("run suitor karate --device host --record none.npz --record-level *", True),
    ("compare * greedy", False),
    ("compare karate *", True),
    ("compare karate suitor:*", True),
    ("compare karate suitor@*", True),
    ("compare karate greedy --repeat *", True),
    ("datasets *", False),
    ("doctor *", False),
    ("bench *", False),
    ("bench matching --report-only --output *", False),
    ("bench matching --report-only --peers *", True),
    ("bench matching --report-only --output none --repeat *", True),
    ("bench matching --report-only --output none --time-limit *", True),
]
#: Not tried: the default benchmark, and what the shell's own syntax allows.
FINE = {"bench *": {"", "--"}}


def cases(count):
    """Return seeded pairs of a template and a text, every template and every text among them."""
    rng = random.Random(8)
    pairs = [(line, rng.choice(ODD)) for line in LINES for _ in range(count // len(LINES))]
    pairs += [(rng.choice(LINES), text) for text in ODD]
    return [(line, strict, text) for (line, strict), text in pairs]


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")


def test_malformed_lines(call):
    for line, strict, text in cases(150):
        if text in FINE.get(line, ()):
            continue
        words = [word.replace("*", text) for word in line.split()]
        check(call(*words), words, strict)


def check(result, words, strict):
    assert "Traceback" not in result.output, words
    assert result.exception is None or isinstance(result.exception, SystemExit), words
    if result.exit_code == 0 and not strict:
        return
    assert result.exit_code in (2, 3, 4), (words, result.output)
    assert result.stdout == "", words
    assert result.stderr.strip(), words


@pytest.mark.parametrize(
    ("words", "code", "cause"),
    [
        (("compare", "karate", "suitor:zzz"), 2, "no variant 'zzz'"),
        (("compare", "karate", "greedy", "suitor@zzz"), 2, "no device 'zzz'"),
        (("run", "suitor", "rmat:scale=5,scale=6"), 2, "scale is given twice"),
        (("run", "suitor", "karate", "--variant", "ld", "-p", "variant=fast"), 2, "given twice"),
        (("run", "suitor", "karate", "--record", "x" * 300 + ".npz"), 3, "File name too long"),
        (("run", "suitor", "karate", "--record", "/dev/null"), 3, "it is a device"),
        (("run", "suitor", "karate", "--record", "/"), 3, "it is a directory"),
        (("run", "suitor", "karate", "--record", "no/x.npz"), 3, "directory does not exist"),
        (("run", "suitor", "karate", "--record", ""), 3, "it is a directory"),
        (("run", "suitor", "karate", "--record", "x.csv", "-o", "./x.csv"), 2, "name two files"),
        (("run", "suitor", "/proc/self/mem"), 3, "format of /proc/self/mem"),
        (("run", "suitor", "."), 3, "is a directory"),
        (("run", "suitor", ""), 3, "there is no graph ''"),
        (("run", "suitor", "-"), 3, "the standard input is not read"),
        (("run", "suitr", "karate"), 2, "did you mean 'suitor'?"),
        (("run", "suitor", "karat"), 3, "did you mean 'karate'?"),
        (("run", "suitor", "rmta:scale=5"), 3, "did you mean 'rmat'?"),
        (("run", "louvain", "southern_women"), 3, "not a graph; it is for bipartite"),
        (("compare", "irving_6", "marriage"), 3, "it is for irving, irving_scott"),
        (("serve", "--allow-host", ""), 2, "--allow-host is empty"),
        (("datasets", "karat"), 3, "did you mean 'karate'?"),
        (("warm", "comunities"), 2, "did you mean 'communities'?"),
        (("run", "suitor", "x" * 300 + ".mtx"), 3, "File name too long"),
        (("run", "suitor", "a\nb.mtx"), 3, r"there is no file a\nb.mtx"),
        (("run", "greedy", "\x1b[31m.mtx"), 3, r"there is no file \x1b[31m.mtx"),
        (("bench", "matching", "--report-only", "--output", "x" * 300), 3, "File name too long"),
    ],
)
def test_one_line_with_the_cause(call, words, code, cause):
    if "/proc" in words[-1] and words[-1].startswith("/proc"):
        cause = ""  # which error it is depends on the system
    result = call(*words)
    assert result.exit_code == code, result.output
    assert len(result.stderr.splitlines()) == 1
    assert cause in result.stderr


def test_a_record_does_not_get_the_name_of_the_data_set(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = call("run", "suitor", "karate", "--device", "host", "--record", "karate")
    assert result.exit_code == 3
    assert "would be read in place of karate" in result.stderr


@pytest.mark.parametrize("kind", ["pipe", "link", "graph"])
def test_a_record_replaces_no_node_and_not_its_graph(call, small_graph, tmp_path, kind):
    """It is refused before the run, which this graph would make fail."""
    path = tmp_path / "run.npz"
    graph = tmp_path / "none.mtx"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to(small_graph)
    else:
        graph = path = small_graph
    result = call("run", "suitor", graph, "--device", "host", "--record", path)
    assert result.exit_code == 3
    assert {"pipe": "a pipe", "link": "symbolic link", "graph": "would replace"}[
        kind
    ] in result.stderr
    assert path.is_fifo() == (kind == "pipe")
    assert path.is_symlink() == (kind == "link")
    assert small_graph.read_text().startswith("%%MatrixMarket")


@pytest.mark.parametrize("name", ["[/]", "[bold]x", "\udcff", "é\n"])
def test_odd_names_are_shown(call, tmp_path, small_graph, name):
    folder = tmp_path / name.replace("/", "") if "/" in name else tmp_path
    path = folder / f"{name.replace('/', '')}.mtx"
    path.parent.mkdir(exist_ok=True)
    small_graph.rename(path)
    for words in (("run", "suitor"), ("run", "greedy", "--json")):
        result = call(*words[:2], path, *words[2:])
        assert result.exit_code == 0, result.output
    result = call("run", "suitor", path, "--device", "host", "--record", f"{path}.npz")
    assert result.exit_code == 0, result.output
    assert call("compare", path, "greedy").exit_code == 0


def test_a_closed_or_empty_standard_input(process, small_graph):
    for name in ("/dev/stdin", "-"):
        ran = process("run", "greedy", name, input="")
        assert ran.returncode in (2, 3)
        assert len(ran.stderr.splitlines()) >= 1
        assert "Traceback" not in ran.stderr
    with small_graph.open() as stream:
        ran = process("run", "greedy", "/dev/stdin", stdin=stream)
    assert "Traceback" not in ran.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(
    "words", [("--help",), ("--version",), ("datasets",), ("run", "greedy", "karate", "--json")]
)
def test_output_that_cannot_be_written(words):
    command = [sys.executable, "-m", "gpucore.cli", *words]
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert ran.returncode == 3
    assert ran.stderr.startswith("warplens: the output cannot be written: No space left on device")
    assert len(ran.stderr.splitlines()) == 1


def test_a_closed_output():
    code = "import os, sys; os.close(1); os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    command = [sys.executable, "-c", code, "-m", "gpucore.cli", "datasets"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0
    assert ran.stderr == ""


@pytest.mark.parametrize("words", [("--version",), ("--help",), ("datasets",)])
def test_a_reader_that_leaves(words):
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "gpucore.cli", *words]
    ran = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=60)
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (1, "")


def test_a_locale_of_other_characters(process, small_graph):
    """The catalogue of data sets, which is UTF-8, has to be read in any locale."""
    path = small_graph.rename(small_graph.with_name("größe.mtx"))
    locale = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ran = process("run", "greedy", path, env=locale)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "weight" in ran.stdout


@pytest.mark.parametrize(
    "words", [("compare", "karate", "greedy", "suitor_serial"), ("run", "greedy", "karate")]
)
def test_a_narrow_terminal_hides_no_text(call, monkeypatch, words):
    """Columns are narrower than the words in them, which are broken, not cut."""
    narrow = Console(file=io.StringIO(), width=40)
    monkeypatch.setattr("gpucore.cli.console.stdout", lambda: narrow)
    assert call(*words).exit_code == 0
    text = narrow.file.getvalue()
    assert "ce" in text and "…" not in text
