"""Compile the kernels that the playground offers, as its page would, into app/play/prebuilt.zip.

tools/playground.py runs it. Node and two npm packages are needed; users need none of them.
"""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from wasm import tool, unpacked

from gpucore.errors import KernelCompileError
from gpucore.watching.compiling.compiler import kernel_unit
from gpucore.watching.source import preprocess
from gpucore.watching.source.translate import translate
from gpucore.watching.toolchain import SIMT
from warplens.app.play.engine import SCRIPTS, headers
from warplens.app.play.offered import compiler_digest, offered
from warplens.app.play.parts import BINARYEN, CLANG
from warplens.app.play.prebuilt import ARCHIVE, key_of, read, write

ROOT = Path(__file__).resolve().parents[1]


def prebuild() -> None:
    """Write the archive, and the digest of its compiler beside it.

    While the digest is the same, only kernels are compiled that the archive does not have.
    """
    noted = ARCHIVE.with_suffix(".txt")
    same = noted.is_file() and noted.read_text().strip() == compiler_digest()
    wanted = {key_of(*one): one for one in offered()}
    kernels = {key: kernel for key, kernel in read().items() if same and key in wanted}
    new = [one for key, one in wanted.items() if key not in kernels]
    failed: list[str] = []
    if new:
        with tempfile.TemporaryDirectory() as scratch:
            compiler = _Compiler(Path(scratch))
            preprocess.tool = compiler.preprocess
            for one in new:
                try:
                    kernels[key_of(*one)] = _compiled(compiler, *one)
                except KernelCompileError as error:
                    failed.append(f"{one[1] or one[0]}: {error}")
            compiler.close()
    write(kernels)
    noted.write_text(f"{compiler_digest()}\n")
    if failed:
        raise SystemExit("\n".join(failed))
    print(f"{ARCHIVE}: {len(new)} new of {len(kernels)} kernels, {ARCHIVE.stat().st_size} bytes")


def _compiled(compiler: _Compiler, code: str, kernel: str) -> tuple[bytes, bytes]:
    plain = translate(code, kernel or None)
    about = compiler.ask(unit=kernel_unit(plain))
    if "error" in about:
        raise KernelCompileError(about["error"])
    wasm = base64.b64decode(about.pop("wasm"))
    print(f"{kernel or 'a puzzle'}: {len(wasm)} bytes", file=sys.stderr)
    found = {"parameters": plain.parameters, "about": about}
    return json.dumps(found, separators=(",", ":")).encode(), wasm


class _Compiler:
    """The page's compiler in Node."""

    def __init__(self, scratch: Path) -> None:
        for name in SCRIPTS:
            shutil.copyfile(ROOT / "app" / "play" / name, scratch / name)
        (scratch / "package.json").write_text('{"type": "module"}')
        kept = {f"simt/{p.relative_to(SIMT).as_posix()}": p.read_text() for p in headers()}
        (scratch / "headers.json").write_text(json.dumps(kept))
        packages = [unpacked(CLANG) / "gen" / "bundle.js", unpacked(BINARYEN) / "index.js"]
        script = ROOT / "tools" / "prebuild.mjs"
        command = [tool("node"), script, scratch, *packages, scratch / "headers.json"]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, encoding="utf-8")

    def ask(self, **asked: Any) -> dict[str, Any]:
        """Return the answer to a line."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def preprocess(self, words: Any, files: Any) -> Any:
        """Run the preprocessor, as ``play.watching`` does."""
        done = self.ask(words=json.dumps([*words]), files=json.dumps({**files}))
        return SimpleNamespace(returncode=done["code"], stdout=done["out"], stderr=done["err"])

    def close(self) -> None:
        """End it."""
        self._process.communicate()
