"""Methods that run on the CPU, one module each; a module with a ``RUNNER`` is found by itself."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from gpucore.errors import ParameterError

if TYPE_CHECKING:
    from gpucore.certify import Certificate
    from gpucore.graph import Graph
    from gpucore.progress import Cancel
    from gpucore.result import Result


class Run(Protocol):
    """How every CPU method is called."""

    def __call__(
        self, graph: Graph, *, threads: int | None = None, cancel: Cancel | None = None
    ) -> Result:
        """Solve the problem on `graph`; methods of one thread ignore `threads`."""
        ...


@dataclass(frozen=True)
class Runner:
    """A CPU method.

    Attributes
    ----------
    name : str
        Name on the command line; also the module's.
    title : str
        Name for people.
    source : str
        Paper and section, or the library.
    run : callable
        ``run(graph, *, threads=None, cancel=None) -> Result``; without `threads` a method of
        several threads uses every core that it may.
    available : callable
        Returns None if the method can run here, else the reason and what would help.
    certify : callable
        ``certify(graph, result) -> Certificate``, as strict as the method allows.
    family : str
        Results of one family can be compared.
    """

    name: str
    title: str
    source: str
    run: Run
    available: Callable[[], str | None]
    certify: Callable[[Graph, Any], Certificate]
    family: str = "matching"


@cache
def runners() -> dict[str, Runner]:
    """Return all CPU methods by name, whether they can run here or not.

    Examples
    --------
    >>> runners()["greedy"].title
    'Greedy'
    """
    modules = (
        importlib.import_module(f"{__name__}.{module.name}")
        for module in pkgutil.iter_modules(__path__)
    )
    found = [module.RUNNER for module in modules if hasattr(module, "RUNNER")]
    return {runner.name: runner for runner in sorted(found, key=lambda r: r.name)}


def get_runner(name: str) -> Runner:
    """Return the CPU method called `name`, or raise ParameterError with the known names."""
    try:
        return runners()[name]
    except KeyError:
        known = ", ".join(runners())
        raise ParameterError(
            f"there is no CPU method {name!r}; the known ones are {known}"
        ) from None
