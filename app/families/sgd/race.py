"""The race of schedules and methods: their errors after every sweep, and when that was."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import gpucore
from gpucore.errors import ParameterError
from gpucore.family import get_family, get_runner

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.problems.graph.graph import Graph
    from gpucore.progress import Cancel, Progress

#: Sweeps of every run.
SWEEPS = 20
#: Share of the ratings that is held back, if the run on the page held none back.
TEST = 0.1
#: Parameters of the run on the page that hold for all; the others are those of one schedule.
COMMON = ("k", "rate", "schedule", "decay", "reg", "biases", "positive", "split_seed")


@dataclass(frozen=True)
class Track:
    """One runner of a race.

    Attributes
    ----------
    name : str
        Display name of the schedule or method.
    seconds : ndarray of float64, shape (sweeps + 1,)
        When each sweep ended, from 0; errors and preprocessing left out.
    rmse, test_rmse : ndarray of float64, shape (sweeps + 1,)
        Errors before the first and after each sweep.
    failure : str
        Why there are none; empty if there are.
    """

    name: str
    seconds: np.ndarray
    rmse: np.ndarray
    test_rmse: np.ndarray
    failure: str = ""


def runners() -> dict[str, str]:
    """Return schedules and methods that can run here, with their display names."""
    found = {name: name for name in get_runner("sgd").variant_names}
    for name, runner in get_family("sgd").load_methods().items():
        if runner.available() is None:
            found[name] = runner.title
    return found


def settings(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of all runs of a race, from those of the run on the page."""
    common = {name: params[name] for name in COMMON if name in params}
    return common | {"sweeps": SWEEPS, "test": float(params.get("test", 0.0)) or TEST}


def race(
    graph: Graph,
    names: Sequence[str],
    common: Mapping[str, Any],
    device: Device,
    progress: Progress,
    cancel: Cancel,
) -> list[Track]:
    """Run schedules and methods one after the other.

    Parameters
    ----------
    graph : Ratings
    names : sequence of str
        Of :func:`runners`.
    common : mapping
        See :func:`settings`.
    device : Device
        For the schedules; methods run on the processor.
    progress, cancel
        See :mod:`gpucore.progress`.

    Returns
    -------
    list of Track
        One for each name; those of runs that diverge have a `failure`.

    Raises
    ------
    Cancelled
    """
    variants, known = get_runner("sgd").variant_names, runners()
    found = []
    for done, name in enumerate(names):
        progress(f"race: {name}", done, len(names))

        def run(name: str = name) -> Any:
            own: dict[str, Any] = {}
            chosen = name
            if name in variants:
                chosen, own = "sgd", {"device": device, "variant": name}
            return gpucore.run(chosen, graph, certify=False, cancel=cancel, **own, **common)

        found.append(_track(known.get(name, name), run))
    return found


def _track(name: str, run: Callable[[], Any]) -> Track:
    nothing = np.zeros(0)
    try:
        figures = run().figures
    except ParameterError as error:  # it diverges
        return Track(name, nothing, nothing, nothing, str(error))
    seconds = np.cumsum([0.0, *figures["seconds_by_sweep"]])
    training, test = (np.asarray(figures[f"{w}rmse_by_sweep"], float) for w in ("", "test_"))
    return Track(name, seconds, training, test)


__all__ = ["COMMON", "SWEEPS", "TEST", "Track", "race", "runners", "settings"]
