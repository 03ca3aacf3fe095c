"""The card in which a visitor chooses a graph: of the collection, generated, a file, or drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import ipywidgets as w
import numpy as np

from gpucore.problems.graph.graph import Graph

from ..cards import graph_facts, note, upload_limits
from ..errors import Guard
from ..limits import PageLimits
from ..sources.graphs import GraphSource, drawn, uploaded
from ..widgets.drawing import Drawing
from ..widgets.upload import Upload
from . import labelled, show
from .shuffle_field import ShuffleField
from .slider_fields import slider_fields

if TYPE_CHECKING:
    from ..view import View


class GraphChooser:
    """Card to choose a graph.

    Parameters
    ----------
    view : View
        Declares the first graph and the other choices.
    limits : PageLimits
    on_source : callable
        Called with the chosen :class:`~app.sources.graphs.GraphSource`.
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.
    """

    def __init__(
        self,
        view: View,
        limits: PageLimits,
        on_source: Callable[[GraphSource], None],
        guard: Guard,
    ) -> None:
        self._on_source = on_source
        #: True while several fields are being set.
        self.quiet = False
        self.sources = sources = view.sources
        collection = sources.collection()
        self._labels = {name: label.rpartition(" (")[0] for label, name in collection}
        self.collection = w.Dropdown(options=collection, value=view.graph)
        self.family = w.Dropdown(options=[(g.title, n) for n, g in sources.generators.items()])
        self.sliders = w.VBox()
        #: The sliders of each generator; they are made once and keep their values.
        self._fields: dict[str, list[w.DOMWidget]] = {}
        endings, label = (*sources.endings, ".gz"), f"{sources.title} file"
        self._upload = Upload(
            limits.upload_bytes, guard(self._take_file), endings, label, paste=True
        )
        self._file: GraphSource | None = None
        #: Sets the fields to the graph that is on the page.
        self._restore: Callable[[], None] | None = None
        self.shuffle = ShuffleField(sources.shuffle, self._change_order, guard)
        self.facts = w.HTML()
        said = upload_limits(sources.formats, sources.counted, limits)
        self._panes = {
            "Collection": labelled(sources.title, self.collection),
            "Generated": w.VBox([labelled("Family", self.family), self.sliders]),
            "Your file": w.VBox([self._upload, w.HTML(said)]),
        }
        if sources.draws:
            self._panes["Draw"] = Drawing(guard(self._take_drawing))
        self.tabs = w.ToggleButtons(options=list(self._panes)).add_class("ws-tabs")
        heading, order = w.HTML(f"<h2>{sources.title}</h2>"), self.shuffle.widget
        self.widget = w.VBox([heading, self.tabs, *self._panes.values(), order, self.facts])
        self.widget.add_class("ws-card")
        self._choose_pane()
        self._make_sliders(guard)
        self.tabs.observe(guard(self._change_pane), "value")
        self.collection.observe(guard(lambda _: self.announce()), "value")
        self.family.observe(guard(lambda _: self._change_family(guard)), "value")

    def announce(self) -> None:
        """Call `on_source` with the chosen graph."""
        if self.quiet:
            return
        if self.tabs.value == "Collection":
            name = self.collection.value
            self._on_source(self.sources.source(name, {}, self._labels[name], self.shuffle.seed))
        elif self.tabs.value == "Generated":
            name, values = self.family.value, self.values()
            label = self.sources.generators[name].title
            self._on_source(self.sources.source(name, values, label, self.shuffle.seed))

    def show_facts(self, graph: Graph, prepared: Graph) -> None:
        """Show the size of the loaded graph, and how it was prepared."""
        facts = graph_facts(self.sources.facts(graph, prepared))
        # What a reader assumed or changed; the facts tell the preparation.
        self.facts.value = facts + "".join(map(note, graph.source.get("notes", ())))
        self._keep()

    def set_aside(self, label: str) -> None:
        """Show that the graph on the page is not one of these fields' choices."""
        with self.quietly():
            self.tabs.value = None
            self.shuffle.seed = None
        self.facts.value = note(f"The graph of the opened record: {label}.") + self.facts.value
        self._keep()

    def _keep(self) -> None:
        fields = [self.collection, self.family, *self.sliders.children]
        tab, seed, file = self.tabs.value, self.shuffle.seed, self._file
        values = [(field, field.value) for field in fields]

        def restore() -> None:
            with self.quietly():
                # Who corrects a file or a drawing stays there.
                if self.tabs.value in ("Collection", "Generated"):
                    self.tabs.value = tab
                for field, value in values:
                    field.value = value
                self.shuffle.seed, self._file = seed, file

        self._restore = restore

    def restore(self) -> None:
        """Describe the graph that is on the page: another one could not be loaded."""
        if self._restore is not None:
            self._restore()

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Load no graph while several fields are being set."""
        self.quiet = True
        try:
            yield
        finally:
            self.quiet = False

    def order(self, seed: int | None) -> None:
        """Choose a random order, or the graph's own; loads no graph."""
        with self.quietly():
            self.shuffle.seed = seed

    def values(self) -> dict[str, float]:
        """Return the values of the sliders of the chosen generator."""
        sliders = self.sources.generators[self.family.value].sliders
        fields = self.sliders.children
        return {s.name: field.value for s, field in zip(sliders, fields, strict=True)}

    def _choose_pane(self) -> None:
        for name, pane in self._panes.items():
            show(pane, name == self.tabs.value)

    def _change_pane(self, _: Any) -> None:
        self._choose_pane()
        self.announce()

    def _change_family(self, guard: Guard) -> None:
        self._make_sliders(guard)
        self.announce()

    def _make_sliders(self, guard: Guard) -> None:
        name = self.family.value
        if name not in self._fields:
            sliders = self.sources.generators[name].sliders
            self._fields[name] = slider_fields(sliders, guard(lambda _: self.announce()))
        self.sliders.children = self._fields[name]

    def _take_file(self, name: str, content: bytes) -> None:
        self._file = uploaded(name, content, reader=self.sources.read_bytes)
        self._on_source(self.sources.ordered(self._file, self.shuffle.seed))

    def _take_drawing(self, text: bytes, places: np.ndarray) -> None:
        self._on_source(drawn(text, places, reader=self.sources.read_bytes))

    def _change_order(self) -> None:
        """Load the chosen graph again in the new order; an uploaded file is kept for this."""
        if self.tabs.value == "Your file" and self._file is not None and not self.quiet:
            self._on_source(self.sources.ordered(self._file, self.shuffle.seed))
        else:
            self.announce()
