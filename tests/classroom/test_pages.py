"""A class whose students have pages of their own, all behind one address; a real server.

``benchmarks/lesson.py`` holds a class of thirty; thirty page processes take minutes of two cores.
"""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.classroom import QUESTION, Class, Student, heard
from support.serving import Server
from support.visitor import is_answered

STUDENTS = 3
#: As in docs/howto/serve-a-class.md, for a smaller class.
OPTIONS = ("--max-pages", "4", "--pages-per-address", "4", "--pages-per-visitor", "2")


@pytest.mark.slow
def test_who_shares_an_address_joins_answers_runs_and_reloads_twice(tmp_path):
    server = Server(tmp_path, "--classroom", "--pool", "0", *OPTIONS, files=1024)
    found = Class(server)
    lecturer = found.lead()
    lecturer.send(json.dumps(QUESTION))
    heard(lecturer, lambda message: message["question"] == 1)
    lecturer.close()  # nothing reads it for a while
    with ThreadPoolExecutor(3) as threads:
        students = list(threads.map(lambda _: Student(found), range(STUDENTS)))
        for _ in range(2):
            list(threads.map(Student.reload, students))
    lecturer = found.lead()
    heard(lecturer, lambda message: message["counts"] == [0, STUDENTS])
    assert len(server.page_processes()) == STUDENTS
    assert all(is_answered(student.page.socket) for student in students)
    lecturer.close()
    for student in students:
        student.leave()
    assert server.stop() == 0, server.output
    assert "Traceback" not in server.output, server.output
