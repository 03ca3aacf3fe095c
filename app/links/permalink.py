"""The link to a run: graph, algorithm, parameters, device, step in the query of the address.

The words are values of the form's fields, so a link can request only what the form can. All words
are checked before the first field is set: a link with an error changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from gpucore.errors import ParameterError

from ..gallery import entry
from ..stories.format import Story
from ..stories.library import shipped
from .words import (
    graph_words,
    names_of,
    option,
    read_words,
    schedule_words,
    set_graph,
    take_graph,
    unknown,
    whole,
)

if TYPE_CHECKING:
    from ..fields.graph_chooser import GraphChooser
    from ..fields.run_chooser import RunChooser

Settings = dict[str, str]


@dataclass(frozen=True)
class Link:
    """The content of a link.

    Attributes
    ----------
    settings : dict of str to str
        Values of the form; empty for a record of the gallery.
    record : str
        Name of a record of the gallery, or empty.
    step : int
        Event at which the replay stands.
    story : str
        Name of a story; its record or run is in the other fields.
    """

    settings: Settings
    record: str = ""
    step: int = 0
    story: str = ""


def read(search: str) -> Link | None:
    """Parse the query of an address.

    Parameters
    ----------
    search : str
        The text after the question mark; untrusted.

    Returns
    -------
    Link or None
        None if the address requests no run.

    Raises
    ------
    ParameterError
        The query is too long or repeats itself, the step is no number, the record is unknown.
    """
    given = read_words(search)
    if not given:
        return None
    if "story" in given:
        return _of_story(given.pop("story"), given)
    step = whole("step", given.pop("step", "0"))
    record = given.pop("record", "")
    if record and given:
        raise ParameterError(
            f"the link names a record, which leaves nothing to choose, but also {names_of(given)}"
        )
    if record:
        entry(record)
    elif "graph" not in given:
        raise ParameterError("the link names no graph")
    return Link(given, record, step)


def _of_story(name: str, others: Settings) -> Link:
    """Return the link to a story, which leaves nothing else to choose."""
    if others:
        raise ParameterError(
            f"the link names a story, which leaves nothing to choose, but also {names_of(others)}"
        )
    return of_story(shipped(name).story, name)


def of_story(story: Story, name: str = "") -> Link:
    """Return the link to the run of a story, at its first stop."""
    return Link(dict(story.run), story.record, story.stops[0].step, name)


def write(link: Link) -> str:
    """Return the query of a link without the step, which the browser adds."""
    words = {"record": link.record} if link.record else link.settings
    return urlencode(words, safe=":,=")


def settings_of(graphs: GraphChooser, runs: RunChooser) -> Settings | None:
    """Return the form's values as words, or None if the graph is a visitor's own file."""
    graph = graph_words(graphs)
    if graph is None:
        return None
    return {
        **graph,
        "algorithm": runs.algorithm.value,
        **{name: str(value) for name, value in runs.params().items()},
        "device": runs.device.value,
        **({} if runs.rank_count is None else {"ranks": str(runs.rank_count)}),
        **schedule_words(runs.device_options()),
    }


def fill_in(settings: Mapping[str, str], graphs: GraphChooser, runs: RunChooser) -> None:
    """Set the form to the values of a link.

    Parameters
    ----------
    settings : mapping of str to str
        The values; a field without a value stays as it is.
    graphs, runs : GraphChooser, RunChooser
        The form; no graph is loaded.

    Raises
    ------
    ParameterError
        The form has no such field or value; then no field is set.
    """
    left = dict(settings)
    graph = take_graph(left, graphs)
    algorithm = option(runs.algorithm, "algorithm", left.pop("algorithm", None))
    variants = runs.variants(algorithm)
    first = next(iter(variants), None) if algorithm != runs.algorithm.value else None
    variant = left.pop("variant", first)
    if variant is not None and variant not in variants:
        raise ParameterError(unknown("variant", variant, variants))
    fields = {**runs.choices, "device": runs.device, "policy": runs.policy, "ranks": runs.ranks}
    left.setdefault("ranks", str(runs.ranks.options[0][1]))
    chosen = {
        name: option(field, name, left.pop(name)) for name, field in fields.items() if name in left
    }
    seed = whole("seed", left.pop("seed")) if "seed" in left else None
    if seed is not None and seed > runs.seed.max:
        raise ParameterError(f"the link's seed is above {runs.seed.max:,}")
    if left:
        raise ParameterError(f"the link names {names_of(left)}, which this page does not know")
    if graph is not None:
        set_graph(graphs, graph)
    runs.algorithm.value = algorithm
    if variant is not None:
        runs.variant.value = variant
    for name, value in chosen.items():
        fields[name].value = value
    if seed is not None:
        runs.seed.value = seed


__all__ = ["Link", "fill_in", "of_story", "read", "settings_of", "write"]
