"""How this installation gets an extra, or is renewed: no hint elsewhere names a release.

The texts of the documents are held against :data:`RELEASED` by ``tests/test_installing.py``.
"""

from __future__ import annotations

#: Whether package indexes have Warplens. The first release sets it, and every hint follows.
RELEASED = False


def install_hint(extras: str = "", *, again: bool = False) -> str:
    """Return the command that installs Warplens with some extras.

    Parameters
    ----------
    extras : str
        Names of extras, with commas between them.
    again : bool
        Whether to replace the files of the same version.

    Examples
    --------
    >>> RELEASED or "[app]" in install_hint("app")
    True
    """
    options = "--force-reinstall --no-deps " if again else ""
    wanted = f"[{extras}]" if extras else ""
    if RELEASED:
        return f"pip install {options}{_quoted('warplens' + wanted)}"
    wheel, editable = _origin()
    if wheel:
        return f"pip install {options}{_quoted(wheel + wanted)} (in the folder of that file)"
    options += "-e " if editable else ""
    return f"pip install {options}{_quoted('.' + wanted)} (in the checkout of Warplens)"


def update_hint() -> str:
    """Return what replaces this Warplens by the newest one.

    >>> "pip install" in update_hint()
    True
    """
    if RELEASED:
        return "pip install --upgrade warplens"
    return "pip install . (in a newer checkout of Warplens)"


def _quoted(requirement: str) -> str:
    return f"'{requirement}'" if "[" in requirement else requirement


def _origin() -> tuple[str, bool]:
    """Return the name of the wheel that was installed, and whether it is an editable checkout."""
    import json
    from importlib import metadata

    try:
        recorded = metadata.distribution("warplens").read_text("direct_url.json")
        origin = json.loads(recorded or "{}")
        name = str(origin.get("url", "")).rpartition("/")[2].partition("#")[0]
    except (metadata.PackageNotFoundError, ValueError):
        return "", False
    editable = bool(origin.get("dir_info", {}).get("editable"))
    return name if name.endswith(".whl") else "", editable
