"""The cards of the compare page that choose the runs to compare."""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets as w

from gpucore.family import get_runner

from .. import cards
from ..errors import Guard
from ..fields import labelled, show
from ..view import OfferedComparison, View
from .contenders import Contender, ContenderChooser

#: The numbers of schedules of one kernel that can be shown together.
SCHEDULES = (2, 3, 4, 6)


class ComparisonChooser:
    """Cards to choose the runs to compare.

    Parameters
    ----------
    view : View
        Provides the offered comparisons.
    gpu : bool
        Whether a GPU can be offered.
    on_graph : callable
        Called with the name of the graph that a comparison asks for.
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.
    """

    def __init__(
        self, view: View, gpu: bool, on_graph: Callable[[str], None], guard: Guard
    ) -> None:
        self._on_graph = on_graph
        self._comparisons = view.installed_comparisons()
        by_kernels = get_runner(view.algorithm).where == "device"
        if gpu and by_kernels:
            self._comparisons.append(_gpu_against_host(view))
        self.offer = w.Dropdown(options=[(c.title, i) for i, c in enumerate(self._comparisons)])
        self.mode = w.ToggleButtons(
            options=[("Two runs", "two"), ("Several schedules", "schedules")]
        ).add_class("ws-tabs")
        show(self.mode, by_kernels)  # a method has no schedule
        self.schedules = w.Dropdown(options=[(str(k), k) for k in SCHEDULES], value=4)
        self._schedules = labelled("Schedules", self.schedules)
        self._note = w.HTML()
        self.first = ContenderChooser("First run", view, gpu, guard)
        self.second = ContenderChooser("Second run", view, gpu, guard)
        card = [w.HTML("<h2>Comparison</h2>"), labelled("Begin with", self.offer), self._note]
        card += [self.mode, self._schedules]
        self.widget = w.VBox(
            [w.VBox(card).add_class("ws-card"), self.first.widget, self.second.widget]
        ).add_class("ws-stack")
        self.offer.observe(guard(lambda _: self._choose()), "value")
        self.mode.observe(guard(lambda _: self._arrange()), "value")
        if self._comparisons:
            self._choose()
        else:
            self._arrange()

    def _choose(self) -> None:
        offer = self._comparisons[self.offer.value]
        self._note.value = cards.note(offer.note)
        self.first.choose(offer.runs[0])
        if offer.schedules:
            self.schedules.value = offer.schedules
        else:
            self.second.choose(offer.runs[1])
        self.mode.value = "schedules" if offer.schedules else "two"
        self._arrange()
        if offer.graph:
            self._on_graph(offer.graph)

    def _arrange(self) -> None:
        several = self.mode.value == "schedules"
        show(self._schedules, several)
        show(self.second.widget, not several)
        self.first.rename("Kernel, and the first seed" if several else "First run")

    def contenders(self) -> list[Contender]:
        """Return the chosen runs; a schedule has a seed only on the host executor."""
        first = self.first.contender()
        if self.mode.value == "two":
            return [first, self.second.contender()]
        seed = int(first.options.get("seed", 0))
        return [first.with_seed(seed + k) for k in range(self.schedules.value)]

    @property
    def refusal(self) -> str:
        """Why the chosen runs cannot be compared; empty if they can."""
        first = self.first.contender()
        if self.mode.value == "two" or first.options.get("policy") == "random":
            return ""
        return (
            "Only the random schedule of the host executor has a seed; choose it above, or "
            "compare two runs."
        )


def _gpu_against_host(view: View) -> OfferedComparison:
    run = {"name": view.algorithm, "variant": view.variant}
    return OfferedComparison(
        "GPU against host executor",
        "The same kernel source: thousands of threads at once, and every lane on a processor.",
        ({**run, "device": "cuda"}, {**run, "device": "host"}),
    )
