"""The page that shows why greedy matching is a stable marriage: two runs, linked step by step."""

from __future__ import annotations

from dataclasses import replace

import ipywidgets as w

from gpucore.families.marriage.equivalence import Claim, claims
from gpucore.progress import Progress

from .... import cards
from ....cards.ending import Ending
from ....fields import show
from ....jobs import Stop
from ....limits import PageLimits
from ....outcomes.loading import Loaded, load
from ....page.base import Page
from ....pages import get_view
from ....sources.graphs import GraphSource, clean_name
from ....widgets.local_export import LocalExport
from .claims_card import ClaimsCard
from .graphs import SOURCES, START
from .link import EquivalenceLink
from .linked import Linked
from .pair_chooser import PairChooser
from .paired_runs import PairedRuns, run_both

#: Larger graphs are refused: every step fills a line, every vertex a card or a strip.
VERTICES, EDGES = 200, 1_000

_WHY = """
<h3>Why both are the same</h3>
<div class="lk-why">
<p>Make a man and a woman of every vertex, and let both list its neighbours from the heaviest
edge to the lightest. By <b>Lemma 3.1</b> of the paper these lists have exactly <b>one stable
marriage</b>: the edges of the <b>greedy matching</b>, each of them twice, since either end may be
the man. The two ends of the heaviest edge are each other’s first choice, so they are a pair in any
stable marriage; remove them, and the same holds for the heaviest edge that is left.</p>
<p>So one algorithm solves both problems. To bid more than the suitor of a vertex <i>is</i> to
stand higher in the list of its woman: <b>Suitor is the algorithm of McVitie and Wilson</b>,
proposal by proposal, if the same vertex has the first turn. <b>Pointers</b> to the heaviest free
neighbour, matched where two point to each other, are close to <b>Gale and Shapley’s rounds</b>,
and arrive at the same pairs.</p>
<p>Two more problems have the same answer. <b>Stable roommates</b> need no men and women: every
vertex is one person, and the first phase of <b>Irving’s algorithm</b> is all that lists by weight
need. And where a vertex may have several mates, <b>greedy b-matching</b> is the stable
<b>many-to-many assignment</b>, and solves the <b>stable fixtures</b> problem of Irving and
Scott.</p>
</div>
"""
_WAITS = "Whether both runs end alike is shown when the replay has reached the end."

_SOURCE = (
    "Manne, Naim, Lerring, Halappanavar, “On stable marriages and greedy matchings”, CSC 2016, "
    "section 3. The page shows sequential runs (the rounds of proposals: the kernel, run by the "
    "host executor). The lanes of a kernel propose at the same time, in a different order on "
    "each side; they end in the same pairs, too."
)


class EquivalencePage(Page):
    """The page with a graph on the left, and its men and women on the right.

    Parameters
    ----------
    limits : PageLimits, optional
        By default those that the server set.
    """

    def __init__(self, limits: PageLimits | None = None) -> None:
        given = limits or PageLimits.from_environment()
        super().__init__(
            replace(get_view("matching"), sources=SOURCES, graph=START),
            replace(given, vertices=min(VERTICES, given.vertices), edges=min(EDGES, given.edges)),
        )
        self.pair = PairChooser(self.run, self.guard)
        self.side_by_side = Linked(placeholder="Choose a graph to see it here.")
        self.claims = ClaimsCard(self._claim_again, self.guard)
        self.link: EquivalenceLink = EquivalenceLink(
            self.graphs, self.pair, self.claims, self.guard
        )
        self.export = LocalExport(runs=True, charts=False)
        self._verdict = w.HTML().add_class("ws-card")
        self.ending = Ending(self._verdict, _WAITS, self.guard)
        self.side_by_side.observe(self.guard(lambda change: self._ended(change["new"])), "ended")
        self.widget = self._arrange()
        show(self.bar.widget, False)

    def _arrange(self) -> w.Box:
        left = [self.graphs.widget, self.pair.widget, self.bar.widget]
        why = w.HTML(_WHY + cards.note(_SOURCE)).add_class("ws-card")
        stage = self._stage(self.side_by_side, self.link.widget, self.export)
        return self._columns(left, [stage, self.ending.widget, self.claims.widget, why])

    def _failed(self, error: BaseException) -> None:
        self._before = None  # the graph, the form and both runs go together
        super()._failed(error)
        self._clear()

    def _clear(self) -> None:
        self.link.clear()
        self.side_by_side.payload = b""
        self.claims.clear()
        self.ending.clear()

    def _ended(self, ended: bool) -> None:
        if ended:
            self.ending.reached(1)

    def _idle(self) -> None:
        super()._idle()
        show(self.bar.widget, False)

    def _busy(self, phase: str, done: int, total: int) -> None:
        """Show the bar while runs are under way; they start without a button."""
        show(self.bar.widget, True)
        super()._busy(phase, done, total)

    def _load(self, source: GraphSource) -> None:
        # The page opens on runs that play.
        self.side_by_side.plays = not self.side_by_side.payload
        self.link.started()
        super()._load(source)

    def _read(
        self, source: GraphSource, progress: Progress, stop: Stop
    ) -> tuple[Loaded, PairedRuns, tuple[Claim, ...]]:
        loaded = load(source, self.view, self.limits, progress, stop)
        return loaded, self._run_both(loaded, stop), self._claim(loaded)

    def run(self) -> None:
        """Run both sides again on the loaded graph."""
        loaded = self._loaded
        if loaded is None:
            return
        self.side_by_side.plays = False
        self.link.started()
        self.services.start(
            lambda _, stop: (loaded, self._run_both(loaded, stop), self._claim(loaded)),
            self._graph_loaded,
        )

    def _claim_again(self) -> None:
        """Run the claims again with another number of mates; the player goes on."""
        loaded = self._loaded
        if loaded is not None:
            self.link.started()
            self.services.start(lambda *_: self._claim(loaded), self._claimed)

    def _claim(self, loaded: Loaded) -> tuple[Claim, ...]:
        return claims(loaded.prepared, b=int(self.claims.mates.value))

    def _claimed(self, found: tuple[Claim, ...]) -> None:
        self.claims.show(found)
        self.link.show(playing=False)

    def _run_both(self, loaded: Loaded, stop: Stop) -> PairedRuns:
        mode, turns = self.pair.mode.value, self.pair.turns(loaded.prepared)
        return run_both(loaded, mode, turns, self.limits, stop)

    def _graph_loaded(self, found: tuple[Loaded, PairedRuns, tuple[Claim, ...]]) -> None:
        self._loaded, runs, proved = found
        self.graphs.show_facts(self._loaded.graph, self._loaded.prepared)
        self._verdict.value = runs.verdict
        self.side_by_side.ended = False
        self.ending.show(1)  # before the players, whose end may be reached at once
        self.side_by_side.payload = runs.message
        self.link.show(playing=True)
        self.claims.show(proved)
        self.export.name = f"{clean_name(self._loaded.label)}-equivalence"
