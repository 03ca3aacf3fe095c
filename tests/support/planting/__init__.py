"""Mistakes planted in correct kernels, and a library that has the changed kernels."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from gpucore import native
from gpucore.device.base import Kernel
from gpucore.device.host import HostDevice, HostKernel
from gpucore.device.lines import line_table
from gpucore.device.source import files

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
#: Suffixes of the executor's files.
SOURCES = (".cpp", ".h", ".cmake", ".S", ".in")


@dataclass(frozen=True)
class Mistake:
    """One planted mistake: replaced text, as after an omission or a typing error.

    Attributes
    ----------
    name : str
        Of the mistake; with the source it names the changed source.
    source : str
        Kernel file without its suffix.
    old, new : str
        What is replaced by what.
    nth : int
        Which occurrence of `old`, counted from 0.
    moved_to : str
        Text, found once, before which `old` is put after it was taken out; empty: nowhere.
    header : str
        Header file in which the text is; empty: in the source. The changed source contains the
        changed header.
    """

    name: str
    source: str
    old: str
    new: str = ""
    nth: int = 0
    moved_to: str = ""
    header: str = ""

    @property
    def changed_source(self) -> str:
        """Name of the source that holds the mistake."""
        return f"{self.source}__{self.name}"

    def apply(self, source: str) -> str:
        """Return the source with the mistake; the text to replace has to be there."""
        if not self.header:
            return self._change(source)
        changed = self._change(text_of(self.header))
        there = with_include_of(self.header, source)
        put_in = replace(self, old=include(self.header), new=changed, nth=0, moved_to="")
        return put_in._change(there)

    def _change(self, source: str) -> str:
        pieces = source.split(self.old)
        if len(pieces) <= self.nth + 1:
            raise LookupError(f"{self.source}.cu has no longer the text {self.old!r}")
        before, after = pieces[: self.nth + 1], pieces[self.nth + 1 :]
        changed = self.old.join(before) + self.new + self.old.join(after)
        if not self.moved_to:
            return changed
        if changed.count(self.moved_to) != 1:
            raise LookupError(f"{self.source}.cu has not once the text {self.moved_to!r}")
        return changed.replace(self.moved_to, self.old + self.moved_to)


def include(header: str) -> str:
    """Return the line that includes a header."""
    return f'#include "{header}"\n'


def text_of(header: str) -> str:
    """Return the text of a header that is to stand in a source."""
    return files()[header].read_text().replace("#pragma once\n", "")


def with_include_of(header: str, source: str) -> str:
    """Return the source with those headers written out that include the header before it does.

    Each is written out once, where it is first included, as ``#pragma once`` has it.
    """
    written: list[str] = []
    while outer := [n for n in included(source) if n != header and reaches(n, header)]:
        written.append(outer[0])
        source = source.replace(include(outer[0]), text_of(outer[0]), 1)
        for name in written:
            source = source.replace(include(name), "")
    first, found, rest = source.partition(include(header))
    if not found:
        raise LookupError(f"no header of the source includes {header}")
    return first + found + rest.replace(include(header), "")


def included(text: str) -> list[str]:
    """Return the kernels' headers that a text includes."""
    return [name for name in re.findall(r'#include "(\S+)"', text) if name in files()]


def reaches(name: str, header: str) -> bool:
    """Return whether a header includes another one, perhaps by way of others."""
    inner = included(text_of(name))
    return header in inner or any(reaches(other, header) for other in inner)


def build(
    folder: Path,
    right: Iterable[Path],
    mistakes: Iterable[Mistake],
    levels: str = "0",
    unchanged: Iterable[Path] = (),
) -> Path:
    """Return an instrumented library of kernels; quick if nothing changed.

    Parameters
    ----------
    folder : Path
        Where it is built.
    right : iterable of Path
        Sources and headers as they are; mistakes are planted in copies of these sources.
    mistakes : iterable of Mistake
    levels : str
        Record levels of the kernels, separated by blanks.
    unchanged : iterable of Path
        Sources of the tests that are in the library as they are, too. Those of the product are in
        its own instrumented library.
    """
    kernels = folder / "kernels"
    write_kernels(kernels, list(right), mistakes, list(unchanged))
    configure = [tool("cmake"), "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={tool('ninja')}"]
    configure += ["-DCMAKE_BUILD_TYPE=Release", f"-DKERNELS={kernels}"]
    configure += [f"-DEXECUTOR={';'.join(map(str, compiled_executor()))}"]
    configure += [f"-DLEVELS={';'.join(levels.split())}", "-S", str(HERE), "-B", str(folder)]
    for command in (configure, [tool("ninja"), "-C", str(folder)]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.fail(f"the instrumented test kernels do not build:\n{done.stdout}{done.stderr}")
    library = folder / "libinstrumented_tests.so"
    # This takes seconds: read here, copies of this process have it.
    for path in (library, native.library(instrumented=True).path):
        line_table(path)
    return library


def compiled_executor(target: str = "instrumented_executor") -> list[Path]:
    """Return the object files of the product's executor; none if they are not here.

    They are those of the checkout's own build, if no source of the executor is newer.
    """
    builds = list(ROOT.glob(f"build/py3-*/CMakeFiles/{target}.dir"))
    objects = sorted(builds[0].rglob("*.o")) if len(builds) == 1 else []
    sources = [path for path in (ROOT / "gpucore" / "simt").rglob("*") if path.suffix in SOURCES]
    newest = max(path.stat().st_mtime for path in sources)
    return objects if objects and min(p.stat().st_mtime for p in objects) > newest else []


def write_kernels(
    folder: Path, right: list[Path], mistakes: Iterable[Mistake], unchanged: list[Path]
) -> None:
    """Write headers, sources as they are and changed ones; keep what is in the folder already."""
    texts = {path.name: path.read_text() for path in [*right, *unchanged]}
    names = {path.name for path in unchanged}
    wanted = {name: text for name, text in texts.items() if name in names or name.endswith("h")}
    for mistake in mistakes:
        wanted[f"{mistake.changed_source}.cu"] = mistake.apply(texts[f"{mistake.source}.cu"])
    folder.mkdir(parents=True, exist_ok=True)
    for stale in {path.name for path in folder.glob("*.cu*")} - set(wanted):
        (folder / stale).unlink()
    for name, text in wanted.items():
        path = folder / name
        if not path.is_file() or path.read_text() != text:
            path.write_text(text)


def tool(name: str) -> str:
    """Return a build tool, from this Python's own environment if it is there."""
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = shutil.which(name, path=places)
    if found is None:
        pytest.skip(f"building the instrumented test kernels needs {name}")
    return found


class Planted(HostDevice):
    """An instrumented device on which one source has a mistake; all others are the product's.

    Parameters
    ----------
    library : Path
        From :func:`build`.
    mistake : Mistake
    **options
        Of :class:`gpucore.device.host.HostDevice`.
    """

    def __init__(self, library: Path, mistake: Mistake, **options: object) -> None:
        super().__init__(instrumented=True, **options)  # type: ignore[arg-type]
        self._mistake = mistake
        self._changed = native.library(library, instrumented=True)

    def sibling(self, number: int) -> Planted:
        """Return a device with the same mistake for another rank."""
        options = {k: v for k, v in self.options.items() if k not in ("instrumented", "library")}
        return Planted(self._changed.path, self._mistake, **options | {"seed": self.seed + number})

    def kernel(self, source: str, name: str, *, record: int = 0, **constants: int) -> Kernel:
        """Return a kernel, of the changed source if that is asked for."""
        if source != self._mistake.source:
            return super().kernel(source, name, record=record, **constants)
        entry = self._changed.kernel(self._mistake.changed_source, name, record)
        return HostKernel(self, self._changed, entry)
