"""Inputs and outputs of native functions: structures of C, declared by types and names.

A declaration mirrors a structure of a header, or the parameters of a function, in their order::

    _Task = struct("BMatchingTask", "graph, int64[] slots, threads, cancel, int32[] mates count")
    task = _Task(*csr(graph), slots, mates, count)

Values are checked against it, and arrays live as long as the structure that has their addresses.
"""

from __future__ import annotations

import ctypes as c
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph

_SCALARS: dict[str, Any] = {
    name: getattr(c, f"c_{name}") for name in ("int32", "uint32", "int64", "uint64")
} | {"float32": c.c_float, "float64": c.c_double}

#: The fields of the group "graph"; see :func:`csr`.
_GRAPH = "int32 n, int64[] indptr, int32[] indices, float32[] weights"
#: Fields that the call sets: :mod:`gpucore.cpu.call`, :func:`gpucore.certify.work.prove`.
_OF_CALL = {
    "threads": c.c_int32,
    "cancel": c.POINTER(c.c_int32),
    "recording": c.c_void_p,
    "hooks": c.c_void_p,
}


class Report(c.Structure):
    """Numbers that native code returns; subclasses declare ``_fields_`` by :func:`layout`."""

    def as_dict(self) -> dict[str, Any]:
        """Return the numbers by name.

        >>> type("Work", (Report,), {"_fields_": layout("int64 scans rounds")})().as_dict()
        {'scans': 0, 'rounds': 0}
        """
        return {name: getattr(self, name) for name, *_ in self._fields_}


class Struct(c.Structure):
    """The input of a native function; see :func:`struct`.

    Parameters
    ----------
    *values
        All fields in their order, but those that the call sets: numbers, arrays, structures to
        take the address of. None stands for no array.

    Raises
    ------
    TypeError
        There are more or fewer fields, or an array has another type or gaps.
    """

    def __init__(self, *values: Any) -> None:
        super().__init__()
        self._held = values  # addresses do not keep arrays
        fields = [field for field in self._fields_ if field[0] not in _OF_CALL]
        if len(values) != len(fields):
            names = ", ".join(field[0] for field in fields)
            raise TypeError(f"{type(self).__name__} takes {names}: not {len(values)} values")
        for (name, kind, *_), value in zip(fields, values, strict=True):
            if value is not None:
                setattr(self, name, self._checked(name, kind, value))

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

    def as_arguments(self) -> list[Any]:
        """Return the arguments of a call: the address of the structure."""
        return [c.byref(self)]


class Arguments(Struct):
    """The input of a native function that takes its parameters one by one."""

    def as_arguments(self) -> list[Any]:
        """Return the arguments of a call, as ctypes values."""
        values: list[tuple[Any, Any]]
        values = [(kind, getattr(self, name)) for name, kind, *_ in self._fields_]
        return [value if isinstance(value, kind) else kind(value) for kind, value in values]


def struct(name: str, text: str, **types: Any) -> type[Struct]:
    """Declare a structure: its name in C++, and its fields as for :func:`layout`."""
    return type(name, (Struct,), {"_fields_": layout(text, **types)})


def arguments(name: str, text: str, **types: Any) -> type[Arguments]:
    """Declare the parameters of a function: its name, and its parameters as for :func:`layout`."""
    return type(name, (Arguments,), {"_fields_": layout(text, **types)})


def layout(text: str, **types: Any) -> tuple[tuple[str, Any], ...]:
    """Return the fields of a structure from their declaration.

    Parameters
    ----------
    text : str
        Groups with commas between them, each a type and names. A type is NumPy's name of a number,
        or a keyword of `types`; ``[]`` after it means an array, ``*`` the address of one value.
        Groups of one word are ``graph`` (see :func:`csr`), ``threads``, ``cancel``, ``recording``
        and ``hooks``.
    **types : ctypes type or dtype
        Structures by name, and the types of arrays of other elements.

    Examples
    --------
    >>> [name for name, _ in layout("graph, int64 scans rounds")]
    ['n', 'indptr', 'indices', 'weights', 'scans', 'rounds']
    """
    fields: list[tuple[str, Any]] = []
    for group in text.replace("graph,", f"{_GRAPH},").split(","):
        kind, *names = group.split()
        if names:
            fields += [(name, _type(kind, types)) for name in names]
        else:
            fields.append((kind, _OF_CALL[kind]))
    return tuple(fields)


def _type(kind: str, types: dict[str, Any]) -> Any:
    if kind == "void*":
        return c.c_void_p
    base = kind.rstrip("[]*")
    if kind.endswith("[]"):
        return _array(np.dtype(types.get(base, base)))
    known = types.get(base) or _SCALARS[base]
    return c.POINTER(known) if kind.endswith("*") else known


@cache
def _array(dtype: np.dtype[Any]) -> type[c.c_void_p]:
    return type(f"{dtype}[]", (c.c_void_p,), {"dtype": dtype})


def csr(graph: Graph) -> tuple[Any, ...]:
    """Return the fields of the group ``graph``."""
    return graph.num_vertices, graph.indptr, graph.indices, graph.weights
