"""The words of links: from the query of the address to fields of the page's forms, and back.

Links are untrusted. Every word must be a value that a form offers; any other raises one
:class:`~gpucore.errors.ParameterError` that lists the choices.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

import ipywidgets as w

from gpucore.datasets.remote import is_fetched
from gpucore.errors import ParameterError

from ..devices import SCHEDULE
from ..sources.graphs import LAST_SEED, Generator, Sources

if TYPE_CHECKING:
    from ..fields.graph_chooser import GraphChooser

#: Largest number of characters and of values of a link; real links are far below.
MOST_CHARACTERS = 2000
MOST_FIELDS = 40

#: Values in the query that belong to the server; they are ignored.
_FOREIGN = frozenset({"token"})


def read_words(search: str) -> dict[str, str]:
    """Parse the query of an address.

    Parameters
    ----------
    search : str
        The text after the question mark; untrusted.

    Raises
    ------
    ParameterError
        The query is too long, or names a value twice.
    """
    if len(search) > MOST_CHARACTERS:
        raise ParameterError(f"the link is longer than {MOST_CHARACTERS} characters")
    try:
        pairs = parse_qsl(
            search.removeprefix("?"), keep_blank_values=True, max_num_fields=MOST_FIELDS
        )
    except ValueError:
        raise ParameterError(f"the link names more than {MOST_FIELDS} values") from None
    pairs = [(name, value) for name, value in pairs if name not in _FOREIGN]
    given = dict(pairs)
    if len(given) < len(pairs):
        raise ParameterError("the link names a value twice; name each value once")
    return given


@dataclass(frozen=True)
class Wanted:
    """A graph that a form can choose.

    Attributes
    ----------
    name : str
        Name of a data set or a generator.
    values : mapping of str to float
        Values of the generator's sliders; empty for a data set.
    permute : int or None
        Seed of a random order; None for its own order.
    """

    name: str
    values: Mapping[str, float] = field(default_factory=dict)
    permute: int | None = None

    @property
    def words(self) -> dict[str, str]:
        """The graph as words of a link."""
        values = ",".join(f"{name}={value:g}" for name, value in self.values.items())
        words = {"graph": f"{self.name}:{values}" if values else self.name}
        return words if self.permute is None else {**words, "permute": str(self.permute)}


def graph_words(graphs: GraphChooser) -> dict[str, str] | None:
    """Return the form's graph as words, or None if it is a visitor's own file."""
    if graphs.tabs.value == "Collection":
        return Wanted(str(graphs.collection.value), permute=graphs.shuffle.seed).words
    if graphs.tabs.value != "Generated":
        return None
    return Wanted(graphs.family.value, graphs.values(), graphs.shuffle.seed).words


def take_graph(left: dict[str, str], graphs: GraphChooser) -> Wanted | None:
    """Remove the graph's words from a link's words and return the graph; None if there is none.

    Raises
    ------
    ParameterError
        The form cannot choose this graph.
    """
    sources = graphs.sources
    permute = None
    if sources.shuffle is not None and "permute" in left:
        permute = whole("permute", left.pop("permute"))
        if permute > LAST_SEED:
            raise ParameterError(f"the link's permute is above {LAST_SEED:,}")
    if "graph" not in left:
        return None
    return Wanted(*graph_of(left.pop("graph"), sources), permute)


def graph_of(text: str, sources: Sources) -> tuple[str, dict[str, float]]:
    """Return a data set's name and no values, or a generator's name and its sliders' values."""
    if text in sources.names():
        return text, {}
    name, _, rest = text.partition(":")
    if is_fetched(text):
        raise ParameterError(
            f"the link's graph {text[:60]!r} does not come with the package; fetch it first (on "
            f"the command line: warplens fetch {text[:60]})"
        )
    if name not in sources.generators:
        raise ParameterError(
            f"the link's graph {text[:60]!r} is neither in the collection nor one that this page "
            f"generates ({', '.join(sources.generators)})"
        )
    generator = sources.generators[name]
    pairs = [part.partition("=")[::2] for part in rest.split(",")]
    given = dict(pairs)
    needed = [slider.name for slider in generator.sliders]
    if sorted(key for key, _ in pairs) != sorted(needed):
        raise ParameterError(f"the link's graph {name!r} needs each of {', '.join(needed)} once")
    return name, _slider_values(generator, given)


def _slider_values(generator: Generator, given: Mapping[str, str]) -> dict[str, float]:
    values = {}
    for slider in generator.sliders:
        try:
            value = float(given[slider.name])
        except ValueError:
            value = float("nan")
        steps = (value - slider.low) / slider.step
        if not (slider.low <= value <= slider.high and abs(steps - round(steps)) < 1e-6):
            raise ParameterError(
                f"the link's {slider.label.lower()} cannot be {given[slider.name][:30]!r}: it goes "
                f"from {slider.low:g} to {slider.high:g} in steps of {slider.step:g}"
            )
        values[slider.name] = value
    return values


def wanted_of(source: Mapping[str, Any], sources: Sources) -> Wanted | None:
    """Return the form values that reproduce a graph from its source, or None if there are none.

    A specification may have values that the form lacks; only when both graphs are made is it known
    whether they are the same.

    Examples
    --------
    >>> from warplens.app.sources.graphs import Sources
    >>> spec = "rmat:scale=6,edge_factor=16,a=0.57,b=0.19,c=0.19,seed=2"
    >>> wanted_of({"spec": spec}, Sources()).words
    {'graph': 'rmat:scale=6,edge_factor=16,seed=2'}
    """
    name, colon, rest = str(source.get("spec", "")).partition(":")
    permute = sources.shuffle.seed_in(source) if sources.shuffle is not None else None
    if permute is not None and permute > LAST_SEED:
        return None
    if not colon:
        return Wanted(name, permute=permute) if name in sources.names() else None
    if name not in sources.generators:
        return None
    given = dict(part.partition("=")[::2] for part in rest.split(","))
    try:
        values = {key: float(value) for key, value in given.items() if key != "shuffle"}
        if name == "gnp":  # the form asks for the degree, in steps of a half
            values["degree"] = round(2 * values["p"] * (values["n"] - 1)) / 2
        sliders = sources.generators[name].sliders
        wanted = Wanted(name, {s.name: values[s.name] for s in sliders}, permute)
        graph_of(wanted.words["graph"], sources)
    except (KeyError, ValueError, ParameterError):
        return None
    return wanted


def set_graph(graphs: GraphChooser, wanted: Wanted) -> None:
    """Choose a graph; loads none."""
    with graphs.quietly():
        graphs.shuffle.seed = wanted.permute
        if not wanted.values:
            graphs.tabs.value = "Collection"
            graphs.collection.value = wanted.name
            return
        graphs.tabs.value = "Generated"
        graphs.family.value = wanted.name
        sliders = graphs.sources.generators[wanted.name].sliders
        for slider, chosen in zip(sliders, graphs.sliders.children, strict=True):
            chosen.value = type(chosen.value)(wanted.values[slider.name])


def schedule_words(options: Mapping[str, Any]) -> dict[str, str]:
    """Return a device's options as words: the schedule of the host executor."""
    return {name: str(options[name]) for name in SCHEDULE if name in options}


def option(field: w.Dropdown, name: str, text: str | None) -> Any:
    """Return the value of a drop-down that a link writes as `text`; for None the current value."""
    if text is None:
        return field.value
    values = [option[1] if isinstance(option, tuple) else option for option in field.options]
    for value in values:
        if str(value) == text:
            return value
    if name == "device" and text == "cuda":
        raise ParameterError(
            "the link is to a run on a GPU, and this server has none that it can use; choose the "
            "same graph and algorithm and run them on the processor"
        )
    raise ParameterError(unknown(name, text, [str(value) for value in values]))


def whole(name: str, text: str) -> int:
    """Return the whole number that a link writes as `text`."""
    if not (text.isascii() and text.isdigit() and len(text) <= 10):
        raise ParameterError(f"the link's {name} must be a whole number, not {text[:30]!r}")
    return int(text)


def unknown(name: str, text: str, known: Iterable[str]) -> str:
    """Return the sentence for a word that is not offered."""
    label = name.replace("_", " ")
    return f"the link's {label} is {text[:40]!r}, and only {', '.join(known)} can be chosen"


def names_of(given: Mapping[str, str]) -> str:
    """Return the names of words for a message."""
    return ", ".join(repr(name[:30]) for name in list(given)[:4])
