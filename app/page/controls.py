"""The left column of a dashboard: choose a graph, an algorithm and a device."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import ipywidgets as w

from gpucore.ranks import rank_algorithm

from ..errors import Guard
from ..limits import PageLimits
from ..sources.graphs import GraphSource, uploaded
from ..widgets.upload import Upload
from .cards import graph_facts, note, upload_limits
from .devices import POLICY_LABELS, host_options
from .run_bar import RunBar
from .shuffle_field import ShuffleField
from .slider_fields import slider_fields

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.runner import Runner

    from ..view import View

#: How many devices a run has.
RANK_LABELS = [("one", 1), *((f"{count} ranks", count) for count in (2, 3, 4))]
_ABOUT_RANKS = (
    "The graph is cut into parts, one a rank. Each rank is a thread with a device of its own; what "
    "concerns another part travels in messages, round by round. The result is the same."
)


def labelled(label: str, widget: Any) -> Any:
    """Return a widget with its label, which the style sheet puts above it."""
    widget.description = label
    return widget.add_class("ws-field")


def first_variant(runner: Runner, view: View) -> str:
    """Return the variant that a form chooses at first: the view's, or the runner's default."""
    names = runner.variant_names
    return view.variant if view.variant in names else names[0]


def choice_field(choice: Any) -> Any:
    """Return the field of a parameter, see :class:`app.view.Choice`: a menu, or a slider."""
    if not choice.slider:
        return w.Dropdown(options=choice.options, value=choice.initial)
    return w.SelectionSlider(options=choice.options, value=choice.initial).add_class("ws-slider")


def show(widget: Any, visible: bool) -> None:
    """Show or hide a widget."""
    widget.layout.display = None if visible else "none"


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
        view: Any,
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
        self.tabs = w.ToggleButtons(options=["Collection", "Generated", "Your file"])
        self.tabs.add_class("ws-tabs")
        self.collection = w.Dropdown(options=collection, value=view.graph)
        self.family = w.Dropdown(options=[(g.title, n) for n, g in sources.generators.items()])
        self.sliders = w.VBox()
        #: The sliders of each generator; they are made once and keep their values.
        self._fields: dict[str, list[Any]] = {}
        endings, label = (*sources.endings, ".gz"), f"{sources.title} file"
        self._upload = Upload(limits.upload_bytes, guard(self._take_file), endings, label)
        self._file: GraphSource | None = None
        self.shuffle = ShuffleField(sources.shuffle, self._change_order, guard)
        self.facts = w.HTML()
        said = upload_limits(sources.formats, sources.counted, limits)
        self._panes = {
            "Collection": labelled(sources.title, self.collection),
            "Generated": w.VBox([labelled("Family", self.family), self.sliders]),
            "Your file": w.VBox([self._upload, w.HTML(said)]),
        }
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
        self.facts.value = graph_facts(self.sources.facts(graph, prepared))

    def set_aside(self, label: str) -> None:
        """Show that the graph on the page is not one of these fields' choices."""
        with self.quietly():
            self.tabs.value = None
            self.shuffle.seed = None
        self.facts.value = note(f"The graph of the opened record: {label}.") + self.facts.value

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

    def _change_order(self) -> None:
        """Load the chosen graph again in the new order; an uploaded file is kept for this."""
        if self.tabs.value == "Your file" and self._file is not None and not self.quiet:
            self._on_source(self.sources.ordered(self._file, self.shuffle.seed))
        else:
            self.announce()


class RunChooser:
    """Cards to choose an algorithm with its parameters and a device; the run bar is below them.

    Parameters
    ----------
    algorithms : mapping of str to Algorithm
        Those of the page's family.
    view : View
        Declares the parameters.
    gpu : bool
        Whether a GPU can be offered.
    bar : RunBar
        Starts and stops the run.
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.
    """

    def __init__(
        self,
        algorithms: Mapping[str, Runner],
        view: View,
        gpu: bool,
        bar: RunBar,
        guard: Guard,
    ) -> None:
        self._algorithms = algorithms
        self._view = view
        self.algorithm = w.Dropdown(
            options=[(a.title, name) for name, a in algorithms.items()], value=view.algorithm
        )
        self.variant = w.Dropdown()
        self._explanation = w.HTML()
        self.choices = {c.name: choice_field(c) for c in view.choices}
        self._choice_fields = {
            c.name: labelled(c.label, self.choices[c.name]) for c in view.choices
        }
        devices = [("This computer's processor", "host")]
        if gpu:
            devices.insert(0, ("GPU", "cuda"))
        self.device = w.Dropdown(options=devices)
        self.ranks = w.Dropdown(options=RANK_LABELS)
        self.policy = w.Dropdown(options=POLICY_LABELS)
        self.seed = w.BoundedIntText(value=1, min=0, max=2**31 - 1)
        self._schedule = w.HBox([labelled("Warps run", self.policy), labelled("Seed", self.seed)])
        self._schedule.add_class("ws-pair")
        self._schedule_note = w.HTML(
            note("The same kernel source as on a GPU; order and seed decide which warp runs first.")
        )
        self._arrange(bar)
        self._connect(guard)

    def _arrange(self, bar: RunBar) -> None:
        self._ranks_note = w.HTML(note(_ABOUT_RANKS))
        self._variant_field = labelled("Variant", self.variant)
        pairs = w.HBox(list(self._choice_fields.values())).add_class("ws-pair")
        self.widget = w.VBox(
            [
                w.VBox(
                    [
                        w.HTML("<h2>Algorithm</h2>"),
                        w.HBox(
                            [
                                labelled("Algorithm", self.algorithm),
                                self._variant_field,
                            ]
                        ).add_class("ws-pair"),
                        self._explanation,
                        pairs,
                    ]
                ).add_class("ws-card"),
                w.VBox(
                    [
                        w.HTML("<h2>Device</h2>"),
                        labelled("Run on", self.device),
                        labelled("Devices", self.ranks),
                        self._ranks_note,
                        self._schedule,
                        self._schedule_note,
                    ]
                ).add_class("ws-card"),
                # The bar stays visible at the lower edge of the window.
                bar.widget,
            ]
        ).add_class("ws-stack")

    def _connect(self, guard: Guard) -> None:
        self.algorithm.observe(guard(lambda _: self._offer_variants()), "value")
        self.variant.observe(guard(lambda _: self._offer_choices()), "value")
        self.device.observe(guard(lambda _: self._offer_schedule()), "value")
        self.ranks.observe(guard(lambda _: self._offer_choices()), "value")
        self._offer_variants()
        self._offer_schedule()

    def _offer_variants(self) -> None:
        runner = self._algorithms[self.algorithm.value]
        self.variant.options = [(variant.label, variant.name) for variant in runner.variants]
        self.variant.value = first_variant(runner, self._view)
        self._offer_choices()

    def _offer_choices(self) -> None:
        runner = self._algorithms[self.algorithm.value]
        able = bool(runner.ranks) and self.device.value == "host"
        show(self.ranks, able)
        many = self.rank_count is not None
        show(self._ranks_note, many)
        show(self._variant_field, not many)
        self._explanation.value = note("" if many else runner.variant(self.variant.value).about)
        for choice in self._view.choices:
            show(self._choice_fields[choice.name], self.matters(choice))

    def variants(self, algorithm: str) -> tuple[str, ...]:
        """Return the variants of an algorithm."""
        return self._algorithms[algorithm].variant_names

    def matters(self, choice: Any) -> bool:
        """Return whether a parameter applies to the chosen variant."""
        algorithm = self._algorithms[self.algorithm.value]
        if self.rank_count is not None:
            own = dataclasses.fields(rank_algorithm(algorithm).params)
            return choice.name in {field.name for field in own}
        known = {field.name for field in dataclasses.fields(algorithm.params)}
        return choice.name in known and (
            not choice.variants or self.variant.value in choice.variants
        )

    def _offer_schedule(self) -> None:
        for widget in (self._schedule, self._schedule_note):
            show(widget, self.device.value == "host")
        self._offer_choices()

    @property
    def rank_count(self) -> int | None:
        """How many ranks the run has; None for a run on one device."""
        able = self._algorithms[self.algorithm.value].ranks and self.device.value == "host"
        return int(self.ranks.value) if able and self.ranks.value > 1 else None

    def params(self) -> dict[str, Any]:
        """Return the chosen parameters."""
        chosen = {c.name: self.choices[c.name].value for c in self._view.choices if self.matters(c)}
        if self.rank_count is not None:
            return chosen
        return {"variant": self.variant.value, **chosen}

    def device_options(self) -> dict[str, Any]:
        """Return the options for :func:`gpucore.device.get_device`."""
        if self.device.value != "host":
            return {}
        return host_options(self.policy.value, int(self.seed.value))
