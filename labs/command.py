"""``warplens lab``: the notebooks in JupyterLab, in the reader's own copy."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from gpucore.errors import MissingDependency, ParameterError
from gpucore.installing import install_hint
from gpucore.saving import new_folder, replacing

LABS = Path(__file__).parent
_FIX = "name another folder for the labs"


def lab(
    folder: Annotated[Path, typer.Argument(help="Where your copy of the notebooks lives.")] = Path(
        "warplens-labs"
    ),
    open_jupyter: Annotated[
        bool, typer.Option("--open/--copy-only", help="Open JupyterLab on it.")
    ] = True,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open it in the browser, too.")
    ] = True,
    grader: Annotated[
        str,
        typer.Option(
            help="Write assignments for a grader instead, and open nothing: nbgrader or otter."
        ),
    ] = "",
) -> None:
    """Copy the labs into a folder and open them in JupyterLab; your changes there are kept."""
    if grader:
        from .export import export  # NumPy behind it takes longer than all the rest

        for path in export(grader, folder):
            print(f"wrote {path}")
        return
    if open_jupyter and find_spec("jupyterlab") is None:
        raise MissingDependency(
            f"warplens lab needs JupyterLab; get it with: {install_hint('app,lab')}, "
            "or copy the notebooks only: warplens lab --copy-only"
        )
    for path in copy_notebooks(folder):
        print(f"copied {path}")
    if open_jupyter:
        # In place of this process, so that Ctrl-C and the exit code are Jupyter's.
        words = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder.resolve()}"]
        os.execv(sys.executable, words if browser else [*words, "--no-browser"])


def copy_notebooks(folder: Path) -> list[Path]:
    """Copy the notebooks that the folder does not have yet; return the copies.

    Raises
    ------
    ParameterError
        The folder cannot be written to.
    """
    copied = []
    with new_folder(folder, ParameterError, _FIX):
        for notebook in sorted(LABS.glob("*/*.ipynb"), key=lambda path: path.name):
            target = folder / notebook.name
            if not target.exists():
                with replacing(target, ParameterError, _FIX) as file:
                    file.write(notebook.read_bytes())
                copied.append(target)
    return copied
