"""The card with the code of a run and its profile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gpucore
from gpucore import native
from gpucore.device.host import HostDevice
from gpucore.device.profile import Profile
from gpucore.errors import DeviceError
from gpucore.problems.graph.graph import Graph
from gpucore.progress import Progress

from ..fields import show
from ..jobs import Stop
from ..view import Services, View
from ..widgets.code import CodePanes
from .lens import lens
from .playable import MOST_EDGES, PLAYGROUND, playable

if TYPE_CHECKING:
    from gpucore.result import Result

_LIBRARY = "warplens_instrumented"
#: Options of a result's device that name its schedule.
_SCHEDULE = ("policy", "seed", "yield_atomic")
_HOST = (
    "Runs the same graph and parameters once more on the host executor, which looks at every "
    "access to memory."
)
_AFTER_GPU = (
    "The run was on a GPU; this profile is of the same kernels, graph and parameters on the host "
    "executor, with the memory system of a GPU as its model."
)
_LARGE = (
    f"Kernels of runs on graphs of up to {MOST_EDGES} edges can be edited and run in the browser."
)
_NONE = (
    "The kernels of this run cannot be edited in the browser: their blocks wait for each other in "
    "a cooperative launch, or they have too many threads."
)
_MISSING = (
    "Profiles need the instrumented host executor, which is not part of this installation: it is "
    "built along with Warplens where the C++ compiler can observe every access (GCC can). "
    "Everything else works without it."
)


class CodePanel:
    """Code panes of one page.

    Parameters
    ----------
    view : View
        Its ``code`` is shown; without code the card is hidden.
    services : Services
        Services of the page, see :mod:`app.view`.
    """

    def __init__(self, view: View, services: Services) -> None:
        self._book = view.code
        self._services, self._limits = services, services.limits
        self._shown: tuple[str, str] | None = None
        self._subject: tuple[Graph, Result] | None = None
        profile = services.guard(self._profile)
        edit = services.guard(self._edit)
        self._panes = CodePanes(
            lambda: services.jobs.when_idle(profile), lambda: services.jobs.when_idle(edit)
        )
        self.widget = self._panes.add_class("ws-card")
        show(self.widget, False)

    def preview(self, algorithm: str, variant: str) -> None:
        """Show the code of an algorithm that has not been run yet."""
        self._subject = None
        self._show_code(algorithm, variant)
        self._offer("Run it first, then its kernels can be profiled.", ready=False)

    def show(self, graph: Graph, result: Result) -> None:
        """Show the code of a run on a graph."""
        self._subject = graph, result
        self._show_code(result.algorithm, result.variant)
        if not self._panes.sources:  # no kernels
            return
        refusal = self._refusal(graph)
        self._offer(refusal or self._promise(result), ready=not refusal)
        small = graph.num_edges <= MOST_EDGES
        self._panes.edit = {"ask": True} if small else {"text": _LARGE}

    def _show_code(self, algorithm: str, variant: str) -> None:
        known = self._book is not None and (algorithm, variant) in self._book.files
        show(self.widget, known)
        self._panes.profile = self._panes.edit = {}
        if not known or self._shown == (algorithm, variant):
            return
        assert self._book is not None
        with self._panes.hold_sync():  # one message: the page draws both together
            self._panes.sources = self._book.sources(algorithm, variant)
            self._panes.listing = self._book.listing(algorithm, variant)
        self._shown = algorithm, variant

    def _offer(self, text: str, *, ready: bool, busy: bool = False) -> None:
        self._panes.offer = {"ready": ready, "busy": busy, "text": text}

    def _refusal(self, graph: Graph) -> str:
        """Return why no profile can be made, "" if one can."""
        try:
            native.library_path(_LIBRARY)
        except DeviceError:
            return _MISSING
        if graph.num_edges > self._limits.profile_edges:
            return (
                f"Graphs of up to {self._limits.profile_edges:,} edges are profiled here, and "
                f"this one has {graph.num_edges:,}: every access to memory is observed."
            )
        return ""

    @staticmethod
    def _promise(result: Result) -> str:
        return _HOST if result.device.get("name") == "host" else _AFTER_GPU

    def _edit(self) -> None:
        if self._subject is None or self._subject[0].num_edges > MOST_EDGES:
            return
        kernels = playable(*self._subject)
        found = {"address": PLAYGROUND, "kernels": kernels} if kernels else {"text": _NONE}
        self._panes.edit = found

    def _profile(self) -> None:
        if self._subject is None or self._book is None:
            return
        book, (graph, result) = self._book, self._subject
        if self._refusal(graph):
            return
        self._offer("Profiling: it can be cancelled beside the Run button.", ready=False, busy=True)

        def work(progress: Progress, stop: Stop) -> dict[str, Any]:
            try:
                return lens(
                    profile_of(graph, result, progress, stop),
                    book,
                    book.files[result.algorithm, result.variant],
                )
            finally:
                if self._subject == (graph, result):
                    self._offer(self._promise(result), ready=True)

        self._services.start(work, self._profiled, self._limits.profile_seconds)

    def _profiled(self, found: dict[str, Any]) -> None:
        self._panes.profile = found


def profile_of(graph: Graph, result: Result, progress: Progress, stop: Stop) -> Profile:
    """Repeat the run of a result under observation, and return the profile.

    Raises
    ------
    DeviceError
        The instrumented library is not installed.
    """
    schedule = {}
    if result.device.get("name") == "host":
        schedule = {name: result.device[name] for name in _SCHEDULE if name in result.device}
    device = HostDevice(instrumented=True, **schedule)

    def report(phase: str, done: int, total: int) -> None:
        progress(f"profiling: {phase}", done, total)

    gpucore.run(
        result.algorithm,
        graph,
        device=device,
        certify=False,
        progress=report,
        cancel=stop,
        **{**result.params, "variant": result.variant},
    )
    return device.profile()
