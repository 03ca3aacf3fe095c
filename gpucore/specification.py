"""Specifications of generated graphs: ``kind:key=value,key=value``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from gpucore.errors import GraphError, ParameterError
from gpucore.limits import Limits

#: The problem that is generated: a graph, or preferences.
G = TypeVar("G")


def generated(kind: str, parameters: Mapping[str, Any]) -> dict[str, str]:
    """Return the ``source`` of a generated problem.

    Examples
    --------
    >>> generated("grid", {"rows": 3, "columns": 2})
    {'kind': 'generator', 'spec': 'grid:rows=3,columns=2'}
    """
    text = ",".join(f"{key}={value}" for key, value in parameters.items())
    return {"kind": "generator", "spec": f"{kind}:{text}"}


def generate(
    known: Mapping[str, Callable[..., G]], kind: str, text: str, limits: Limits | None
) -> G:
    """Call a generator with the parameters of a specification.

    Parameters
    ----------
    known : mapping
        Generators by name, such as :data:`gpucore.problems.graph.generate.GENERATORS`.
    kind, text : str
        The text before the colon and the text after it.
    limits : Limits or None
        Larger graphs are refused.

    Raises
    ------
    GraphError
        For unknown parameters, missing ones, and values of the wrong type.
    ParameterError
        For a parameter that is given twice.

    Examples
    --------
    >>> from gpucore.problems.graph.generate import GENERATORS
    >>> generate(GENERATORS, "grid", "rows=3,columns=2", None)
    Graph('grid', vertices=6, edges=7)
    """
    return known[kind](**arguments(known, kind, text), limits=limits)


def arguments(known: Mapping[str, Callable[..., Any]], kind: str, text: str) -> dict[str, Any]:
    """Return the parameters in a specification as keyword arguments of a generator.

    Parameters and errors are those of :func:`generate`.

    Examples
    --------
    >>> from gpucore.problems.graph.generate import GENERATORS
    >>> arguments(GENERATORS, "grid", "rows=3,columns=2")
    {'rows': 3, 'columns': 2}
    """
    function = known[kind]
    takes = inspect.signature(function, eval_str=True).parameters
    public = [name for name in takes if name != "limits"]
    values: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if key not in public or not equals:
            raise GraphError(
                f"generator {kind} has no parameter {key!r}; it takes "
                f"{kind}:{','.join(f'{name}=' for name in public)}"
            )
        if key in values:
            raise ParameterError(f"generator {kind}: {key} is given twice; keep one of them")
        values[key] = _value(kind, key, value, takes[key].annotation)
    needed = [name for name in public if takes[name].default is inspect.Parameter.empty]
    if missing := [name for name in needed if name not in values]:
        raise GraphError(
            f"generator {kind} needs {', '.join(missing)}, for instance "
            f"{kind}:{','.join(f'{name}=8' for name in needed)}"
        )
    return values


def _value(kind: str, key: str, text: str, annotation: Any) -> Any:
    """Convert the text of a parameter to the type that the generator's signature names."""
    if annotation is bool:
        convert: Callable[[str], Any] = {"true": True, "false": False}.__getitem__
        text = text.lower()
    elif annotation is int:
        convert = int
    elif annotation in (float, float | None):
        convert = float
    else:
        return text
    try:
        return convert(text)
    except (ValueError, KeyError):
        name = {bool: "true or false", int: "a whole number"}.get(annotation, "a number")
        raise GraphError(f"generator {kind}: {key} must be {name}, not {text!r}") from None
