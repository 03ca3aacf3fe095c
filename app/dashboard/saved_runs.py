"""The card that opens records: of the gallery, or a visitor's own file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import ipywidgets as w

from gpucore.errors import ParameterError, RecordError
from gpucore.family import get_runner
from gpucore.format import human_bytes
from gpucore.problems.graph.graph import Graph
from gpucore.progress import Progress
from gpucore.ranks import rank_algorithm
from gpucore.record import Record
from gpucore.record.ranks import ranks_of
from gpucore.result import Result

from ..cards import looked_for, note
from ..devices import SCHEDULE
from ..fields import labelled
from ..gallery import entries, entry
from ..links import permalink
from ..links.words import Wanted, set_graph, wanted_of
from ..outcomes.loading import Loaded, laid_out
from ..outcomes.outcome import Outcome, recorded_outcome, where
from ..outcomes.record_files import (
    can_rebuild,
    check_record,
    damaged,
    graph_of,
    is_of,
    read_record,
    wanted,
)
from ..sources.graphs import LAST_SEED
from ..widgets.upload import Upload

if TYPE_CHECKING:
    from ..errors import Reporter
    from ..fields.graph_chooser import GraphChooser
    from ..fields.run_chooser import RunChooser
    from ..jobs import Stop
    from ..view import Services, View


class SavedRuns:
    """Card that opens recorded runs.

    Parameters
    ----------
    view : View
    services : Services
        Services of the page, see :mod:`app.view`.
    reporter : Reporter
        Shows errors of a record.
    graphs, runs : GraphChooser, RunChooser
        The form; it is set to the values of an opened record.
    loaded : callable
        Returns the loaded graph, or None.
    opened : callable
        ``opened(outcome, name)`` shows an opened record; `name` is its gallery name, or empty.

    Attributes
    ----------
    widget : widget
        The card.
    first : str
        Name of the family's first record in the gallery; empty if it has none.
    look : widget
        What to look for in the chosen record of the gallery; it stands above the picture.
    """

    def __init__(
        self,
        view: View,
        services: Services,
        reporter: Reporter,
        graphs: GraphChooser,
        runs: RunChooser,
        *,
        loaded: Callable[[], Loaded | None],
        opened: Callable[[Outcome, str], None],
    ) -> None:
        self._view, self._services, self._reporter = view, services, reporter
        self._graphs, self._runs, self._limits = graphs, runs, services.limits
        self._loaded, self._opened = loaded, opened
        #: A record whose graph the visitor is asked for.
        self._waiting: Record | None = None
        #: A record's graph that the form does not show.
        self._foreign: Loaded | None = None
        #: The form values that reproduce the graph that was loaded last; None if none do.
        self._wanted: Wanted | None = None
        guard, limits = reporter.guard, services.limits
        own = [e for e in entries().values() if e.family == view.family]
        self.first = own[0].name if own else ""
        mine = [(e.title, e.name) for e in own]
        places = " or ".join(dict.fromkeys(e.where for e in own))
        self.gallery = w.Dropdown(options=[("Choose a run to play it", ""), *mine], value="")
        self.look = w.HTML()
        self._about = w.HTML()
        self._upload = Upload(
            limits.upload_bytes, guard(self._take_file), (".npz",), label="Record file"
        )
        limit = human_bytes(limits.upload_bytes)
        self.widget = w.VBox(
            [
                w.HTML("<h2>Recorded runs</h2>"),
                labelled(f"Recorded on {places}" if places else "Recorded", self.gallery),
                self._upload,
                w.HTML(
                    note(f"A record that was saved here or by the command line, up to {limit}.")
                ),
                self._about,
            ]
        ).add_class("ws-card")
        self.gallery.observe(guard(self._chosen), "value")

    def play(self, name: str) -> None:
        """Play a record of the gallery.

        Raises
        ------
        ParameterError
            There is no such record, or it belongs to another page.
        """
        family = entry(name).family
        if family != self._view.family:
            raise ParameterError(
                f"the record {name!r} is one of the family {family!r}, and this page plays "
                f"{self._view.family!r}; open it from the gallery of the landing page"
            )
        if self.gallery.value != name:
            self.gallery.value = name
        else:
            self._open_gallery(name)

    def _chosen(self, change: Any) -> None:
        if change["new"]:
            self._open_gallery(change["new"])
        else:
            self.look.value = ""

    def _open_gallery(self, name: str) -> None:
        shown = entry(name)
        self.look.value = looked_for(shown.title, shown.look)
        self._open(shown.record, name)

    def _take_file(self, name: str, content: bytes) -> None:
        self.gallery.value = ""
        self._open(lambda: read_record(name, content, self._limits, self._view), "")

    def forget(self) -> None:
        """Forget the opened record: another graph is loaded."""
        self.leave()
        self._foreign = None

    def leave(self) -> None:
        """Show no run of the gallery as chosen: another run replaces it."""
        self.gallery.value = ""
        self._about.value = ""

    def in_form(self, loaded: Loaded | None) -> bool:
        """Return whether the form's values describe the loaded graph."""
        return loaded is not self._foreign or loaded is None

    def graph_loaded(self, loaded: Loaded) -> bool:
        """Play the record that waited for its graph; report an error if this is another graph.

        Returns
        -------
        bool
            Whether a record waited.
        """
        record, self._waiting = self._waiting, None
        if record is None:
            return False
        if not is_of(record, loaded.prepared):
            self._reporter.report(
                RecordError("this is not the graph of the record that was opened")
            )
            return False
        self._opened(self._outcome(record, loaded), "")
        return True

    def _open(self, read: Callable[[], Record], name: str) -> None:
        """Read a record, rebuild its graph, and play it; all in the background."""
        before = self._loaded()
        self._waiting = None

        def work(progress: Progress, stop: Stop) -> Outcome:
            progress("reading the record", 0, 0)
            return self._outcome_of(read(), before, progress, stop)

        self._services.start(work, lambda outcome: self._show(outcome, name))

    def _outcome_of(
        self, record: Record, loaded: Loaded | None, progress: Progress, stop: Stop
    ) -> Outcome:
        """Return what is shown of a record, on the loaded graph if it is the record's."""
        check_record(record, self._view)
        if loaded is None or not is_of(record, loaded.prepared):
            if not can_rebuild(record):
                self._waiting = record
                self._choose_order(record)
                raise RecordError(wanted(record, self._view.sources.title))
            loaded = self._load(record, progress, stop)
        return self._outcome(record, loaded, progress, stop)

    def _choose_order(self, record: Record) -> None:
        """Choose the record's random order for the file that the visitor is asked for."""
        graphs = self._graphs
        if graphs.sources.shuffle is not None:
            with damaged("it does not say how its graph was made"):
                seed = graphs.sources.shuffle.seed_in(record.header["graph"].get("source") or {})
                graphs.order(seed if seed is None or 0 <= seed <= LAST_SEED else None)

    def _load(self, record: Record, progress: Progress, stop: Stop) -> Loaded:
        limits = self._limits
        graph = graph_of(record, limits)
        self._wanted = self._wanted_for(graph, progress, stop)
        return laid_out(graph.name, graph, graph, limits, progress, stop)

    def _wanted_for(self, prepared: Graph, progress: Progress, stop: Stop) -> Wanted | None:
        """Return the form values that reproduce a graph, or None if no form values do."""
        view, limits = self._view, self._limits
        chosen = wanted_of(prepared.source, view.sources)
        if chosen is None:
            return None
        source = view.sources.source(chosen.name, chosen.values, seed=chosen.permute)
        again = view.prepare(source.load(limits, progress, stop))
        return chosen if again.fingerprint == prepared.fingerprint else None

    def _outcome(
        self,
        record: Record,
        loaded: Loaded,
        progress: Progress | None = None,
        stop: Stop | None = None,
    ) -> Outcome:
        """Certify a record's result and make the message for the browser."""
        return recorded_outcome(record, loaded, self._view, self._limits, progress, stop)

    def _show(self, outcome: Outcome, name: str) -> None:
        """Fill in the form, then show the run: the form never contradicts the picture."""
        others = self._fill_in(outcome)
        with damaged("its numbers cannot be charted"):
            self._opened(outcome, name)
        if self._foreign is outcome.loaded:
            self._graphs.set_aside(str(outcome.loaded.prepared.source.get("spec", "")))
        self._about.value = _opened_note(outcome.result, others)

    def _fill_in(self, outcome: Outcome) -> dict[str, Any]:
        """Set the form to the values of an opened record; return what no form offers."""
        if outcome.loaded is not self._loaded():
            self._foreign = None if self._wanted is not None else outcome.loaded
            if self._wanted is not None:
                set_graph(self._graphs, self._wanted)
        settings, others = _settings(outcome, {"variant", *self._runs.choices})
        device = str(outcome.result.device.get("name"))
        if device in {value for _, value in self._runs.device.options}:
            settings["device"] = device
        with suppress(ParameterError):  # for values that the form does not offer
            permalink.fill_in(settings, self._graphs, self._runs)
        return others


def _opened_note(result: Result, others: Mapping[str, Any]) -> str:
    """Return what an opened record is of, where the form cannot say it."""
    runner = get_runner(result.algorithm)
    more = [f"{name} {value}" for name, value in others.items()]
    opened = ", ".join(filter(None, [runner.title, runner.label(result.variant), *more]))
    text = f"Opened: {opened}; recorded on {where(result)}."
    if runner.where == "device":
        text += " Run computes on the device that is chosen above."
    return note(text)


def _settings(outcome: Outcome, offered: Collection[str]) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the form's values for the run of an opened record, and what no form offers."""
    record = outcome.result.record
    header = record.header if record else {}
    settings = {"algorithm": outcome.result.algorithm}
    runner = get_runner(outcome.result.algorithm)
    defaults = runner.params()
    if record is not None and ranks_of(record) > 1:
        settings["ranks"] = str(ranks_of(record))
        defaults = rank_algorithm(runner).params()
        offered = set(offered) - {"variant"}
    others = {}
    for name, value in header["params"].items():
        if name in offered:
            settings[name] = str(value)
        elif name != "variant" and value != getattr(defaults, name, None):
            others[name] = value
    device = header["device"]
    if device.get("name") == "host":
        settings |= {k: str(device[k]) for k in SCHEDULE if k in device}
    return settings, others
