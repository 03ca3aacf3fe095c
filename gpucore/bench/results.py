"""The results file, rewritten while a session measures: what took long is never lost."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

from gpucore.bench.contents import first_fault
from gpucore.bench.setup import identity
from gpucore.bench.suite import Case, Experiment
from gpucore.errors import ParameterError, RecordError, WarplensError
from gpucore.saving import check_target, make_directory, replacing

SCHEMA = 1
#: Seconds between two savings while a session measures; a crash loses less than these.
SAVE_EVERY = 1.0
#: What helps if a file of a session cannot be written.
FIX = "free space there, or choose another directory with --output"


class Results:
    """Measurements of one suite on one device, kept in one JSON file.

    Attributes
    ----------
    path : Path
        The file.
    data : dict
        Its content: ``schema``, ``family``, ``setup``, ``protocol``, ``copy`` (the measured
        bandwidth), ``experiments``, ``graphs`` and ``measurements[graph][case key]``; perhaps
        ``device_figures``, what a family measured of the device.
    """

    def __init__(self, path: Path, data: dict[str, Any]) -> None:
        self.path = path
        self.data = data
        self._saved = -math.inf

    @classmethod
    def open(
        cls, path: Path, family: str, setup: dict[str, Any], protocol: dict[str, Any]
    ) -> Results:
        """Continue the file at `path`, or start it.

        A file from another machine or other code is renamed with its date: its measurements must
        not be mixed with new ones.

        Raises
        ------
        RecordError
            If the file is not a results file, or its directory cannot be written to.
        """
        fresh = {
            "schema": SCHEMA,
            "family": family,
            "setup": setup,
            "protocol": protocol,
            "copy": None,
            "experiments": {},
            "graphs": {},
            "measurements": {},
        }
        make_directory(path.parent, RecordError, FIX)
        if not check_target(path, RecordError, FIX).exists():
            return cls(path, fresh)
        old = read_results(path)
        same = identity(old["setup"]) == identity(setup) and old["protocol"] == protocol
        if same and old["family"] == family:
            return cls(path, old)
        stamp = str(old["setup"].get("date", "earlier")).replace(":", "")
        aside = path.with_name(f"{path.stem}.{stamp}.json")
        try:
            path.replace(aside)
        except OSError as error:
            raise RecordError(f"{path} cannot be renamed: {error.strerror}; {FIX}") from None
        return cls(path, fresh)

    def save(self, indent: int | None = 1) -> None:
        """Write the file in one atomic step; without `indent` quickly, on one line."""
        make_directory(self.path.parent, RecordError, FIX)
        text = json.dumps(self.data, indent=indent, allow_nan=False) + "\n"
        with replacing(self.path, RecordError, FIX) as file:
            file.write(text.encode())
        self._saved = monotonic()

    def declare(self, experiment: Experiment, cases: Iterable[Case]) -> None:
        """Store the cases of an experiment, so that a report needs only this file."""
        self.data["experiments"][experiment.name] = {
            "title": experiment.title,
            "source": experiment.source,
            "plot": experiment.plot,
            "axes": list(experiment.axes),
            "all_peers": experiment.all_peers,
            "baseline": None if experiment.baseline is None else experiment.baseline.key,
            "references": [case.key for case in experiment.references],
            "clock": experiment.clock,
            "by_set": experiment.by_set,
            "within": experiment.within,
            "cases": [
                {"label": case.label, "key": case.key, "peer": case.optional, "line": case.line}
                for case in cases
            ],
        }

    def describe_graph(self, name: str, facts: dict[str, Any]) -> None:
        """Store a graph's facts; if the graph under this name has changed, drop its old times."""
        known = self.data["graphs"].get(name)
        if known is not None and known["fingerprint"] != facts["fingerprint"]:
            self.data["measurements"].pop(name, None)
            known = None
        self.data["graphs"][name] = {"solutions": {}, **(known or {}), **facts}

    def learn(self, graph: str, known: dict[str, Any]) -> None:
        """Add facts about a graph's solutions that another process found."""
        facts = self.data["graphs"][graph]
        facts["solutions"].update(known["solutions"])
        if "proved" in known:
            facts["proved"] = known["proved"]

    def measured(self, graph: str, case: Case, run_limit: float = math.inf) -> bool:
        """Return True if the case has been measured on the graph; failures are tried again.

        A case that did not finish is tried again only with a longer limit.
        """
        found = self.data["measurements"].get(graph, {}).get(case.key, {})
        return "seconds" in found or found.get("limit", -math.inf) >= run_limit

    def add(self, graph: str, case: Case, measurement: dict[str, Any]) -> None:
        """Add one measurement; save the file unless it was saved within the last second.

        The session calls `save` when it ends, for whatever reason, and so saves the rest.
        """
        self.data["measurements"].setdefault(graph, {})[case.key] = measurement
        if monotonic() - self._saved >= SAVE_EVERY:
            self.save(indent=None)


def read_results(path: Path) -> dict[str, Any]:
    """Read a results file, or raise RecordError."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise RecordError(f"{path} is no results file of this version; remove it or name another")
    if fault := first_fault(data):
        raise RecordError(f"{path} is damaged: {fault}; remove it or name another")
    return data


@contextmanager
def reported(path: Path) -> Iterator[None]:
    """Raise RecordError where a report does not find what it needs in the results of a family."""
    try:
        yield
    except WarplensError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise RecordError(
            f"{path} lacks figures that the report needs ({type(error).__name__}: {error}); "
            "measure again with another --output"
        ) from error


def read_peers(path: Path) -> list[dict[str, Any]]:
    """Read other libraries' published times: objects with method, graph, seconds and source."""
    try:
        data = json.loads(path.read_text("utf-8"))
        peers = data["measurements"]
        for peer in peers:
            peer["method"], peer["graph"], peer["seconds"] + 0.0
    except OSError as error:
        raise ParameterError(f"the peers' file {path} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ParameterError(
            f"{path} is no file of peers' times: it needs a list of measurements, each with "
            "method, graph and seconds"
        ) from None
    return peers
