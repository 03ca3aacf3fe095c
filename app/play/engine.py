"""The files of the engine as a folder that any web server can serve.

Clang, binaryen and Pyodide come from their npm packages, see :mod:`parts`; ours are in the package.
"""

from __future__ import annotations

import hashlib
import io
import itertools
import json
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import gpucore
from gpucore.errors import MissingDependency, ParameterError
from gpucore.saving import make_directory, replacing
from gpucore.watching.toolchain import SIMT

from .parts import PARTS, prepared
from .prebuilt import ARCHIVE

_HERE = Path(__file__).parent
#: Our scripts; a page imports the first.
SCRIPTS = (
    "engine.js", "worker.js", "store.js", "tools.js", "compiler.js", "places.js", "variables.js",
    "machine.js",
)  # fmt: skip
#: The instrumented executor; tools/playground.py makes it.
EXECUTOR = _HERE / "executor.wasm"
#: What helps if a file cannot be written.
FIX = "name another folder for the site"


def executor_digest() -> str:
    """Return the digest of the executor's sources, which stands beside it."""
    folders = (SIMT / name for name in ("core", "host", "instrument", "wasm"))
    paths = [path for folder in folders for path in folder.glob("*.[ch]*")]
    paths += [SIMT / "wasm" / "asyncify.cmake", SIMT / "wasm" / "watched" / "CMakeLists.txt"]
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def headers() -> list[Path]:
    """Return what a kernel can include of ours, in order."""
    folders = (SIMT / name for name in ("host", "cuda"))
    found = (path for folder in folders for path in folder.rglob("*"))
    return sorted(
        [SIMT / "simt.h", *(p for p in found if p.suffix in ("", ".h", ".hpp") and p.is_file())]
    )


def write_engine(
    folder: Path, wanted: Sequence[str] = tuple(PARTS)
) -> tuple[dict[str, int], list[str]]:
    """Write the engine's files into a folder.

    Parameters
    ----------
    folder : Path
    wanted : sequence of str
        Parts of the packages; without the compiler the kernels run that are compiled beforehand.

    Returns
    -------
    sizes : dict of str to int
        Bytes that a visitor downloads, by part. Without "Python" nothing runs.
    missing : list of str
        What cannot be fetched, and why.
    """
    parts: dict[str, list[Path]] = {}
    missing: list[str] = []
    for part in wanted:
        try:
            parts[part] = prepared(part)
        except MissingDependency as error:
            missing.append(str(error))
    make_directory(folder, ParameterError, FIX)
    parts["executor"] = [EXECUTOR, *(_HERE / name for name in SCRIPTS)]
    for path in itertools.chain(*parts.values()):
        _save(folder / path.name, path.read_bytes())
    _save(folder / "python.zip", _python())
    parts["executor"].append(folder / "python.zip")
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in parts["executor"]))
    sizes = {
        part: {path.name: path.stat().st_size for path in paths} for part, paths in parts.items()
    }
    files = {"parts": sizes, "version": digest.hexdigest()[:16]}
    _save(folder / "files.json", json.dumps(files).encode())
    return {part: sum(files.values()) for part, files in sizes.items()}, missing


def _save(path: Path, content: bytes) -> None:
    with replacing(path, ParameterError, FIX) as file:
        file.write(content)


def _python() -> bytes:
    """Return an archive of what Pyodide imports, and of the executor's headers."""
    asked = "import sys, play.watching; print(*(m.__file__ for m in list(sys.modules.values()) "
    asked += "if getattr(m, '__name__', '').split('.')[0] in ('gpucore', 'play')), sep='\\n')"
    code = f"import sys; sys.path[:0] = [{str(_HERE.parent)!r}]\n{asked}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    roots = (Path(gpucore.__file__).parents[1], _HERE.parent)
    paths = [Path(line) for line in done.stdout.split()]
    paths += [*headers(), ARCHIVE]
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(set(paths)):
            root = roots[1] if path.is_relative_to(_HERE) else roots[0]
            name = zipfile.ZipInfo(path.relative_to(root).as_posix())  # without its date
            archive.writestr(name, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return made.getvalue()
