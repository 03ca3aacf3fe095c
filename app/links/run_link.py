"""The link to the run on a page, and the link that the page was opened with."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gpucore.errors import ParameterError

from . import permalink
from .permalink import Link, Settings

if TYPE_CHECKING:
    from ..fields.graph_chooser import GraphChooser
    from ..fields.run_chooser import RunChooser
    from ..stories.desk import StoryDesk


class RunLink:
    """Opens a link on a page, and makes the link to the run that is shown.

    Parameters
    ----------
    graphs, runs : GraphChooser, RunChooser
        The form that links fill in.
    run : callable
        Starts the run that the form describes; called without arguments.
    open_gallery : callable
        ``open_gallery(name)`` plays a record of the gallery.
    stories : StoryDesk
        Shows the story that a link names.
    """

    def __init__(
        self,
        graphs: GraphChooser,
        runs: RunChooser,
        run: Callable[[], None],
        open_gallery: Callable[[str], None],
        stories: StoryDesk,
    ) -> None:
        self._graphs, self._runs = graphs, runs
        self._run, self._open_gallery = run, open_gallery
        self._stories = stories
        #: Values of the form at the start of the run.
        self._settings: Settings | None = None
        #: The link that waits for its run.
        self._wanted: Link | None = None
        #: Whether the page shows a run.
        self._shown = False

    @property
    def waiting(self) -> bool:
        """Whether a link was opened whose run is not on the page yet."""
        return self._wanted is not None

    def open(self, search: str) -> bool:
        """Open the link in the page's address: fill in the form, run, go to the step.

        Returns
        -------
        bool
            Whether the address has a link.
        """
        link = permalink.read(search)
        if link is None:
            return False
        if link.story:
            self._stories.want(link.story)
        self.follow(link)
        return True

    def follow(self, link: Link) -> None:
        """Fill in the form by a link, or open its record, and run."""
        self._shown = False
        if link.record:
            self._wanted = link
            self._open_gallery(link.record)
            return
        permalink.fill_in(link.settings, self._graphs, self._runs)
        self._wanted = link
        self._graphs.announce()

    def idle(self, ready: bool) -> None:
        """Start the run of the link once its graph is loaded."""
        link = self._wanted
        if link is not None and not link.record and not self._shown and ready:
            self._run()

    def failed(self) -> None:
        """Drop the link: its run cannot be shown."""
        self._wanted = None
        self._stories.failed()

    def clear(self) -> None:
        """Note that the page shows no run."""
        self._shown = False

    def started(self, own_graph: bool) -> None:
        """Store the form's values at the start of a run; they may change during the run.

        Parameters
        ----------
        own_graph : bool
            Whether the form's values describe the loaded graph.
        """
        self._settings = permalink.settings_of(self._graphs, self._runs) if own_graph else None

    def query(self, gallery: str | None) -> str:
        """Return the link to the run that is shown.

        Parameters
        ----------
        gallery : str or None
            None for a run, else the record's name in the gallery; empty for a file's.
        """
        self._shown = True
        settings = self._settings if gallery is None else None
        return permalink.write(Link(settings or {}, gallery or ""))

    def step(self, events: int | None) -> int | None:
        """Return the event to which the link goes, on the first call only; None if there is none.

        Parameters
        ----------
        events : int or None
            Number of events of the run; None if it has no events.

        Raises
        ------
        ParameterError
            The run has fewer events.
        """
        link, self._wanted = self._wanted, None
        if link is None or events is None:
            return None
        if link.step > events:
            raise ParameterError(
                f"the link's step is {link.step:,}, and this run has {events:,} events; the order "
                "of events on a GPU differs from run to run"
            )
        return link.step
