"""Find declarations: a folder of a package declares itself by one object in its ``__init__.py``.

A declaration names what belongs to it as ``"module:NAME"`` and imports none of it, so that a list
of all families costs nothing. Modules are relative to the folder; a name that begins with
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

    So a folder that is put beside the installed package belongs to it, for instance
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
        Its subfolders are looked at, on every entry of its ``__path__``.
    attribute : str
        The object that a folder declares; folders without it are passed over.

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
    """Import what a declaration names.

    Parameters
    ----------
    reference : str
        ``"module:NAME"``.
    package : str
        Of the declaration; `module` is in it unless it begins with ``gpucore.``.

    Examples
    --------
    >>> resolve("errors:GraphError", "gpucore").__name__
    'GraphError'
    """
    module, _, name = reference.partition(":")
    place = module if module.startswith("gpucore.") else f"{package}.{module}"
    return getattr(importlib.import_module(place), name)
