"""A comparison as a link: graph, contenders, alignment, position in the query of the address.

    compare?graph=karate&mode=two&first.method=NAME&first.variant=NAME&...&how=step&position=12

As with :mod:`app.links.permalink`, the words are values of the form's fields, and all are checked
before the first field is set. The browser adds alignment and position to a link that is copied, and
moves the clock there once the runs are on the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from gpucore.errors import ParameterError

from ..clock import ALIGNMENTS
from ..links.side_by_side_link import Settings, SideBySideLink
from ..links.words import (
    graph_words,
    names_of,
    option,
    schedule_words,
    set_graph,
    take_graph,
    whole,
)

if TYPE_CHECKING:
    from ..errors import Guard
    from ..fields.graph_chooser import GraphChooser
    from .chooser import ComparisonChooser
    from .contenders import Contender, ContenderChooser

_NOT_RUN = "Run the comparison first: a link opens runs."

#: Names of the two sides in links.
SIDES = ("first", "second")


def words_of(contender: Contender) -> Settings:
    """Return the words of a contender in a link, without the prefix of its side."""
    words = {"method": contender.name}
    words |= {name: str(value) for name, value in contender.params.items()}
    if contender.device in ("cpu", "gallery"):
        return words
    return {**words, "device": contender.device, **schedule_words(contender.options)}


def settings_of(graphs: GraphChooser, form: ComparisonChooser) -> Settings | None:
    """Return the form's values as words, or None if the graph is a visitor's own file."""
    graph = graph_words(graphs)
    if graph is None:
        return None
    contenders = form.contenders()
    settings = {**graph, "mode": form.mode.value}
    if form.mode.value == "schedules":
        settings["schedules"] = str(form.schedules.value)
        contenders = contenders[:1]
    for side, contender in zip(SIDES, contenders, strict=False):
        settings |= {f"{side}.{name}": value for name, value in words_of(contender).items()}
    return settings


def chosen(words: Mapping[str, str], form: ContenderChooser) -> dict[str, Any]:
    """Return the argument of ``choose``; sets nothing."""
    left = dict(words)
    wanted: dict[str, Any] = {"name": option(form.method, "method", left.pop("method", None))}
    variants = form.variants(wanted["name"])
    if "variant" in left:
        wanted["variant"] = left.pop("variant")
        if wanted["variant"] not in variants:
            raise ParameterError(
                f"the link's variant is {wanted['variant'][:40]!r}, and {wanted['name']} has "
                f"{', '.join(variants) or 'none'}"
            )
    fields = {**form.choices, "device": form.device, "policy": form.policy}
    if form.parallel(wanted["name"]):
        fields["threads"] = form.threads
    for name, field in fields.items():
        if name in left:
            wanted[name] = option(field, name, left.pop(name))
    if "seed" in left:
        wanted["seed"] = whole("seed", left.pop("seed"))
        if wanted["seed"] > form.seed.max:
            raise ParameterError(f"the link's seed is above {form.seed.max:,}")
    if left:
        raise ParameterError(f"the link names {names_of(left)}, which a run does not have")
    return wanted


def fill_in(settings: Mapping[str, str], graphs: GraphChooser, form: ComparisonChooser) -> None:
    """Set the form to the values of a link; loads no graph.

    Raises
    ------
    ParameterError
        The form has no such field or value; then no field is set.
    """
    left = dict(settings)
    graph = take_graph(left, graphs)
    if graph is None:
        raise ParameterError("the link names no graph")
    mode = option(form.mode, "mode", left.pop("mode", None))
    schedules = option(form.schedules, "schedules", left.pop("schedules", None))
    sides = {}
    for side, chooser in zip(SIDES, (form.first, form.second), strict=True):
        names = [name for name in left if name.startswith(f"{side}.")]
        words = {name.removeprefix(f"{side}."): left.pop(name) for name in names}
        if words:
            sides[chooser] = chosen(words, chooser)
    if left:
        raise ParameterError(f"the link names {names_of(left)}, which this page does not know")
    set_graph(graphs, graph)
    for chooser, wanted in sides.items():
        chooser.choose(wanted)
    form.schedules.value = schedules
    form.mode.value = mode


class CompareLink(SideBySideLink):
    """The link to a comparison; its runs are started once the graph is loaded.

    Parameters
    ----------
    graphs, chooser : GraphChooser, ComparisonChooser
        The form that links fill in.
    run : callable
        Starts the runs that the form describes; called without arguments.
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.
    """

    def __init__(
        self,
        graphs: GraphChooser,
        chooser: ComparisonChooser,
        run: Callable[[], None],
        guard: Guard,
    ) -> None:
        super().__init__(graphs, guard, tuple(ALIGNMENTS), _NOT_RUN)
        self._chooser, self._run = chooser, run

    def settings(self) -> Settings | None:
        """Return the form's values as words."""
        return settings_of(self._graphs, self._chooser)

    def fill_in(self, settings: Settings) -> None:
        """Set the form to the values of a link."""
        fill_in(settings, self._graphs, self._chooser)

    def idle(self, ready: bool) -> None:
        """Start the runs of the link once its graph is loaded."""
        if self.waiting and ready and not self.running:
            self._run()
