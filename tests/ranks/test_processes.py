"""Real processes of mpiexec: one object from rank 0; a failure of one rank ends all at once."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import sys
from pathlib import Path

import numpy as np
import pytest

import gpucore
from gpucore.installing import install_hint
from gpucore.problems.graph.prepare import for_matching
from gpucore.record import Record
from gpucore.record.replay import timeline_of
from support.matching_cases import greedy_mates
from support.mpi import finish, none_left, only_object, ranks_with, sentences, start, warplens

SCRIPT = Path(__file__).parent / "endless.py"
GRAPH = "rmat:scale=9,seed=3"
numbers = itertools.count()

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="finds the ranks in /proc")


@pytest.mark.parametrize(("name", "transport"), [("suitor", "peers"), ("ld", "rounds")])
def test_rank_0_prints_the_one_object(name, transport):
    found = only_object(
        warplens(
            4, "run", name, GRAPH, "--device", "host", "-p", f"transport={transport}", "--json"
        )
    )
    alone = gpucore.run(name, for_matching(gpucore.load(GRAPH)), device="host", certify=False)
    assert found["certified"] is True
    assert (found["ranks"], found["transport"]) == (4, transport)
    assert found["weight"] == alone.weight
    assert found["cardinality"] == alone.cardinality
    assert min(found["rounds"], found["bytes_sent"], found["messages"]) > 0


def test_the_record_of_all_processes_replays(tmp_path):
    path = tmp_path / "run.npz"
    words = ("run", "suitor", GRAPH, "--device", "host", "--record", path, "--json")
    only_object(warplens(3, *words))
    record = Record.load(path)
    timeline = timeline_of(record)
    assert timeline.exact, timeline.doubt
    assert set(record.events["rank"].tolist()) == {0, 1, 2}
    graph = for_matching(gpucore.load(GRAPH))
    np.testing.assert_array_equal(record.final["suitor"], greedy_mates(graph))


PARTS = """
import numpy as np
import gpucore
from gpucore.problems.graph.part import cut
from gpucore.problems.graph.prepare import for_matching
from gpucore.ranks.session import session
comm = session().comm
graph = for_matching(gpucore.load("GRAPH"))
part = cut(graph, comm.size)[comm.rank]
result = gpucore.run("suitor", part, device="host")
alone = gpucore.run("suitor", graph, device="host", ranks=1)
wanted = alone.mate if comm.rank == 0 else alone.mate[part.lo : part.hi]
assert np.array_equal(result.mate, wanted)
assert result.figures["weight"] == alone.weight
print("right", flush=True)
"""


def test_each_process_may_have_its_part_only(tmp_path):
    path = tmp_path / "parts.py"
    path.write_text(PARTS.replace("GRAPH", GRAPH))
    done = finish(start(3, path))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("right") == 3


def test_without_json_only_rank_0_prints():
    done = warplens(2, "run", "ld", "karate", "--device", "host")
    assert done.returncode == 0
    assert done.stdout.count("certified") == 1
    assert done.stderr == ""


def test_one_process_runs_as_usual():
    found = only_object(warplens(1, "run", "suitor", "karate", "--device", "host", "--json"))
    assert found["variant"] == "fast"
    assert "ranks" not in found


def run_until_at_work(transport, **environment):
    """Start the endless script on four ranks; returns the launcher, the ranks and the tag."""
    tag = f"{os.getpid()}-{next(numbers)}"
    process = start(4, SCRIPT, transport, WARPLENS_TEST=tag, **environment)
    line = process.stdout.readline()
    assert line == "at work\n", finish(process)
    return process, ranks_with(tag, SCRIPT), tag


@on_linux
@pytest.mark.parametrize(("victim", "transport"), [(0, "rounds"), (2, "peers")])
def test_a_killed_rank_ends_all(victim, transport):
    process, ranks, tag = run_until_at_work(transport)
    mapped = Path(f"/proc/{ranks[victim]}/maps").read_text()
    with none_left(tag):
        os.kill(ranks[victim], signal.SIGKILL)
        done = finish(process)
    assert not [name for name in re.findall(r"/dev/shm/mpich\w+", mapped) if Path(name).exists()]
    assert done.returncode != 0
    (sentence,) = sentences(done)
    assert sentence.startswith(f"warplens: rank {victim} (process {ranks[victim]} on ")
    assert "died: it was killed" in sentence


@on_linux
@pytest.mark.parametrize("victim", [0, 1])
def test_a_stopped_rank_ends_all(victim):
    process, ranks, tag = run_until_at_work("rounds", WARPLENS_RANK_TIMEOUT="2")
    with none_left(tag):
        os.kill(ranks[victim], signal.SIGSTOP)
        done = finish(process)
    assert done.returncode != 0
    (sentence,) = sentences(done)
    assert f"rank {victim} (process {ranks[victim]}" in sentence
    assert "has not answered for 2 seconds" in sentence


@on_linux
@pytest.mark.parametrize("whom", ["launcher", "a rank"])
def test_an_interrupt_ends_all_with_one_sentence(whom):
    process, ranks, tag = run_until_at_work("rounds")
    with none_left(tag):
        os.kill(process.pid if whom == "launcher" else ranks[1], signal.SIGINT)
        done = finish(process)
    assert done.returncode != 0
    assert set(sentences(done)) <= {"warplens: the work was cancelled"}
    if whom == "a rank":  # some launchers kill all ranks themselves
        assert len(sentences(done)) == 1


#: A program whose rank 1 goes wrong: what it does, and the sentence.
MISTAKES = {
    "bad file": (
        "if rank == 1: gpucore.load('/no/such/file.mtx')",
        "rank 1: there is no file /no/such/file.mtx",
    ),
    "out of memory": (
        "import gpucore.device.host as host\n"
        "if rank == 1: host.HostDevice.free_memory = lambda self: 100",
        "rank 1: the part of the graph and its matching needs",
    ),
    "a mistake of ours": (
        "import gpucore.families.matching.suitor_program as ours\n"
        "if rank == 1: ours.ByMail.step = lambda *_: 1 / 0",
        "rank 1: ZeroDivisionError: division by zero",
    ),
    "memory of the host": (
        "import gpucore.families.matching.suitor_program as ours, numpy\n"
        "if rank == 1: ours.ByMail.step = lambda *_: numpy.empty(2**56)",
        "rank 1: the host is out of memory",
    ),
    "other parameters": (
        "if rank == 1: given['threads_per_block'] = 64",
        "rank 1 has threads_per_block=64, rank 0 has threads_per_block=128",
    ),
    "another input": (
        "if rank == 1: graph = for_matching(gpucore.load('lesmis'))",
        "rank 1 has another input than rank 0 (77 vertices",
    ),
    "another version": (
        "import gpucore.ranks.agree as agree\n"
        "right = agree.versions()\n"
        "if rank == 1: agree.versions = lambda: {**right, 'warplens': '0.0.1'}",
        "rank 1 has warplens 0.0.1, rank 0 has",
    ),
    "everywhere the same": (
        "given['threads_per_block'] = 100",
        "threads_per_block is 100; use 32",
    ),
}
PROGRAM = """
import gpucore
from gpucore.problems.graph.prepare import for_matching
from gpucore.ranks import under_mpi
from gpucore.ranks.session import session
assert under_mpi()
rank = session().comm.rank
graph, given = for_matching(gpucore.load("karate")), {}
MISTAKE
gpucore.run("suitor", graph, device="host", **given)
print("a result")
"""


@pytest.mark.parametrize("mistake", MISTAKES)
def test_an_error_of_one_rank_ends_all(mistake, tmp_path):
    wrong, sentence = MISTAKES[mistake]
    path = tmp_path / "program.py"
    path.write_text(PROGRAM.replace("MISTAKE", wrong))
    done = finish(start(2, path))
    assert done.returncode != 0
    assert "a result" not in done.stdout
    (found,) = sentences(done)
    assert found.startswith(f"warplens: {sentence}"), found


def split_command(folder, words_of):
    """Run the command with other words on each rank."""
    path = folder / "command.py"
    path.write_text(
        "import os, sys\n"
        "from gpucore.cli import main\n"
        "from gpucore.ranks.mpi import launched\n"
        f"main({json.dumps(words_of)}[launched()[0]])\n"
    )
    return finish(start(len(words_of), path))


@pytest.mark.parametrize(
    ("words", "sentence", "codes"),
    [
        (["karate", "-p", "transport=peers"], "rank 1 has transport=peers, rank 0 has", {2}),
        (["florentine"], "rank 1 has another input than rank 0", {3}),
        # The launcher kills rank 0 because rank 1 has ended.
        (["/no/such/file.mtx"], "rank 1: there is no file /no/such/file.mtx", {3, 9, 137}),
        (["karate", "-p", "speed=3"], "rank 1: suitor has no parameter 'speed' on", {2, 9, 137}),
    ],
)
def test_commands_that_differ(words, sentence, codes, tmp_path):
    usual = ["run", "suitor", "--device", "host", "--json"]
    done = split_command(tmp_path, [[*usual, "karate"], [*usual, *words]])
    assert done.returncode in codes
    assert '"weight"' not in done.stdout
    (found,) = sentences(done)
    assert found.startswith(f"warplens: {sentence}"), found


def test_what_cannot_run_on_ranks():
    done = warplens(2, "run", "marriage", "gale_shapley_4", "--json")
    assert done.returncode == 2
    (found,) = sentences(done)
    # A rank is named where the others have not reported the same error within the grace.
    assert re.sub("rank [01]: ", "", found) == (
        "warplens: marriage runs on one device, not on ranks; these run on ranks: "
        "bmatching, ld, suitor"
    )
    done = warplens(2, "run", "greedy", "karate", "--json")
    (found,) = sentences(done)
    assert "greedy is a method on the processor: it does not run on ranks" in found


def test_without_mpi4py_one_sentence_says_how_to_get_it(tmp_path):
    path = tmp_path / "command.py"
    path.write_text(
        "import sys\n"
        "sys.modules['mpi4py'] = None\n"
        "from gpucore.cli import main\n"
        "main(['run', 'suitor', 'karate'])\n"
    )
    done = finish(start(2, path))
    assert done.returncode != 0
    (found,) = sentences(done)
    assert "needs mpi4py and an MPI library" in found
    assert install_hint("mpi") in found
