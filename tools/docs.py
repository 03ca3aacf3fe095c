"""Build the documentation into build/docs/VERSION, and the page that leads to the newest version.

python tools/docs.py                # the pages
python tools/docs.py -b linkcheck   # another builder of Sphinx writes into build/docs-checks
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
TARGET = BUILD / "docs"

_LEAD = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Warplens's documentation</title>
<meta http-equiv="refresh" content="0; url={newest}/index.html">
<p>Versions: {links}</p></html>
"""


def main(arguments: list[str]) -> int:
    """Build, and list the versions that the folder has."""
    folder = BUILD / "docs-checks" if arguments else TARGET / version("warplens")
    # Always from nothing: tables, docstrings and records come from code that Sphinx does not watch.
    shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet"]
    command += ["--fresh-env", "-d", str(BUILD / "doctrees"), *arguments]
    failed = subprocess.run([*command, str(ROOT / "docs"), str(folder)]).returncode
    if failed or arguments:
        return failed
    found = versions(TARGET)
    links = " ".join(f'<a href="{name}/index.html">{name}</a>' for name in found)
    (TARGET / "index.html").write_text(_LEAD.format(newest=found[0], links=links))
    # Pages of every version read this file: an old version thus offers those that came later.
    (TARGET / "versions.js").write_text(f"window.warplensVersions = {json.dumps(found)};\n")
    print(f"built {TARGET / 'index.html'}")
    return 0


def versions(folder: Path) -> list[str]:
    """Return the versions that a folder has, the newest first."""
    return sorted(
        (path.parent.name for path in folder.glob("*/index.html") if _is_version(path.parent.name)),
        key=Version,
        reverse=True,
    )


def _is_version(name: str) -> bool:
    try:
        Version(name)
    except InvalidVersion:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
