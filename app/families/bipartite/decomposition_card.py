"""The card with the block triangular form that follows from a maximum matching."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.families.bipartite.result import BipartiteResult
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.graph.graph import Graph
from gpucore.result import Result

from ...cards.run_card import RunCard
from ...sources.graphs import clean_name
from .block_form import BlockForm
from .decomposition import matching_table, order_table, shown

if TYPE_CHECKING:
    from ...view import Services

_ABOUT = (
    "The Dulmage–Mendelsohn decomposition follows from any maximum matching and is the same for "
    "all of them: three coarse parts, and the square one in blocks that cannot be split further. "
    "Rows and columns are counted from 0."
)
_NOT_MAXIMUM = "Only a maximum matching has a decomposition, and this one is not certified."
_TABLES = {"matching": matching_table, "order": order_table}


class DecompositionPanel(RunCard[tuple[BipartiteGraph, BipartiteResult]]):
    """The decomposition of one page.

    Parameters
    ----------
    services : Services
        Services of the page, see :mod:`app.view`.

    Attributes
    ----------
    widget : widget
        The card.
    """

    def __init__(self, services: Services) -> None:
        self.form = BlockForm(services.guard(self._save))
        super().__init__(services, "Decomposition: block triangular form", _ABOUT, [self.form])
        self.clear()

    def clear(self) -> None:
        """Hide the card."""
        self.form.clear()
        super().clear()

    def show(self, graph: Graph, result: Result) -> None:
        """Show the decomposition that follows from a run, as soon as it is computed."""
        assert isinstance(graph, BipartiteGraph)
        assert isinstance(result, BipartiteResult)
        self._appear((graph, result))
        if result.certificate is None or not result.certificate.ok:
            self.form.clear(_NOT_MAXIMUM)
            return
        self.form.clear("Computing the decomposition …")
        mates = result.row_match
        self._compute(lambda: shown(graph, mates), lambda found: self.form.draw(*found))

    def _save(self, kind: str) -> None:
        if self._subject is None:
            return
        graph, result = self._subject
        name = clean_name(f"{graph.name or 'matrix'}-{kind}.csv")
        self.form.deliver(name, _TABLES[kind](graph, result.row_match))
