"""Compile-time constants of kernels, read from their sources."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from gpucore.device.source import files, source_path
from gpucore.errors import KernelError

# A constant that can be set from outside is guarded:
#     #ifndef VERTICES_PER_WARP
#     #define VERTICES_PER_WARP 32
_GUARDED = re.compile(
    r"^[ \t]*#[ \t]*ifndef[ \t]+(\w+)[ \t]*\n[ \t]*#[ \t]*define[ \t]+\1[ \t]+(\S+)", re.MULTILINE
)


_INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"(\S+)"', re.MULTILINE)


@cache
def constant(file: str, name: str) -> int:
    """Return a constant of device code, so that host code that depends on it need not repeat it.

    Parameters
    ----------
    file : str
        Name of a file of kernels, ``"marks.cuh"``.
    name : str
        A macro or a ``constexpr`` with a whole number, or an enumerator without a value.

    Raises
    ------
    KernelError
        The file has no such constant.

    Examples
    --------
    >>> constant("marks.cuh", "SPREAD")
    256
    """
    path = files().get(file)
    text = "" if path is None else path.read_text(encoding="utf-8")
    macro = rf"#[ \t]*define[ \t]+{name}[ \t]+(\w+)"
    variable = rf"\bconstexpr\b[^;]*\b{name}[ \t]*=[ \t]*(\w+)[ \t]*[,;]"
    for form in (macro, variable):
        match = re.search(form, text)
        if match and (value := _number(match[1])) is not None:
            return value
    for enumerators in re.findall(r"\benum\b[^{;]*\{([^}=]*)\}", text):
        names = [one.strip() for one in enumerators.split(",")]
        if name in names:
            return names.index(name)
    raise KernelError(f"{file} has no constant {name!r} that is a whole number")


@cache
def default_constants(source: str) -> dict[str, str]:
    """Return the settable constants of a source and its headers with the text of their defaults."""
    found: dict[str, str] = {}
    headers, waiting = files(), [source_path(source)]
    seen = set(waiting)
    while waiting:
        text = waiting.pop().read_text(encoding="utf-8")
        found = dict(_GUARDED.findall(text)) | found
        inner = {headers[name] for name in _INCLUDED.findall(text) if name in headers} - seen
        waiting += inner
        seen |= inner
    found.pop("RECORD", None)  # what is recorded is no constant of a kernel
    return found


def check_known(source: str, constants: Mapping[str, int]) -> None:
    """Raise KernelError unless the source has all these constants."""
    defaults = default_constants(source)
    for name in constants:
        if name not in defaults:
            known = ", ".join(sorted(defaults)) or "none"
            raise KernelError(
                f"{source}.cu has no constant {name!r}; those that can be set: {known}"
            )


def check_defaults(source: str, constants: Mapping[str, int]) -> None:
    """Raise KernelError unless every constant has its default value.

    The host's kernels were compiled when the package was built, with the defaults.
    """
    check_known(source, constants)
    defaults = default_constants(source)
    for name, value in constants.items():
        default = _number(defaults[name])
        if default != value:
            raise KernelError(
                f"the host has {source}.cu compiled with {name}={defaults[name]} only, not {value}"
            )


def _number(text: str) -> int | None:
    try:
        return int(text.rstrip("uUlL"), 0)
    except ValueError:
        return None
