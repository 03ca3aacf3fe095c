"""A graph beside its men and women as a few words in the address.

    equivalence?graph=karate_weighted&linked=proposals&turn=random&seed=2&how=proposal&position=12

As with :mod:`app.comparison.link`, every word is checked before the first field is set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.errors import ParameterError

from ....links.together import Settings, TogetherLink
from ....links.words import (
    graph_words,
    names_of,
    option,
    set_graph,
    take_graph,
    unknown,
    whole,
)
from ....sources.graphs import LAST_SEED
from .story import ALIGNMENTS

if TYPE_CHECKING:
    from .page import EquivalencePage

_NOT_RUN = "Choose a graph first: a link opens runs."


class EquivalenceLink(TogetherLink):
    """The button below both sides, and the link that the page was opened with.

    Parameters
    ----------
    page : EquivalencePage
    """

    def __init__(self, page: EquivalencePage) -> None:
        super().__init__(page, ALIGNMENTS, _NOT_RUN)
        self._equivalence = page

    def settings(self) -> Settings | None:
        """Return what the form says."""
        page = self._equivalence
        graph = graph_words(page.graphs)
        if graph is None:
            return None
        words = {**graph, "linked": str(page.mode.value)}
        if page.mode.value == "proposals":
            words["turn"] = str(page.order.value)
            if page.order.value == "random":
                words["seed"] = str(page.seed.value)
        return words

    def fill_in(self, settings: Settings) -> None:
        """Set the form to what a link says; no graph is loaded by this."""
        page, left = self._equivalence, dict(settings)
        graph = take_graph(left, page.graphs)
        if graph is None:
            raise ParameterError("the link names no graph")
        modes = [name for _, name in page.mode.options]
        mode = left.pop("linked", page.mode.value)
        if mode not in modes:
            raise ParameterError(unknown("linked", mode, modes))
        turn = option(page.order, "turn", left.pop("turn", None))
        seed = whole("seed", left.pop("seed", str(page.seed.value)))
        if seed > LAST_SEED:
            raise ParameterError(f"the link's seed is above {LAST_SEED:,}")
        if left:
            raise ParameterError(f"the link names {names_of(left)}, which this page does not know")
        set_graph(page.graphs, graph)
        page.choose(mode, turn, seed)
