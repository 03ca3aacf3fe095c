"""Evaluate a paper's figures on results: one JSON-able object that pages and files show."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from gpucore.bench.papers.declare import Expectation, Paper, PaperFigure, setup_of
from gpucore.bench.suite import Data
from gpucore.bench.summary import sets_of
from gpucore.bench.verdicts import verdicts
from gpucore.datasets.remote import is_remote

#: Version of the format.
SCHEMA = 1


def evaluate(paper: Paper, results: Sequence[Data]) -> dict[str, Any]:
    """Return a paper's figures with our numbers beside the printed ones.

    Parameters
    ----------
    results : sequence of dict
        Results files of the family; of those that have what a figure draws, it is from the one
        that answers the most of the paper's numbers and statements; among equals from that with
        the most of its cases, then from one whose sequential methods ran alone, then from that
        with the most instances, then the first.

    Returns
    -------
    dict
        ``paper``, ``title``, ``source``, ``machine``, ``not_shown``, and ``figures``, each with
        ``number``, ``title``, ``note``, ``differs``, ``charts``, ``tables``, ``printed``,
        ``expectations``, ``instances``, the ``setup`` that it was measured on, and ``at_a_time``,
        how many sequential methods ran beside each other.
    """
    return {
        "schema": SCHEMA,
        "paper": paper.name,
        "family": paper.family,
        "title": paper.title,
        "source": paper.source,
        "machine": paper.machine,
        "not_shown": [{"number": n, "why": why} for n, why in paper.not_shown.items()],
        "figures": [_figure(paper, figure, results) for figure in paper.figures],
    }


def _figure(paper: Paper, figure: PaperFigure, results: Sequence[Data]) -> dict[str, Any]:
    made = [(_made(paper, figure, data), data) for data in results]
    drawn = [(_worth(one, figure, data), one) for one, data in made if _is_shown(one)]
    _, best = max(drawn, key=lambda pair: pair[0], default=(None, _made(paper, figure, None)))
    return {
        "number": figure.number,
        "slug": figure.slug,
        "title": figure.title,
        "note": figure.note,
        "differs": figure.differs,
        **best,
    }


def _is_shown(made: dict[str, Any]) -> bool:
    return bool(made["charts"] or made["tables"])


def _worth(made: dict[str, Any], figure: PaperFigure, data: Data) -> tuple[int, int, bool, int]:
    """Return what makes one evaluation of a figure better than another."""
    measured = {
        key
        for cases in data["measurements"].values()
        for key, found in cases.items()
        if "seconds" in found
    }
    printed = sum(one["ours"] is not None for one in made["printed"])
    stated = sum(one["holds"] is not None for one in made["expectations"])
    cases = len(_keys(figure, data) & measured)
    return printed + stated, cases, made["at_a_time"] <= 1, len(made["instances"])


def _made(paper: Paper, figure: PaperFigure, data: Data | None) -> dict[str, Any]:
    charts = [] if data is None else figure.charts(data)
    tables = [] if data is None else figure.tables(data)
    shown = bool(charts or tables)
    return {
        "setup": None if data is None else setup_of(data),
        "instances": _instances(paper, figure, data) if data is not None and shown else [],
        "certified": None if data is None else str(verdicts(data)),
        "at_a_time": 0 if data is None else _at_a_time(figure, data),
        "charts": [chart.as_dict() for chart in charts],
        "tables": [dataclasses.asdict(t) | {"head": list(t.head)} for t in tables],
        "printed": [
            {
                "what": one.what,
                "value": one.value,
                "place": one.place,
                "ours": None if data is None else one.ours(data),
            }
            for one in figure.printed
        ],
        "expectations": [_expectation(one, data) for one in figure.expectations],
    }


def _keys(figure: PaperFigure, data: Data) -> set[str]:
    """Return the keys of the measurements that a figure asks for."""
    return {case.key for case in figure.cases(data["setup"]["cores"])}


def _at_a_time(figure: PaperFigure, data: Data) -> int:
    """Return how many sequential methods ran at a time, in the runs that a figure compares."""
    keys = _keys(figure, data)
    rows = data["measurements"].values()
    return max((row[key].get("beside", 0) for row in rows for key in keys & set(row)), default=0)


def _expectation(one: Expectation, data: Data | None) -> dict[str, Any]:
    finding = None if data is None else one.holds(data)
    if data is not None and one.on_gpu and data["setup"]["device"].get("name") != "cuda":
        finding = None
    return {
        "sentence": one.sentence,
        "place": one.place,
        "holds": None if finding is None else bool(finding.holds),
        "words": "" if finding is None else finding.words,
        "on_gpu": one.on_gpu,
        "why": one.why,
    }


def _instances(paper: Paper, figure: PaperFigure, data: Data) -> list[dict[str, Any]]:
    """Return the instances measured for a figure: name, size, and what each stands for."""
    keys = _keys(figure, data)
    measured = {
        name: {key for key, found in cases.items() if "seconds" in found}
        for name, cases in data["measurements"].items()
    }
    # Older results have other cases than the figure asks for today.
    own = any(keys & found for found in measured.values())
    return [
        {
            "name": name,
            "vertices": data["graphs"][name]["vertices"],
            "edges": data["graphs"][name]["edges"],
            "stands_for": paper.stands_for.get(name, ""),
            "real": is_remote(name),
        }
        for name, found in measured.items()
        if (found & keys if own else found)
        and (not figure.within or figure.within in sets_of(data, name))
    ]


def counts(evaluated: dict[str, Any]) -> dict[str, int]:
    """Return how many statements agree, differ and were not measured."""
    verdicts = [e["holds"] for figure in evaluated["figures"] for e in figure["expectations"]]
    return {
        "agree": sum(v is True for v in verdicts),
        "differ": sum(v is False for v in verdicts),
        "open": sum(v is None for v in verdicts),
    }
