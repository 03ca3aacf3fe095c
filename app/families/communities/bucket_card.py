"""The card of the bucket lens: choose a vertex, and see its hash table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets as w

import gpucore
from gpucore.device.host import HostDevice
from gpucore.errors import ParameterError
from gpucore.problems.graph.graph import Graph
from gpucore.progress import Progress

from ... import cards
from ...cards.run_card import RunCard
from ...fields import labelled, show
from ...jobs import Stop
from .bucket_lens import VARIANTS, find_vertex, first_vertex, table_of
from .hash_lens import HashLens

if TYPE_CHECKING:
    from gpucore.result import Result

    from ...view import Services

_ABOUT = (
    "Runs the same graph and parameters once more on the host executor and records every edge that "
    "is hashed for this vertex in the first stage."
)
_WITHOUT = (
    "The variants “buckets” and “relaxed” fill a hash table with a group of lanes; run one of them "
    "to see it slot by slot."
)


class BucketPanel(RunCard[tuple["Graph", "Result"]]):
    """The bucket lens of one page.

    Parameters
    ----------
    services : Services
        Services of the page, see :mod:`app.view`.
    """

    def __init__(self, services: Services) -> None:
        self._suits = False
        self._vertex = w.Text(continuous_update=False)
        self._button = w.Button(description="Show its hash table").add_class("ws-plain")
        look = services.guard(self._look)
        self._button.on_click(lambda _: services.jobs.when_idle(look))
        self._lens = HashLens()
        self._choice = w.HBox([labelled("Vertex", self._vertex), self._button]).add_class("ws-pair")
        about = w.HTML(cards.note(_ABOUT))
        super().__init__(services, "Bucket lens", "", [self._choice, about, self._lens])
        self.clear()

    def clear(self) -> None:
        """Hide the card."""
        self._lens.table = {}
        super().clear()

    def show(self, graph: Graph, result: Result) -> None:
        """Offer the vertices of a run."""
        self._subject = graph, result
        self._lens.table = {}
        vertex = first_vertex(graph)
        small = graph.num_edges <= self._services.limits.record_edges
        suits = self._suits = result.variant in VARIANTS and small and vertex >= 0
        show(self._choice, suits)
        self._lens.placeholder = "" if suits else _WITHOUT
        if suits:
            self._vertex.value = str(vertex) if graph.names is None else graph.names[vertex]
        show(self.widget, small and vertex >= 0)

    def _look(self) -> None:
        """Run again and watch the vertex that the visitor named."""
        services = self._services
        if self._subject is None or not self._suits:
            return
        graph, result = self._subject
        vertex = find_vertex(graph, self._vertex.value)

        def work(progress: Progress, stop: Stop) -> dict[str, Any]:
            again = gpucore.run(
                result.algorithm,
                graph,
                device=HostDevice(),
                record="events",
                record_budget=services.limits.record_bytes,
                certify=False,
                progress=progress,
                cancel=stop,
                **{**result.params, "variant": result.variant, "watch_vertex": vertex},
            )
            if again.record is None or again.record.lost_events:
                raise ParameterError("the record is too small for this graph's events")
            return table_of(again.record, graph, vertex)

        services.start(work, self._shown)

    def _shown(self, table: dict[str, Any]) -> None:
        self._lens.table = table
