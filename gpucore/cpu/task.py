"""Inputs and outputs of native functions: structures of C, declared by types and names.

A declaration mirrors a structure of a header, or the parameters of a function, in their order::

    class _Task(Struct):
        _fields_ = layout("graph, threads, cancel, int32[] mate, Work* work", Work=_Work)

Arrays are checked against it, and live as long as the structure that has their addresses.
"""

from __future__ import annotations

import ctypes as c
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph

_SCALARS: dict[str, Any] = {
    name: getattr(c, f"c_{name}") for name in ("int32", "uint32", "int64", "uint64")
} | {"float32": c.c_float, "float64": c.c_double}

#: Groups of fields that many functions have.
_KNOWN = {
    "graph": "int32 n, int64[] indptr, int32[] indices, float32[] weights",
    "threads": "int32 threads",
    "cancel": "int32* cancel",
    "recording": "void* recording",
}


@cache
def _array(dtype: np.dtype[Any]) -> type[c.c_void_p]:
    return type(f"{dtype}[]", (c.c_void_p,), {"dtype": dtype})


def layout(text: str, **types: Any) -> tuple[tuple[str, Any], ...]:
    """Return the fields of a structure from their declaration.

    Parameters
    ----------
    text : str
        Groups with commas between them, each a type and names. A type is NumPy's name of a number,
        or a keyword of `types`; ``[]`` after it means an array, ``*`` the address of one value.
        Groups of one word are ``graph`` (see :func:`csr`), ``threads``, ``cancel`` and
        ``recording``.
    **types : ctypes type or dtype
        Structures by name, and the types of arrays of other elements.

    Examples
    --------
    >>> [name for name, _ in layout("graph, int64 scans rounds")]
    ['n', 'indptr', 'indices', 'weights', 'scans', 'rounds']
    """
    fields: list[tuple[str, Any]] = []
    for group in text.split(","):
        kind, *names = group.split()
        if names:
            fields += [(name, _type(kind, types)) for name in names]
        else:
            fields += layout(_KNOWN[kind])
    return tuple(fields)


def _type(kind: str, types: dict[str, Any]) -> Any:
    if kind == "void*":
        return c.c_void_p
    base = kind.rstrip("[]*")
    if kind.endswith("[]"):
        return _array(np.dtype(types.get(base, base)))
    known = types.get(base) or _SCALARS[base]
    return c.POINTER(known) if kind.endswith("*") else known


class Report(c.Structure):
    """Numbers that native code returns; subclasses declare ``_fields_`` by :func:`layout`."""

    def as_dict(self) -> dict[str, Any]:
        """Return the numbers by name.

        >>> type("Work", (Report,), {"_fields_": layout("int64 scans rounds")})().as_dict()
        {'scans': 0, 'rounds': 0}
        """
        return {name: getattr(self, name) for name, *_ in self._fields_}


class Struct(c.Structure):
    """The input of a native function; subclasses declare ``_fields_`` by :func:`layout`.

    Attributes
    ----------
    FOUND : tuple of str
        Numbers that native code writes; they need not be given.

    Parameters
    ----------
    **values
        All other fields, but those that the call sets (:mod:`gpucore.cpu.call`). None stands
        for no array.

    Raises
    ------
    TypeError
        A field is missing or unknown, or an array has another type or gaps.
    """

    FOUND: ClassVar[tuple[str, ...]] = ()

    def __init__(self, **values: Any) -> None:
        super().__init__()
        self._held = values  # addresses do not keep arrays
        types: dict[str, Any] = {field: kind for field, kind, *_ in self._fields_}
        optional = {"threads", "cancel", "recording", "hooks", *self.FOUND}
        wrong = (values.keys() - types) | (types.keys() - values - optional)
        if wrong:
            raise TypeError(f"{type(self).__name__} misses or does not have: {sorted(wrong)}")
        for name, value in values.items():
            if value is not None:
                setattr(self, name, self._checked(name, types[name], value))

    def _checked(self, name: str, kind: Any, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            wanted = getattr(kind, "dtype", None)
            if wanted is None or value.dtype != wanted or not value.flags.c_contiguous:
                raise TypeError(
                    f"{type(self).__name__}.{name} must be of type {kind.__name__} without gaps, "
                    f"not {value.dtype} of shape {value.shape} and strides {value.strides}"
                )
            return kind(value.ctypes.data)
        return c.pointer(value) if issubclass(kind, c._Pointer) else value


class Arguments(Struct):
    """The input of a native function that takes its parameters one by one."""

    def as_arguments(self) -> list[Any]:
        """Return the values for a call, as ctypes values."""
        values: list[tuple[Any, Any]]
        values = [(kind, getattr(self, name)) for name, kind, *_ in self._fields_]
        return [value if isinstance(value, kind) else kind(value) for kind, value in values]


def arguments_of(task: Struct) -> list[Any]:
    """Return the arguments of a call: the address of a structure, or parameters one by one."""
    return task.as_arguments() if isinstance(task, Arguments) else [c.byref(task)]


def csr(graph: Graph) -> dict[str, Any]:
    """Return the fields of the group ``graph``."""
    return {
        "n": graph.num_vertices,
        "indptr": graph.indptr,
        "indices": graph.indices,
        "weights": graph.weights,
    }
