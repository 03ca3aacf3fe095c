"""Real processes of mpiexec."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.waiting import PATIENCE, wait_until

#: What a launcher's processes have in their environment with their rank.
RANK_VARIABLES = ("PMI_RANK", "OMPI_COMM_WORLD_RANK")
#: Open MPI starts no more processes than the machine has cores, and none for root, unless allowed.
ALLOWED = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}
#: A rank that waits for others sleeps between its looks: there may be more ranks than cores.
PATIENT = {"MPIR_CVAR_ENABLE_HEAVY_YIELD": "1", "OMPI_MCA_mpi_yield_when_idle": "1"}


def launcher():
    """Return the path of mpiexec, this environment's own if there is one; skip without mpi4py."""
    pytest.importorskip("mpi4py", reason="mpi4py is not installed", exc_type=ImportError)
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = shutil.which("mpiexec", path=places)
    if found is None:
        pytest.skip("there is no mpiexec")
    return found


def start(ranks, *words, **environment):
    """Start ``python WORDS`` on some ranks; all output is kept."""
    return subprocess.Popen(
        [launcher(), "-n", str(ranks), sys.executable, *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **ALLOWED, **PATIENT, **environment},
    )


def finish(process):
    """Wait for the end; returns the completed process. One that hangs is killed, and fails."""
    try:
        out, err = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        pytest.fail(f"the ranks hang\n{out}\n{err}")
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def warplens(ranks, *words, **environment):
    """Run ``warplens WORDS`` on some ranks to its end."""
    return finish(start(ranks, "-m", "gpucore.cli", *words, **environment))


def sentences(done):
    """Return the sentences of ours on stderr; launchers add their own lines."""
    return [line for line in done.stderr.splitlines() if line.startswith("warplens: ")]


def only_object(done):
    """Return the one JSON object on stdout."""
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 1, done.stdout
    return json.loads(lines[0])


def environment_of(pid):
    """Return the environment of a process; empty if it has gone."""
    try:
        text = Path(f"/proc/{pid}/environ").read_bytes().decode(errors="replace")
    except OSError:
        return {}
    return dict(entry.partition("=")[::2] for entry in text.split("\0"))


def processes_with(tag):
    """Return the processes, by id, whose environment has ``WARPLENS_TEST=tag``."""
    found = {}
    for path in Path("/proc").glob("[0-9]*"):
        variables = environment_of(path.name)
        if variables.get("WARPLENS_TEST") == tag:
            found[int(path.name)] = variables
    return found


def ranks_with(tag, script):
    """Return the process ids of the ranks that run a script, by rank."""
    found = {}
    for pid, variables in processes_with(tag).items():
        number = next((variables[name] for name in RANK_VARIABLES if name in variables), None)
        try:
            command = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
        except OSError:
            continue
        if number is not None and str(script) in command and "-I" not in command:
            found[int(number)] = pid
    return found


@contextmanager
def none_left(tag):
    """Check that no process of a run is left a moment after the block."""
    yield
    wait_until(lambda: not processes_with(tag))
