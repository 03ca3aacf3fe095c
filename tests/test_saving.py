"""Files are written whole or not at all, and never in the place of a device, pipe or link."""

import errno
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import gpucore
from gpucore import saving
from gpucore.bench.results import Results
from gpucore.errors import (
    GraphError,
    KernelCompileError,
    ParameterError,
    RecordError,
    WarplensError,
)
from gpucore.io.files import save
from gpucore.problems.preferences.load import load_preferences
from gpucore.problems.preferences.save import save_preferences
from gpucore.saving import check_target, make_directory, new_folder, replacing
from support.suitor_simulation import record_of
from warplens.labs.command import copy_notebooks

ROOT = Path(__file__).parents[1]
RECORD = record_of(4, [(0, 1, 1.0), (1, 2, 2.0), (2, 3, 3.0)])


def write_results(path):
    Results(path, {"schema": 1}).save()


WRITERS = {
    "record": RECORD.save,
    "archive": lambda path: save(gpucore.load("karate"), path),
    "text": lambda path: save(gpucore.load("karate"), path.with_suffix(".txt")),
    "zipped": lambda path: save(gpucore.load("karate"), path.with_suffix(".mtx.gz")),
    "preferences": lambda path: save_preferences(
        load_preferences("gale_shapley_4"), path.with_suffix(".json")
    ),
    "preferences, zipped": lambda path: save_preferences(
        load_preferences("gale_shapley_4"), path.with_suffix(".json.gz")
    ),
    "results": write_results,
}
SUFFIXES = {"text": ".txt", "zipped": ".mtx.gz", "preferences": ".json"}
SUFFIXES["preferences, zipped"] = ".json.gz"


def make_node(kind, path):
    """Make something at a path that is no regular file."""
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
    elif kind == "directory":
        path.mkdir()
    elif kind == "link":
        path.with_name("target").write_bytes(b"the target")
        path.symlink_to(path.with_name("target"))
    else:
        path.symlink_to(path.with_name("nothing"))


@pytest.mark.parametrize("kind", ["pipe", "socket", "directory", "link", "dangling link"])
@pytest.mark.parametrize("writer", WRITERS)
def test_only_regular_files_are_replaced(writer, kind, tmp_path):
    path = tmp_path / f"place{SUFFIXES.get(writer, '.npz')}"
    make_node(kind, path)
    before = path.lstat()
    with pytest.raises(WarplensError, match=r"cannot be written: it is a .*; "):
        WRITERS[writer](tmp_path / "place.npz")
    assert path.lstat().st_ino == before.st_ino
    assert path.lstat().st_mode == before.st_mode
    assert len(list(tmp_path.iterdir())) == 1 + (kind == "link")


def test_the_copy_of_the_labs_follows_no_link(tmp_path):
    (tmp_path / "01-suitor.ipynb").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ParameterError, match=r"it is a symbolic link .*; name another folder"):
        copy_notebooks(tmp_path)
    assert not (tmp_path / "elsewhere").exists()


def test_devices_are_no_targets():
    with pytest.raises(RecordError, match=r"/dev/null cannot be written: it is a device, which"):
        check_target("/dev/null", RecordError)
    with pytest.raises(KernelCompileError, match=r"it is a device.*; buy a disk$"):
        check_target("/dev/full", KernelCompileError, "buy a disk")


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("x" * 300, "File name too long"),
        ("no/such/place", "its directory does not exist"),
        ("a\0b", "null"),
        ("file/inside", "Not a directory"),
        ("", "it is a directory"),
    ],
)
def test_impossible_names(name, cause, tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(GraphError, match=f"cannot be written: .*{cause}.*; choose another place"):
        check_target(tmp_path / name)


@pytest.mark.parametrize("value", [None, 3, b"x", [], 2.5])
def test_a_name_is_a_text_or_a_path(value):
    with pytest.raises(RecordError, match="a text or a path"):
        RECORD.save(value)


@pytest.mark.skipif(os.geteuid() == 0, reason="the administrator may write everywhere")
def test_protected_places(tmp_path):
    path = tmp_path / "old"
    path.write_bytes(b"old")
    path.chmod(0o400)
    with pytest.raises(GraphError, match="it is write-protected"):
        check_target(path)
    tmp_path.chmod(0o500)
    with pytest.raises(GraphError, match="its directory is write-protected"):
        check_target(tmp_path / "new")


def test_the_longest_name_can_be_written(tmp_path):
    """The temporary file's name may not be longer than the file's own."""
    path = tmp_path / ("x" * 251 + ".npz")
    RECORD.save(path)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_permissions_of_an_old_file_stay(tmp_path):
    path = tmp_path / "old"
    path.write_bytes(b"old")
    path.chmod(0o640)
    with replacing(path) as file:
        file.write(b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640
    with replacing(tmp_path / "new"):
        pass
    (tmp_path / "usual").write_bytes(b"")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, OSError(errno.EIO, "broken")])
def test_after_an_error_the_old_file_is_whole(error, tmp_path):
    path = tmp_path / "old"
    path.write_bytes(b"old")
    expected = GraphError if isinstance(error, OSError) else error
    with pytest.raises(expected), replacing(path) as file:
        file.write(b"new")
        raise error
    assert [p.name for p in tmp_path.iterdir()] == ["old"]
    assert path.read_bytes() == b"old"


def test_a_node_that_appears_meanwhile_stays(tmp_path):
    path = tmp_path / "place"
    with pytest.raises(GraphError, match="it is a pipe"), replacing(path) as file:
        file.write(b"new")
        os.mkfifo(path)
    assert path.is_fifo()
    assert len(list(tmp_path.iterdir())) == 1


def test_a_process_that_ends_at_once_removes_its_parts(tmp_path):
    with pytest.raises(GraphError), replacing(tmp_path / "place"):
        assert len(list(tmp_path.iterdir())) == 1
        saving.remove_parts()
        assert not list(tmp_path.iterdir())


def test_a_directory_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(RecordError, match=r"the directory .* cannot be made"):
        make_directory(tmp_path / "file" / "inside", RecordError)


@pytest.mark.parametrize("there", [False, True])
def test_a_new_folder_vanishes_after_an_error(there, tmp_path):
    if there:
        (tmp_path / "a").mkdir()
        (tmp_path / "a" / "mine").write_bytes(b"")
    with pytest.raises(KeyboardInterrupt), new_folder(tmp_path / "a" / "b", RecordError) as folder:
        (folder / "half").write_bytes(b"")
        raise KeyboardInterrupt
    assert [path.name for path in tmp_path.rglob("*")] == (["a", "mine"] if there else [])
    assert not saving._parts


def test_an_earlier_folder_stays_after_an_error(tmp_path):
    with pytest.raises(KeyboardInterrupt), new_folder(tmp_path, RecordError) as folder:
        (folder / "whole").write_bytes(b"")
        saving.remove_parts()
        raise KeyboardInterrupt
    assert [path.name for path in tmp_path.iterdir()] == ["whole"]


def test_a_process_that_ends_at_once_removes_its_new_folders(tmp_path):
    with new_folder(tmp_path / "a" / "b", RecordError) as folder:
        (folder / "half").write_bytes(b"")
        saving.remove_parts()
        assert not list(tmp_path.iterdir())


FULL_FOLDER = """
import resource, sys
from gpucore import cli
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
cli.main(sys.argv[2:])
"""
LIMITED = {
    "site": (100_000, "site", "{folder}", "--only", "karate_weighted-suitor-nosync"),
    "lab": (20_000, "lab", "{folder}", "--copy-only"),
    "grader": (20_000, "lab", "{folder}", "--grader", "otter"),
    "slabs": (100, "slabs", "karate", "{folder}"),
    "bench": (5, "bench", "matching", "--output", "{folder}", "--device", "host"),
}


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of processes")
@pytest.mark.parametrize("command", LIMITED)
def test_a_command_that_cannot_write_leaves_no_folder(command, tmp_path):
    limit, *words = LIMITED[command]
    words = [word.format(folder=tmp_path / "new" / "folder") for word in words]
    code = [sys.executable, "-c", FULL_FOLDER, str(limit), *words]
    ran = subprocess.run(code, capture_output=True, text=True, timeout=60)
    assert ran.returncode in (2, 3), ran.stderr
    assert ran.stderr.startswith("warplens: ")
    assert "cannot be written: File too large" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1
    assert not list(tmp_path.iterdir())


FULL = """
import resource, sys
sys.path.insert(0, {tests!r})
from test_saving import WRITERS
from gpucore.errors import WarplensError
from pathlib import Path
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
try:
    WRITERS[{writer!r}](Path({path!r}))
except WarplensError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of processes")
@pytest.mark.parametrize("writer", WRITERS)
def test_a_write_that_fails_in_the_middle(writer, tmp_path):
    """The system stops files of this process at 100 bytes, as a full disk would."""
    WRITERS[writer](tmp_path / "place.npz")
    (old,) = tmp_path.iterdir()
    before = old.read_bytes()
    assert writer == "results" or len(before) > 100
    code = FULL.format(tests=str(ROOT / "tests"), writer=writer, path=str(tmp_path / "place.npz"))
    if writer == "results":
        code = code.replace("(100, 100)", "(5, 5)")
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    assert "cannot be written: File too large; " in ran.stdout
    assert len(ran.stdout.splitlines()) == 1
    assert ran.stderr == ""  # nor an ignored exception
    assert list(tmp_path.iterdir()) == [old]
    assert old.read_bytes() == before


TWICE = """
import sys
sys.path.insert(0, {tests!r})
from test_saving import RECORD
import dataclasses
record = dataclasses.replace(RECORD, header=RECORD.header | {{"variant": sys.argv[1]}})
for _ in range(60):
    record.save({path!r})
"""


def test_two_processes_that_write_one_record(tmp_path):
    path = tmp_path / "run.npz"
    code = TWICE.format(tests=str(ROOT / "tests"), path=str(path))
    writers = [subprocess.Popen([sys.executable, "-c", code, name]) for name in ("one", "two")]
    seen = set()
    while any(writer.poll() is None for writer in writers):
        if path.exists():
            seen.add(type(RECORD).load(path).header["variant"])
    assert [writer.returncode for writer in writers] == [0, 0]
    seen.add(type(RECORD).load(path).header["variant"])
    assert seen <= {"one", "two"}
    assert [p.name for p in tmp_path.iterdir()] == ["run.npz"]


#: Modules that write to scratch folders of their own.
SCRATCH = {
    "gpucore/families/bipartite/peers",
    "gpucore/families/communities/peers",
    "gpucore/watching",
    "gpucore/saving.py",
    "app/site/assets.py",
}
#: A member of an archive, the device that takes output which nothing reads, memory shared by ranks,
#: and settings of a process.
NO_FILES = {
    "gpucore/record/storage.py",
    "gpucore/cli/console.py",
    "gpucore/ranks/shared.py",
    "app/site/priority.py",
    "app/site/page_forks.py",
}


def test_all_files_are_written_by_this_module():
    writing = re.compile(
        r"\.write_(text|bytes)\(|np\.save\(|copyfile|\.part[\"'}]|NamedTemporaryFile|mkstemp"
        r"|open\([^)\n]*[\"'][wxa]b?[\"']"
    )
    found = {
        path.relative_to(ROOT).as_posix()
        for top in ("gpucore", "labs", "app")
        for path in (ROOT / top).rglob("*.py")
        if writing.search(path.read_text(encoding="utf-8"))
    }
    extra = {path for path in found if not any(path.startswith(known) for known in SCRATCH)}
    assert extra <= NO_FILES


def test_a_zipped_file_has_no_temporary_name_in_it(tmp_path):
    save(gpucore.load("karate"), tmp_path / "a.mtx.gz")
    content = (tmp_path / "a.mtx.gz").read_bytes()
    assert content[:4] == b"\x1f\x8b\x08\x00"  # the last byte would say that a name follows
