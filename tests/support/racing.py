"""Threaded methods built apart from the library: under a race detector, or with a planted bug."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import gpucore

PACKAGE = Path(gpucore.__file__).parent
#: Folders of the native methods: what they share, then one a family; those of certificates.
FOLDERS = (
    *(PACKAGE / "cpu", PACKAGE / "certify" / "cpu"),
    *(*sorted(PACKAGE.glob("families/*/cpu")), *sorted(PACKAGE.glob("families/*/proof"))),
)
COMPILER = os.environ.get("CXX", "g++")
PLAIN = ("-O1",)
# -g1 has the lines that reports name.
WATCHED = ("-O1", "-g1", "-fsanitize=thread")

BUILD = Path(__file__).parents[2] / "build" / "race-headers"
#: Headers that most sources include; they take a third of the time of a compilation.
HEADERS = ("algorithm", "atomic", "functional", "limits", "mutex", "numeric", "random", "thread")
HEADERS += ("tuple", "utility", "vector")


def compile_part(source, target, flags, headers=()):
    search = [f"-I{folder}" for folder in (*headers, *FOLDERS)]
    include = ["-include", precompiled(flags)]
    command = [COMPILER, "-std=c++17", *include, *search, *flags, "-c", source, "-o", target]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return target


@cache
def precompiled(flags):
    """Return a header that is precompiled for these flags, by GCC and once for all processes."""
    text = "".join(f"#include <{name}>\n" for name in HEADERS)
    version = subprocess.run([COMPILER, "--version"], check=True, capture_output=True).stdout
    key = hashlib.sha256(b"\0".join([version, repr(flags).encode(), text.encode()]))
    header = BUILD / key.hexdigest()[:16] / "standard.h"
    made = header.with_name("standard.h.gch")
    header.parent.mkdir(parents=True, exist_ok=True)
    if not header.exists():
        header.write_text(text)
    if b"Free Software Foundation" not in version or made.exists():
        return header
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        part = Path(folder) / made.name
        command = [COMPILER, "-std=c++17", *flags, "-x", "c++-header", header, "-o", part]
        subprocess.run(command, check=True, capture_output=True)
        part.replace(made)
    return header


def build(right, names, folder, flags, changes=None):
    """Return a program of files as they are and of methods after changes.

    Parameters
    ----------
    right : iterable of Path
        The driver, and references; they are compiled once for a folder.
    names : iterable of str
        Files of the methods; those that no change reaches are compiled once, too.
    folder : Path
    flags : tuple of str
        PLAIN or WATCHED.
    changes : dict of str to dict of str to str, optional
        ``{file: {old: new}}`` of sources and headers.
    """
    changes = changes or {}
    parts = [_compiled(folder, flags, path) for path in right]
    for name in names:
        if not {name, *included(name)} & set(changes):
            parts.append(_compiled(folder, flags, source(name)))
            continue
        # A file includes its neighbours first, hence those go beside it.
        for path in [*source(name).parent.glob("*.h"), source(name)]:
            change = changes.get(path.name)
            text = changed_text(path.name, change) if change else path.read_text()
            (folder / path.name).write_text(text)
        target = folder / f"changed_{name}.o"
        parts.append(compile_part(folder / name, target, flags, (folder,)))
    program = folder / "program"
    command = [COMPILER, "-pthread", *flags, *parts, "-o", program]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return program


@cache
def included(name):
    """Return the names of the files that a source file includes, also by way of others."""
    names = set(re.findall(r'#include "(.+)"', source(name).read_text()))
    return names.union(*map(included, names))


@cache
def _compiled(folder, flags, path):
    """Compile a part as it is."""
    return compile_part(path, folder / f"{path.stem}.o", flags)


def source(name):
    """Return the path of a source file."""
    (found,) = (path for folder in FOLDERS for path in folder.glob(name))
    return found


def changed_text(name, replacements):
    """Return the text of a source file after replacements ``{old: new}``."""
    text = source(name).read_text()
    for old, new in replacements.items():
        assert text.count(old) == 1, f"{name} no longer says {old!r} once"
        text = text.replace(old, new)
    return text


def run(program, repeats):
    return subprocess.run(
        [program, str(repeats)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "TSAN_OPTIONS": "exitcode=66"},
    )


def run_until(sign, program, repeats, times=20):
    """Return the first run that shows the mistake; on a busy machine threads seldom meet."""
    for _ in range(times):
        done = run(program, repeats)
        if sign(done):
            break
    return done


def reports_a_race(done):
    return "data race" in done.stderr


def fails(done):
    return done.returncode == 1
