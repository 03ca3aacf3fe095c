"""Watch every CUDA file of a folder, and compare what is found with a table of labels."""

from __future__ import annotations

import csv
import shlex
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gpucore.errors import Cancelled, GraphError, WarplensError
from gpucore.progress import Cancel, Progress, check
from gpucore.watching.compiling.executor import prepared
from gpucore.watching.programs.program import WatchedProgram, watch_program
from gpucore.watching.reports.findings import FAULTS

#: The label of every kind of finding.
LABEL_OF = {
    "race": "race",
    **FAULTS,
    "copy": "bounds",
    "free": "bounds",
    "timed out": "endless",
    "error": "error",
    "launch": "error",
    "memory": "error",
    "ended": "error",
}
LABELS = tuple(dict.fromkeys(LABEL_OF.values()))
#: The label of a file in which nothing is wrong.
NONE = "none"


@dataclass
class Case:
    """One file.

    Attributes
    ----------
    file : str
        Below the folder.
    labels : set of str
        What is wrong with it; empty if nothing is.
    runs : list of list of str
        The arguments of each run.
    found : set of str
        The labels of what was found.
    failed : str
        Why it was not watched, or empty.
    done : bool
        Whether all its runs have ended.
    reports : list of dict
        One of each run.
    """

    file: str
    labels: set[str] = field(default_factory=set)
    runs: list[list[str]] = field(default_factory=list)
    found: set[str] = field(default_factory=set)
    failed: str = ""
    done: bool = False
    reports: list[dict[str, Any]] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return the case as plain dictionaries, lists and texts."""
        return {
            "file": self.file,
            "labels": sorted(self.labels),
            "found": sorted(self.found),
            "failed": self.failed,
            "done": self.done,
            "reports": self.reports,
        }


def read_cases(folder: Path, table: Path | None, arguments: Sequence[str]) -> list[Case]:
    """Return the CUDA files of a folder, with the labels and arguments of a table.

    Parameters
    ----------
    folder : path
        All its files ``.cu``, at any depth.
    table : path or None
        CSV with the columns file (below the folder), label (one of `LABELS` or "none"; several
        with +), and perhaps arguments. A file with several rows is run as often. Only its files
        are watched; without a table all are.
    arguments : sequence of str
        For files without arguments of their own.

    Raises
    ------
    GraphError
        The table cannot be read, names a label that there is not, or a file that is not there.
    """
    if table is None:
        files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.cu"))
        if not files:
            raise GraphError(f"{folder} has no file .cu")
        return [Case(file, runs=[list(arguments)]) for file in files]
    cases: dict[str, Case] = {}
    for number, row in enumerate(_rows(table), 2):
        file, labels = row.get("file") or "", set((row.get("label") or "").split("+"))
        if unknown := sorted(labels - {*LABELS, NONE}):
            known = ", ".join((*LABELS, NONE))
            raise GraphError(f"{table}, line {number}: the label {unknown[0]!r} is none of {known}")
        if not (folder / file).is_file():
            raise GraphError(f"{table}, line {number}: there is no file {file!r} in {folder}")
        case = cases.setdefault(file, Case(file))
        case.labels |= labels - {NONE}
        own = row.get("arguments")
        case.runs.append(shlex.split(own) if own else list(arguments))
    return list(cases.values())


def _rows(table: Path) -> list[dict[str, str]]:
    try:
        with table.open(newline="", encoding="utf-8") as stream:
            return list(csv.DictReader(stream))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        cause = getattr(error, "strerror", None) or error
        raise GraphError(f"{table} cannot be read: {cause}") from None


def watch_cases(
    folder: Path,
    cases: Sequence[Case],
    *,
    processes: int = 2,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    **options: Any,
) -> None:
    """Watch the files, and write into each case what was found.

    Parameters
    ----------
    folder : path
    cases : sequence of Case
    processes : int
        How many run side by side.
    progress, cancel : optional
        As everywhere; a cancelled call ends the programs that run.
    **options
        Of :func:`gpucore.watching.programs.program.watch_program`.
    """

    def work(case: Case) -> None:
        for arguments in case.runs:
            try:
                found = watch_program(
                    folder / case.file,
                    arguments,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    cancel=cancel,
                    **options,
                )
            except Cancelled:
                raise
            except WarplensError as error:
                case.failed = str(error)
                break
            case.found |= _labels_of(found)
            case.reports.append(_short(found))
        case.done = True

    prepared()  # once, and not by each of the first programs
    with ThreadPoolExecutor(processes) as pool:
        waiting = [pool.submit(work, case) for case in cases]
        try:
            for number, done in enumerate(as_completed(waiting), 1):
                done.result()
                check(cancel)
                if progress is not None:
                    progress("watching", number, len(waiting))
        finally:
            pool.shutdown(cancel_futures=True)


def _labels_of(found: WatchedProgram) -> set[str]:
    kinds = {one["kind"] for one in found.findings}
    kinds |= {one["kind"] for kernel in found.kernels for one in kernel["findings"]}
    kinds |= {"race" for kernel in found.kernels if kernel["races"]}
    if found.ended:
        kinds.add("timed out" if found.timed_out else "ended")
    return {LABEL_OF[kind] for kind in kinds}


def _short(found: WatchedProgram) -> dict[str, Any]:
    """Return a report without what lines cost."""
    report = found.as_json()
    report["kernels"] = [
        {key: value for key, value in kernel.items() if key != "remarks"}
        for kernel in report["kernels"]
    ]
    return report


def summary(cases: Sequence[Case]) -> list[dict[str, Any]]:
    """Return a row for each label: files, found, missed, and false alarms.

    A false alarm is a file without the label in which its kinds were found; of "none" it is a file
    with no label in which anything was found.
    """
    watched = [case for case in cases if case.done and not case.failed]
    rows = []
    for label in LABELS:
        wrong = [case for case in watched if label in case.labels]
        found = sum(label in case.found for case in wrong)
        alarms = sum(label in case.found for case in watched if label not in case.labels)
        rows.append(_row(label, len(wrong), found, alarms))
    free = [case for case in watched if not case.labels]
    alarms = sum(bool(case.found) for case in free)
    rows.append(_row(NONE, len(free), len(free) - alarms, alarms))
    return rows


def _row(label: str, files: int, found: int, alarms: int) -> dict[str, Any]:
    row = {"label": label, "files": files, "found": found, "missed": files - found}
    return row | {"false_alarms": alarms}
