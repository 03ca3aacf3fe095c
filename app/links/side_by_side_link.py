"""Links to runs on one clock: the values of a form, the alignment, and the position.

The browser adds alignment and position to a link that is copied, and moves the clock there once the
runs are on the page.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from gpucore.errors import ParameterError

from ..widgets.link_bar import LinkBar
from .words import read_words, whole

if TYPE_CHECKING:
    from ..errors import Guard
    from ..fields.graph_chooser import GraphChooser

Settings = dict[str, str]

_OWN_FILE = "A link cannot hold a file, so runs on your own graph have no link."


@dataclass(frozen=True)
class Place:
    """A place of the common clock: alignment and position."""

    how: str
    position: int


def read_place(given: Settings, alignments: tuple[str, ...]) -> Place:
    """Remove the place from a link's words and return it."""
    how = given.pop("how", alignments[0])
    if how not in alignments:
        raise ParameterError(
            f"the link aligns runs by {how[:30]!r}, and only {', '.join(alignments)} is known"
        )
    return Place(how, whole("position", given.pop("position", "0")))


class SideBySideLink(ABC):
    """The button that copies a link to the runs, and the link that a page was opened with.

    Parameters
    ----------
    graphs : GraphChooser
        Loads the link's graph.
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.
    alignments : tuple of str
        The alignments that a link may name, the default first.
    reason : str
        Why there is no link before there are runs.

    Attributes
    ----------
    widget : LinkBar
    """

    def __init__(
        self, graphs: GraphChooser, guard: Guard, alignments: tuple[str, ...], reason: str
    ) -> None:
        self._graphs, self._alignments, self._reason = graphs, alignments, reason
        self._settings: Settings | None = None
        #: The place of a link whose runs are not on the page yet.
        self._place: Place | None = None
        self.widget = LinkBar(guard(self._beyond), reason=reason)
        self.widget.observe(guard(lambda change: self.open(change["new"])), "search")

    @abstractmethod
    def settings(self) -> Settings | None:
        """Return the form's values as words, or None if the graph is a visitor's own file."""

    @abstractmethod
    def fill_in(self, settings: Settings) -> None:
        """Set the form to the values of a link, or raise ParameterError and set nothing."""

    @property
    def waiting(self) -> bool:
        """Whether a link was opened whose runs are not on the page yet."""
        return self._place is not None

    @property
    def running(self) -> bool:
        """Whether runs are on the page or under way."""
        return self._settings is not None

    def open(self, search: str) -> None:
        """Open the link in the page's address: fill in the form, run, go to the position."""
        given = read_words(search)
        if not given:
            return
        place = read_place(given, self._alignments)
        self.fill_in(given)
        self._place = place
        self._graphs.announce()

    @abstractmethod
    def idle(self, ready: bool) -> None:
        """Continue with the link once its graph is loaded."""

    def started(self) -> None:
        """Store the form's values; they may change during the runs."""
        self._settings = self.settings() or {}

    def failed(self) -> None:
        """Drop the link: its runs cannot be shown."""
        self._place = None

    def clear(self) -> None:
        """Offer no link: there are no runs."""
        self._settings = None
        self.widget.query, self.widget.reason = "", self._reason

    def show(self, playing: bool) -> None:
        """Offer the link of the finished runs."""
        settings = self._settings or {}
        self.widget.query = urlencode(settings, safe=":,=")
        self.widget.reason = "" if settings else _OWN_FILE
        place, self._place = self._place, None
        if place is not None and playing:
            self.widget.go(place.how, place.position)

    def _beyond(self, position: int, length: int) -> None:
        raise ParameterError(
            f"the link's position is {position:,}, and these runs have {length:,}; the order of "
            "events on a GPU differs from run to run"
        )
