"""What NetworkX asks of a backend: functions, conversions, whether it can and should run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from gpucore.family import Family, families

#: Name of the backend.
NAME = "warplens"

_PARAMETERS = {
    "device : {'auto', 'cuda', 'cpu'}, default 'auto'": "Where the algorithm runs.",
    "certify : bool, default True": "Check the answer by independent code.",
    "record : path, optional": "Record the run of a kernel, event by event, in this .npz file.",
}


class Backend:
    """The object that NetworkX loads; functions of NetworkX are its attributes."""

    def references(self) -> Mapping[str, tuple[Family, str]]:
        """Return family and reference of every function that a family declares."""
        return _references()

    def about(self, name: str) -> dict[str, Any]:
        """Return what NetworkX documents about one of our functions."""
        family, _ = _references()[name]
        found: dict[str, Any] = {"additional_docs": family.networkx_about.get(name, "")}
        if name in family.networkx_about:
            found["additional_parameters"] = _PARAMETERS
        return found

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_") or name not in _references():
            raise AttributeError(name)
        family, reference = _references()[name]
        function: Callable[..., Any] = family.load(reference)
        return function

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *_references()})

    @staticmethod
    def convert_from_nx(graph: Any, **wishes: Any) -> Any:
        """Return NetworkX's graph as a :class:`gpucore.networkx_backend.graph.Given`.

        Raises
        ------
        NotImplementedError
            The graph, or its weights, are of a kind that is not supported.
        """
        from gpucore.networkx_backend.graph import Given

        if wishes.get("preserve_edge_attrs"):
            raise NotImplementedError("weights given as a function are not supported")
        return Given.of(graph, wishes.get("edge_attrs") or {})

    @staticmethod
    def convert_to_nx(result: Any, *, name: str | None = None) -> Any:
        """Return a result in NetworkX's form: graphs are converted back."""
        from gpucore.networkx_backend.graph import Given

        return result.original if isinstance(result, Given) else result

    @staticmethod
    def on_start_tests(items: list[Any]) -> None:
        """Mark the tests of NetworkX that our answers do not pass; one that passes is an error."""
        import pytest

        reasons = {k: v for family in families().values() for k, v in family.networkx_tests.items()}
        for item in items:
            if reason := reasons.get(f"{item.path.name}::{item.name}"):
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))

    @staticmethod
    def can_run(name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool | str:
        """Return whether a call can be answered; a text says why not."""
        graph = args[0] if args else kwargs.get("G")
        if name not in _references():
            return f"the backend has no function {name}"
        if graph is None:
            return True
        if not hasattr(graph, "is_multigraph"):
            return f"{type(graph).__name__} is no graph"
        if graph.is_multigraph():
            return "multigraphs are not supported: merge parallel edges first"
        if graph.is_directed():
            return "directed graphs are not supported"
        return True

    @staticmethod
    def should_run(name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool | str:
        """Return whether a call is worth the conversion; a text says why not.

        The families declare from how many edges it is, as measured.
        """
        graph = args[0] if args else kwargs.get("G")
        family, _ = _references()[name]
        if graph is None or name not in family.networkx_least:
            return True
        least = family.networkx_least[name]
        edges, converted = _edges(graph), _is_converted(graph)
        wanted = least.converted if converted else least.fresh
        if wanted is None:
            return "NetworkX itself is as fast" + ("" if converted else " as the conversion")
        if edges < wanted:
            return f"NetworkX itself is as fast on a graph with less than {wanted:,} edges"
        return True


def _edges(graph: Any) -> int:
    """Return the number of edges; ``G.number_of_edges()`` takes as long as a small conversion."""
    rows = getattr(graph, "_adj", None)
    return int(graph.number_of_edges()) if rows is None else sum(map(len, rows.values())) // 2


def _is_converted(graph: Any) -> bool:
    """Return whether NetworkX keeps a conversion of the graph; one that failed is a text."""
    kept = (getattr(graph, "__networkx_cache__", None) or {}).get("backends", {}).get(NAME, {})
    return any(not isinstance(found, str) for found in kept.values())


@cache
def _references() -> dict[str, tuple[Family, str]]:
    return {
        name: (family, reference)
        for family in families().values()
        for name, reference in family.networkx.items()
    }
