"""Choosing one side of a comparison: a kernel with its device, a CPU method, a recorded run."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import ipywidgets as w

from gpucore.certify.work import attended, certified
from gpucore.cpu.common import choose_threads
from gpucore.device import get_device
from gpucore.errors import ParameterError, RecordError
from gpucore.family import get_family, get_runner
from gpucore.format import counted
from gpucore.problems.graph.graph import Graph
from gpucore.progress import Cancel
from gpucore.record.replay import retold
from gpucore.result import Result

from ..cards import note
from ..devices import POLICY_LABELS, host_options
from ..errors import Guard
from ..fields import choice_field, labelled, show
from ..fields.run_chooser import first_variant
from ..gallery import Entry, entries, entry
from ..outcomes.record_files import is_of
from ..pages import get_view

if TYPE_CHECKING:
    from gpucore.runner import Runner

    from ..view import Choice, View


#: The numbers of threads that a multicore method can be given; more than cores are allowed.
THREADS = (1, 2, 4, 8, 16, 32, 64)

_EVENTLESS = "It runs without a record: only its figures and its result are compared."
_PLAYED = "A method for the processor. Its run is recorded and played, with threads for warps."


def default_threads() -> int:
    """Return the largest offered number of threads that has a core for each."""
    return max(count for count in THREADS if count <= choose_threads(None))


@dataclass(frozen=True)
class Contender:
    """One side of a comparison.

    Attributes
    ----------
    name : str
        An algorithm, a CPU method, or a record of the gallery.
    device : str
        "cuda", "host", "cpu" for a CPU method, or "gallery".
    params : mapping
        Parameters of the algorithm, its variant among them.
    options : mapping
        Options of the device, see :func:`gpucore.device.get_device`.
    """

    name: str
    device: str
    params: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """Label of the run on the page."""
        if self.device == "gallery":
            return _recorded(entry(self.name))
        runner = get_runner(self.name)
        parts = [runner.title]
        if len(runner.variants) > 1:
            variant = str(self.params.get("variant", runner.variant_names[0]))
            parts[0] += f": {runner.label(variant)}"
        parts += [*_unusual(runner.family, self.params), *self._place()]
        return ", ".join(parts)

    def _place(self) -> list[str]:
        """Return where it runs, in words."""
        if self.device == "cpu":
            count = self.params.get("threads")
            return [counted(count, "thread")] if count else []
        if self.device == "cuda":
            return ["GPU"]
        if self.options.get("policy") == "random":
            return [f"random schedule {self.options['seed']}"]
        return [f"warps {str(self.options.get('policy', '')).replace('_', ' ')}"]

    def with_seed(self, seed: int) -> Contender:
        """Return the same contender with another seed of the schedule."""
        return dataclasses.replace(self, options={**self.options, "seed": seed})

    def run(self, graph: Graph, *, record: str, record_budget: int, cancel: Cancel) -> Result:
        """Run it on a prepared graph and certify the result."""
        if self.device == "gallery":
            return _open(self.name, graph, cancel)
        import gpucore

        device = "cpu" if self.device == "cpu" else get_device(self.device, **self.options)
        return gpucore.run(
            self.name,
            graph,
            device=device,
            record=record if get_runner(self.name).records else "off",
            record_budget=record_budget,
            cancel=cancel,
            **self.params,
        )


def _unusual(family: str, params: Mapping[str, Any]) -> list[str]:
    """Return the choices that differ from the first ones: "who proposes: women"."""
    unusual = []
    for choice in get_view(family).choices:
        names = {value: name for name, value in choice.options}
        value = params.get(choice.name, choice.initial)
        if value in names and value != choice.initial:
            unusual.append(f"{choice.label[:1].lower()}{choice.label[1:]}: {names[value]}")
    return unusual


def _recorded(shown: Entry) -> str:
    return f"{shown.title} (on {shown.where})"


def _open(name: str, graph: Graph, cancel: Cancel) -> Result:
    """Return the certified result of a record of the gallery."""
    shown = entry(name)
    record = shown.record()
    if not is_of(record, graph):
        made_on = record.header["graph"]["name"]
        raise RecordError(f"this run was recorded on the graph {made_on!r}; choose that graph")
    result = get_view(shown.family).result(retold(record, graph), graph)
    certify = get_runner(record.header["algorithm"]).certify
    with attended(cancel=cancel):
        return certified(certify, graph, result)


class ContenderChooser:
    """Card to choose a contender.

    Parameters
    ----------
    title : str
        Title of the card.
    view : View
        Defines the fields of the card.
    gpu : bool
        Whether a GPU can be offered.
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.
    """

    def __init__(self, title: str, view: View, gpu: bool, guard: Guard) -> None:
        self._view = view
        family = get_family(view.family)
        guests = {name: get_runner(name) for name in view.guests}
        known = {**family.load_runners(), **guests}
        self._runners = {name: r for name, r in known.items() if not r.available()}
        self._gallery = {n: e for n, e in entries().items() if e.family == view.family}
        self.heading = w.HTML()
        self.method = w.Dropdown(
            options=[
                *((self._offered(runner), name) for name, runner in self._runners.items()),
                *((_recorded(shown), name) for name, shown in self._gallery.items()),
            ],
            value=view.algorithm,
        )
        self.variant = w.Dropdown()
        self.choices = {c.name: choice_field(c) for c in view.choices}
        self._initial = {c.name: c.initial for c in view.choices}
        devices = [("This computer's processor", "host")]
        if gpu:
            devices.append(("GPU", "cuda"))
        self.device = w.Dropdown(options=devices)
        self.policy = w.Dropdown(options=POLICY_LABELS)
        self.seed = w.BoundedIntText(value=1, min=0, max=2**31 - 9)
        self.threads = w.Dropdown(options=[(str(k), k) for k in THREADS], value=default_threads())
        self._explanation = w.HTML()
        self._arrange(title)
        for widget in (self.method, self.variant, self.device):
            widget.observe(guard(lambda change: self._offer(change["owner"])), "value")
        self._offer(self.method)

    def _arrange(self, title: str) -> None:
        self._fields = {
            "variant": labelled("Variant", self.variant),
            **{c.name: labelled(c.label, self.choices[c.name]) for c in self._view.choices},
        }
        self._schedule = w.HBox([labelled("Warps run", self.policy), labelled("Seed", self.seed)])
        # One below the other: names of variants do not fit in half the card.
        self._pair = w.VBox(list(self._fields.values()))
        self._device = labelled("Run on", self.device)
        self._threads = labelled("Threads", self.threads)
        self.rename(title)
        self.widget = w.VBox(
            [
                self.heading,
                labelled("Method", self.method),
                self._pair,
                self._explanation,
                self._threads,
                self._device,
                self._schedule.add_class("ws-pair"),
            ]
        ).add_class("ws-card")

    def rename(self, title: str) -> None:
        """Give the card another title."""
        self.heading.value = f"<h2>{title}</h2>"

    def _offer(self, changed: w.Widget) -> None:
        """Show the fields that apply to the current choice."""
        runner = self._runners.get(self.method.value)
        if changed is self.method and runner is not None and runner.variants:
            self.variant.options = [(variant.label, variant.name) for variant in runner.variants]
            self.variant.value = first_variant(runner, self._view)
        varied = runner is not None and len(runner.variants) > 1
        show(self._fields["variant"], varied)
        for choice in self._view.choices:
            show(self._fields[choice.name], self._matters(choice))
        by_kernels = runner is not None and runner.where == "device"
        show(self._pair, varied or any(map(self._matters, self._view.choices)))
        self._explanation.value = note(self._about(runner))
        show(self._threads, self.parallel(self.method.value))
        show(self._device, by_kernels)
        show(self._schedule, by_kernels and self.device.value == "host")

    def _about(self, runner: Runner | None) -> str:
        """Return what is said of the chosen runner, or of the record of the gallery."""
        if runner is None:
            return self._gallery[self.method.value].look
        about = runner.variant(self.variant.value).about if runner.variants else ""
        if runner.where == "device":
            return about
        return f"{about} {_PLAYED if self._records(runner) else _EVENTLESS}".strip()

    def _offered(self, runner: Runner) -> str:
        """Return the option of a runner; guests of another family are not played."""
        if runner.where == "device":
            return runner.title
        return f"{runner.title} (CPU{'' if self._records(runner) else ', figures only'})"

    def _records(self, runner: Runner) -> bool:
        return runner.records and runner.family == self._view.family

    def parallel(self, name: str) -> bool:
        """Return whether a name is that of a method for which a number of threads is chosen."""
        return name in self._runners and self._runners[name].parallel

    def _matters(self, choice: Choice) -> bool:
        runner = self._runners.get(self.method.value)
        if runner is None or not (runner.where == "device" or choice.methods):
            return False
        if choice.name not in {known.name for known in dataclasses.fields(runner.params)}:
            return False
        return not choice.variants or self.variant.value in choice.variants

    def variants(self, method: str) -> tuple[str, ...]:
        """Return the variants of a method; empty if it has a single form."""
        return self._runners[method].variant_names if method in self._runners else ()

    def choose(self, wanted: Mapping[str, Any]) -> None:
        """Choose what an offered comparison asks for.

        Parameters
        ----------
        wanted : mapping
            ``name`` and, where they are not the defaults, ``variant``, ``device``, ``policy``,
            ``seed``, ``threads`` and values of the view's choices.

        Raises
        ------
        ParameterError
            If a field or value is not known here.
        """
        fields: dict[str, Any] = {
            "name": self.method,
            "variant": self.variant,
            "device": self.device,
            "policy": self.policy,
            "seed": self.seed,
            "threads": self.threads,
            **self.choices,
        }
        for key in wanted:
            if key not in fields:
                raise ParameterError(f"a run has no field {key!r}; it has {', '.join(fields)}")
        values = {"device": "host", "policy": "random", "seed": 1, **wanted}
        for key, widget in fields.items():
            if key in self.choices and key not in values:
                widget.value = self._initial[key]
            elif key in values:
                try:
                    widget.value = values[key]
                except Exception as error:  # traitlets' own, which ipywidgets raises
                    raise ParameterError(
                        f"{values[key]!r} cannot be chosen as {key} here"
                    ) from error

    def contender(self) -> Contender:
        """Return the chosen contender."""
        name = self.method.value
        if name in self._gallery:
            return Contender(name, "gallery")
        runner = self._runners[name]
        params = {"variant": self.variant.value} if runner.variants else {}
        params |= {
            c.name: self.choices[c.name].value for c in self._view.choices if self._matters(c)
        }
        if runner.where != "device":
            threads = {"threads": self.threads.value} if self.parallel(name) else {}
            return Contender(name, "cpu", params | threads)
        if self.device.value != "host":
            return Contender(name, self.device.value, params)
        options = host_options(self.policy.value, int(self.seed.value))
        return Contender(name, "host", params, options)
