"""Join results files of one machine and one state of the code, which were measured in parts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gpucore.bench.results import Results, read_results
from gpucore.bench.setup import identity
from gpucore.bench.suite import Data, Suite
from gpucore.errors import ParameterError


def join_results(paths: Sequence[Path], suite: Suite, output: Path, *, at_a_time: int = 1) -> Data:
    """Join results files into one, with all experiments of the suite, and write it.

    Parameters
    ----------
    paths : sequence of Path
        Results files of the suite's family; where two have a case, the first one's time counts.
    output : Path
        Directory of the new file.
    at_a_time : int
        Processes of sequential methods that ran at a time in all parts together; each measurement
        made in a process of its own states at least this number.

    Raises
    ------
    ParameterError
        If times of two files cannot be compared: other machines, code, protocols or graphs.
    RecordError
        If a file is not a results file, or cannot be written.
    """
    if not paths:
        raise ParameterError(f"there are no results of {suite.family} to join; measure first")
    first = read_results(paths[0])
    for path in paths[1:]:
        other = read_results(path)
        same = (
            identity(other["setup"]) == identity(first["setup"])
            and other["protocol"] == first["protocol"]
            and other["family"] == first["family"] == suite.family
        )
        if not same:
            raise ParameterError(
                f"{path} and {paths[0]} are of other machines, code or protocols, so their times "
                "cannot be compared; measure one of them again"
            )
        _add(first, other, path)
    for found in (found for cases in first["measurements"].values() for found in cases.values()):
        if "beside" in found:
            found["beside"] = max(found["beside"], at_a_time)
    order = [n for n in suite.graphs if n in first["graphs"]]
    order += [n for n in first["graphs"] if n not in order]
    for part in ("graphs", "measurements"):
        first[part] = {name: first[part][name] for name in order if name in first[part]}
    joined = Results(output / f"{suite.family}.json", first)
    joined.data["experiments"] = {}
    for experiment in suite.experiments:
        joined.declare(experiment, experiment.cases(first["setup"]["cores"]))
    joined.save()
    return joined.data


def _add(data: Data, other: Data, path: Path) -> None:
    """Add the graphs and measurements of another file."""
    for name, facts in other["graphs"].items():
        known = data["graphs"].setdefault(name, facts)
        if known["fingerprint"] != facts["fingerprint"]:
            raise ParameterError(f"{path} has another graph called {name}; measure it again")
        known["solutions"] = {**facts["solutions"], **known["solutions"]}
        if "proved" in facts:
            known.setdefault("proved", facts["proved"])
    for name, cases in other["measurements"].items():
        mine = data["measurements"].setdefault(name, {})
        for key, found in cases.items():
            if "seconds" not in mine.get(key, {}):
                mine[key] = found
