"""Hold a class of thirty behind one address; measure what pages leave behind.

    PYTHONPATH=tests python benchmarks/lesson.py --output benchmarks/results/lesson.json

Needs the extras "app" and "test", and Linux. The server of the class has the options of
docs/howto/serve-a-class.md. Each student joins, answers, opens a page of matching, runs its graph,
and reloads both twice; the script fails if one of them is refused. On another server pages are
opened and closed, and one page runs again and again; memory, open files and processes are noted.
"""

from __future__ import annotations

import argparse
import datetime
import json
import platform
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
from machine import commit, hardware

from support.classroom import QUESTION, Class, Student, heard  # type: ignore[import-not-found]
from support.connected_page import ConnectedPage  # type: ignore[import-not-found]
from support.serving import Server  # type: ignore[import-not-found]
from support.visitor import Visitor, is_answered  # type: ignore[import-not-found]

CLASS = (
    "--max-pages",
    "36",
    "--pages-per-address",
    "36",
    "--pages-per-visitor",
    "2",
    "--classroom",
)
RELOADS = 2
#: Students who do the same at the same time.
TOGETHER = 6


@contextmanager
def serving(*options: str) -> Iterator[Any]:
    """Yield a server; it stops cleanly and its log has no traceback."""
    with tempfile.TemporaryDirectory(prefix="lesson-") as folder:
        server = Server(Path(folder), "--pool", "0", "--no-warm", *options)
        try:
            yield server
        finally:
            assert server.stop() == 0
        assert "Traceback" not in server.output, server.output


def lesson(count: int) -> dict[str, Any]:
    """Hold a class."""
    with serving(*CLASS) as server, ThreadPoolExecutor(TOGETHER) as threads:
        found = Class(server)
        lecturer = found.lead()
        lecturer.send(json.dumps(QUESTION))
        heard(lecturer, lambda message: message["question"] == 1)
        lecturer.close()  # nothing reads it for minutes
        seconds = {}
        began = time.monotonic()
        students = list(threads.map(lambda _: Student(found), range(count)))
        seconds["join, answer and run"] = time.monotonic() - began
        for number in range(RELOADS):
            began = time.monotonic()
            list(threads.map(Student.reload, students))
            seconds[f"reload {number + 1}"] = time.monotonic() - began
        lecturer = found.lead()
        counted = heard(lecturer, lambda message: sum(message["counts"]) >= count)
        answers = sum(counted["counts"])
        alive = sum(is_answered(student.page.socket) for student in students)
        pages = len(server.page_processes())
        files = psutil.Process(server.process.pid).num_fds()
        lecturer.close()
        for student in students:
            student.leave()
    return {
        "students": count,
        "options": " ".join(CLASS),
        "pages that answer at the end": alive,
        "page processes at the end": pages,
        "open files of the server": files,
        "answers counted": answers,
        "seconds": {name: round(value, 1) for name, value in seconds.items()},
    }


def use(server: Any, page: Any = None) -> dict[str, Any]:
    """Return what the server uses, and a page."""
    process = psutil.Process(server.process.pid)
    found = {
        "server_mib": round(process.memory_info().rss / 2**20, 1),
        "server_files": process.num_fds(),
        "processes": len(process.children(recursive=True)),
    }
    if page is not None:
        (worker,) = server.page_processes()
        found |= {
            "page_mib": round(worker.memory_info().rss / 2**20, 1),
            "page_files": worker.num_fds(),
            "page_threads": worker.num_threads(),
        }
    return found


def cycles(count: int) -> dict[str, Any]:
    """Open and close pages."""
    with serving() as server:
        visitor, noted = Visitor(server), []
        for number in range(count + 3):
            with ConnectedPage(visitor):
                pass
            if number >= 2 and (number - 2) % 10 == 0:  # what is loaded once is loaded
                noted.append({"cycles": number - 2, **use(server)})
    return {"noted": noted}


def runs(count: int) -> dict[str, Any]:
    """Run again and again on one page."""
    with serving() as server, ConnectedPage(Visitor(server)) as page:
        noted = []
        for number in range(count + 6):
            page.run()
            if number >= 5 and (number - 5) % 5 == 0:
                noted.append({"runs": number - 5, **use(server, page)})
    return {"noted": noted}


def main() -> None:
    """Do all, and write what was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--cycles", type=int, default=60)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--output", type=Path, required=True, help="the JSON file to write")
    given = parser.parse_args()
    load = psutil.getloadavg()[0]
    names = ("tornado", "jupyter-server", "voila", "ipykernel", "warplens")
    report = {
        "what": (__doc__ or "").partition("\n")[0],
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "hardware": hardware(),
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in names},
        },
        "commit": commit(),
        "load_before": round(load, 1),
        "runs on one page": runs(given.runs),
        "pages opened and closed": cycles(given.cycles),
        "class": lesson(given.students),
    }
    given.output.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
