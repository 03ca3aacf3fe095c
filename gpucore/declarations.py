"""Find declarations: a folder of a package declares itself by one object in its ``__init__.py``.

A declaration refers to its parts by ``"module:NAME"`` and imports none of them, so listing all
families is cheap. Modules are relative to the folder; a name that begins with
``gpucore.`` is absolute.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from functools import cache
from pathlib import Path
from typing import Any


def on_path(own: list[str], *parts: str) -> list[str]:
    """Return a package's ``__path__``, extended by its folder in every entry of ``sys.path``.

    So a folder outside of the installed package belongs to the package too, for instance
    ``gpucore/families/NAME`` in any entry of ``PYTHONPATH``.

    Parameters
    ----------
    own : list of str
        The ``__path__`` so far.
    *parts : str
        The package's name, in parts.
    """
    # Absolute, since a program may change its directory.
    more = [str(Path(entry, *parts).absolute()) for entry in sys.path]
    return list(dict.fromkeys([*own, *(folder for folder in more if Path(folder).is_dir())]))


@cache
def declarations(package: str, attribute: str) -> dict[str, Any]:
    """Return the declarations in the folders of a package, by folder, sorted.

    Parameters
    ----------
    package : str
        The package whose subfolders are searched, on every entry of its ``__path__``.
    attribute : str
        The object that a folder declares; folders without it are skipped.

    Raises
    ------
    RuntimeError
        A declaration has another name than its folder.
    """
    found: dict[str, Any] = {}
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        if not module.ispkg:
            continue
        declared = getattr(importlib.import_module(f"{package}.{module.name}"), attribute, None)
        if declared is None:
            continue
        if declared.name != module.name:
            raise RuntimeError(f"{package}.{module.name} declares the name {declared.name!r}")
        found[module.name] = declared
    return dict(sorted(found.items()))


@cache
def resolve(reference: str, package: str) -> Any:
    """Import the object that a declaration refers to.

    Parameters
    ----------
    reference : str
        ``"module:NAME"``.
    package : str
        Package of the declaration; `module` is relative to it unless it begins with ``gpucore.``.

    Examples
    --------
    >>> resolve("errors:GraphError", "gpucore").__name__
    'GraphError'
    """
    module, _, name = reference.partition(":")
    place = module if module.startswith("gpucore.") else f"{package}.{module}"
    return getattr(importlib.import_module(place), name)
