"""A run as a few words in the address: graph, algorithm, parameters, device, step.

The words are the values of the form's own fields, so a link can say nothing that the form could
not. They are all checked before the first field is set: a link that does not fit changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode

from app.gallery import entry
from app.sources import GENERATORS, Generator
from gpucore.datasets import datasets
from gpucore.errors import ParameterError

if TYPE_CHECKING:
    from app.controls import GraphChooser, RunChooser

#: Characters and parameters of a link; real ones have a fraction of them.
MOST_CHARACTERS = 2000
MOST_FIELDS = 40

#: Of the server's own; none of our business.
_FOREIGN = frozenset({"token"})

Settings = dict[str, str]


@dataclass(frozen=True)
class Link:
    """What a link asks for.

    Attributes
    ----------
    settings : dict of str to str
        Values of the form, empty for a record of the gallery.
    record : str
        Name of a record of the gallery, or empty.
    step : int
        Event at which the replay stands.
    """

    settings: Settings
    record: str = ""
    step: int = 0


def read(search: str) -> Link | None:
    """Take the query of an address apart.

    Parameters
    ----------
    search : str
        What follows the question mark; as untrusted as anything.

    Returns
    -------
    Link or None
        None if the address asks for nothing.

    Raises
    ------
    ParameterError
        The query is too long or repeats itself, the step is no number, the record is unknown.
    """
    if len(search) > MOST_CHARACTERS:
        raise ParameterError(f"the link is longer than {MOST_CHARACTERS} characters")
    try:
        pairs = parse_qsl(search.removeprefix("?"), keep_blank_values=True, max_num_fields=40)
    except ValueError:
        raise ParameterError(f"the link names more than {MOST_FIELDS} values") from None
    pairs = [(name, value) for name, value in pairs if name not in _FOREIGN]
    given = dict(pairs)
    if len(given) < len(pairs):
        raise ParameterError("the link names a value twice, so nobody knows which one is meant")
    if not given:
        return None
    step = _whole("step", given.pop("step", "0"))
    record = given.pop("record", "")
    if record and given:
        raise ParameterError(
            f"the link names a record, which leaves nothing to choose, but also {_names(given)}"
        )
    if record:
        entry(record)
    elif "graph" not in given:
        raise ParameterError("the link names no graph")
    return Link(given, record, step)


def write(link: Link) -> str:
    """Return the query of a link, without the step, which the browser knows best."""
    words = {"record": link.record} if link.record else link.settings
    return urlencode(words, safe=":,=")


def settings_of(graphs: GraphChooser, runs: RunChooser) -> Settings | None:
    """Return what the form says, or None if the graph is a visitor's own file."""
    if graphs.tabs.value == "Collection":
        graph = graphs.collection.value
    elif graphs.tabs.value == "Generated":
        sliders = GENERATORS[graphs.family.value].sliders
        fields = zip(sliders, graphs.sliders.children, strict=True)
        values = ",".join(f"{slider.name}={field.value:g}" for slider, field in fields)
        graph = f"{graphs.family.value}:{values}"
    else:
        return None
    return {
        "graph": graph,
        "algorithm": runs.algorithm.value,
        **{name: str(value) for name, value in runs.params().items()},
        "device": runs.device.value,
        **{name: str(value) for name, value in runs.device_options().items()},
    }


def fill_in(settings: Mapping[str, str], graphs: GraphChooser, runs: RunChooser) -> None:
    """Set the form to what a link says.

    Parameters
    ----------
    settings : mapping of str to str
        At least the graph; what is missing is left as it is.
    graphs, runs : GraphChooser, RunChooser
        The form; no graph is loaded by this.

    Raises
    ------
    ParameterError
        The form has no such field or value; nothing was set then.
    """
    left = dict(settings)
    graph = _graph(left.pop("graph"))
    algorithm = _option(runs.algorithm, "algorithm", left.pop("algorithm", None))
    variants = runs.variants(algorithm)
    variant = left.pop("variant", variants[0] if algorithm != runs.algorithm.value else None)
    if variant is not None and variant not in variants:
        raise ParameterError(_unknown("variant", variant, variants))
    fields = {**runs.choices, "device": runs.device, "policy": runs.policy}
    chosen = {
        name: _option(field, name, left.pop(name)) for name, field in fields.items() if name in left
    }
    seed = _whole("seed", left.pop("seed")) if "seed" in left else None
    if seed is not None and seed > runs.seed.max:
        raise ParameterError(f"the link's seed is above {runs.seed.max:,}")
    if left:
        raise ParameterError(f"the link names {_names(left)}, which this page does not know")
    _set_graph(graphs, *graph)
    runs.algorithm.value = algorithm
    if variant is not None:
        runs.variant.value = variant
    for name, value in chosen.items():
        fields[name].value = value
    if seed is not None:
        runs.seed.value = seed


def _set_graph(graphs: GraphChooser, name: str, values: Mapping[str, float]) -> None:
    graphs.quiet = True
    try:
        if not values:
            graphs.tabs.value = "Collection"
            graphs.collection.value = name
            return
        graphs.tabs.value = "Generated"
        graphs.family.value = name
        sliders = GENERATORS[name].sliders
        for slider, field in zip(sliders, graphs.sliders.children, strict=True):
            field.value = type(field.value)(values[slider.name])
    finally:
        graphs.quiet = False


def _graph(text: str) -> tuple[str, dict[str, float]]:
    """Return a data set's name and nothing, or a generator's name and the slider's values."""
    name, colon, rest = text.partition(":")
    if not colon and name in datasets():
        return name, {}
    if name not in GENERATORS:
        raise ParameterError(
            f"the link's graph {text[:60]!r} is neither in the collection nor one that this page "
            f"generates ({', '.join(GENERATORS)})"
        )
    generator = GENERATORS[name]
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


def _option(field: Any, name: str, text: str | None) -> Any:
    """Return the value of a drop-down that a link writes as `text`; what is chosen for None."""
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
    raise ParameterError(_unknown(name, text, [str(value) for value in values]))


def _whole(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 10):
        raise ParameterError(f"the link's {name} must be a whole number, not {text[:30]!r}")
    return int(text)


def _unknown(name: str, text: str, known: Any) -> str:
    label = name.replace("_", " ")
    return f"the link's {label} is {text[:40]!r}, and only {', '.join(known)} can be chosen"


def _names(given: Mapping[str, str]) -> str:
    return ", ".join(repr(name[:30]) for name in list(given)[:4])


__all__ = ["Link", "fill_in", "read", "settings_of", "write"]
