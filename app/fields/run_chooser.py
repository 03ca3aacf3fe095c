"""The cards in which a visitor chooses an algorithm with its parameters, and a device."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import ipywidgets as w

from gpucore.ranks import rank_algorithm

from ..cards import note
from ..devices import POLICY_LABELS, host_options
from ..errors import Guard
from . import choice_field, labelled, show
from .run_bar import RunBar

if TYPE_CHECKING:
    from gpucore.runner import Runner

    from ..view import Choice, View

#: How many devices a run has.
RANK_LABELS = [("one", 1), *((f"{count} ranks", count) for count in (2, 3, 4))]
_ABOUT_RANKS = (
    "The graph is cut into parts, one a rank. Each rank is a thread with a device of its own; what "
    "concerns another part travels in messages, round by round. The result is the same."
)


def first_variant(runner: Runner, view: View) -> str:
    """Return the variant that a form chooses at first: the view's, or the runner's default."""
    names = runner.variant_names
    return view.variant if view.variant in names else names[0]


class RunChooser:
    """Cards to choose an algorithm with its parameters and a device; the run bar is below them.

    Parameters
    ----------
    algorithms : mapping of str to Runner
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
        self._by_kernels = any(a.where == "device" for a in algorithms.values())
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
        if gpu and self._by_kernels:
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
        self._device = w.VBox(
            [
                w.HTML("<h2>Device</h2>"),
                labelled("Run on", self.device),
                labelled("Devices", self.ranks),
                self._ranks_note,
                self._schedule,
                self._schedule_note,
            ]
        ).add_class("ws-card")
        show(self._device, self._by_kernels)
        self.widget = w.VBox(
            [
                w.VBox(
                    [
                        w.HTML("<h2>Algorithm</h2>"),
                        labelled("Algorithm", self.algorithm),
                        self._variant_field,
                        self._explanation,
                        pairs,
                    ]
                ).add_class("ws-card"),
                self._device,
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
        if runner.variants:
            self.variant.value = first_variant(runner, self._view)
        self._offer_choices()

    def _offer_choices(self) -> None:
        runner = self._algorithms[self.algorithm.value]
        able = bool(runner.ranks) and self.device.value == "host"
        show(self.ranks, able)
        many = self.rank_count is not None
        show(self._ranks_note, many)
        one_form = many or not runner.variants
        show(self._variant_field, not one_form)
        about = "" if one_form else runner.variant(self.variant.value).about
        self._explanation.value = note(about)
        for choice in self._view.choices:
            show(self._choice_fields[choice.name], self.matters(choice))

    def variants(self, algorithm: str) -> tuple[str, ...]:
        """Return the variants of an algorithm."""
        return self._algorithms[algorithm].variant_names

    def matters(self, choice: Choice) -> bool:
        """Return whether a parameter applies to the chosen variant."""
        algorithm = self._algorithms[self.algorithm.value]
        many = self.rank_count is not None
        params = rank_algorithm(algorithm).params if many else algorithm.params
        if choice.name not in {field.name for field in dataclasses.fields(params)}:
            return False
        return many or not choice.variants or self.variant.value in choice.variants

    def _offer_schedule(self) -> None:
        for widget in (self._schedule, self._schedule_note):
            show(widget, self.device.value == "host")
        self._offer_choices()

    @property
    def rank_count(self) -> int | None:
        """How many ranks the run has; None for a run on one device."""
        able = self._algorithms[self.algorithm.value].ranks and self.device.value == "host"
        return int(self.ranks.value) if able and self.ranks.value > 1 else None

    @property
    def fields(self) -> list[w.DOMWidget]:
        """All fields that describe a run."""
        fixed = [self.algorithm, self.variant, self.device, self.ranks, self.policy, self.seed]
        return [*fixed, *self.choices.values()]

    @property
    def described(self) -> tuple[Any, ...]:
        """What the form describes; equal for forms that start equal runs."""
        device = (self.device.value, self.device_options(), self.rank_count)
        return self.algorithm.value, self.params(), *device

    def params(self) -> dict[str, Any]:
        """Return the chosen parameters."""
        chosen = {c.name: self.choices[c.name].value for c in self._view.choices if self.matters(c)}
        if self.rank_count is not None or self.variant.value is None:
            return chosen
        return {"variant": self.variant.value, **chosen}

    def device_options(self) -> dict[str, Any]:
        """Return the options for :func:`gpucore.device.get_device`."""
        if self.device.value != "host" or not self._by_kernels:
            return {}
        return host_options(self.policy.value, int(self.seed.value))
