"""The link of the equivalence page: graph, pair of runs and position in the query of the address.

    equivalence?graph=karate_weighted&linked=proposals&turn=random&seed=2&how=proposal&position=12
    equivalence?graph=karate_weighted&linked=rounds&b=3

`b` is the number of mates in the claims below the player; without it, 2.

As with :mod:`app.comparison.link`, every word is checked before the first field is set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.errors import ParameterError

from ....links.side_by_side_link import Settings, SideBySideLink
from ....links.words import graph_words, names_of, option, set_graph, take_graph, unknown, whole
from ....sources.graphs import LAST_SEED
from .claims_card import TWO, ClaimsCard
from .paired_runs import ALIGNMENTS

if TYPE_CHECKING:
    from ....errors import Guard
    from ....fields.graph_chooser import GraphChooser
    from .pair_chooser import PairChooser

_NOT_RUN = "Choose a graph first: a link opens runs."


class EquivalenceLink(SideBySideLink):
    """The button that copies a link, and the link that the page was opened with.

    Parameters
    ----------
    graphs, pair, claims : GraphChooser, PairChooser, ClaimsCard
        The form that links fill in.
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.
    """

    def __init__(
        self, graphs: GraphChooser, pair: PairChooser, claims: ClaimsCard, guard: Guard
    ) -> None:
        super().__init__(graphs, guard, ALIGNMENTS, _NOT_RUN)
        self._pair = pair
        self._claims = claims

    def settings(self) -> Settings | None:
        """Return the form's values as words."""
        pair = self._pair
        graph = graph_words(self._graphs)
        if graph is None:
            return None
        words = {**graph, "linked": str(pair.mode.value)}
        if pair.mode.value == "proposals":
            words["turn"] = str(pair.order.value)
            if pair.order.value == "random":
                words["seed"] = str(pair.seed.value)
        if self._claims.mates.value != TWO:
            words["b"] = str(self._claims.mates.value)
        return words

    def fill_in(self, settings: Settings) -> None:
        """Set the form to the values of a link; loads no graph."""
        pair, left = self._pair, dict(settings)
        graph = take_graph(left, self._graphs)
        if graph is None:
            raise ParameterError("the link names no graph")
        modes = [name for _, name in pair.mode.options]
        mode = left.pop("linked", pair.mode.value)
        if mode not in modes:
            raise ParameterError(unknown("linked", mode, modes))
        turn = option(pair.order, "turn", left.pop("turn", None))
        seed = whole("seed", left.pop("seed", str(pair.seed.value)))
        if seed > LAST_SEED:
            raise ParameterError(f"the link's seed is above {LAST_SEED:,}")
        mates = option(self._claims.mates, "b", left.pop("b", str(TWO)))
        if left:
            raise ParameterError(f"the link names {names_of(left)}, which this page does not know")
        set_graph(self._graphs, graph)
        pair.choose(mode, turn, seed)
        self._claims.choose(mates)

    def idle(self, ready: bool) -> None:
        """Do nothing: both sides run as soon as the graph is loaded."""
