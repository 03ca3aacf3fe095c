"""Evaluate a paper's figures on results: one JSON-able object that pages and files show."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from gpucore.bench.papers.declare import Expectation, Paper, PaperFigure, Words, setup_of
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
        Results files of the family. A figure's charts are from results of a card, then from those
        with an instance that the paper counts (:attr:`PaperFigure.own`), then with methods of the
        processor that ran alone, then with the most of its cases, the most answers to its numbers
        and statements, the most measured runs of instances that may answer, then the first. A
        number or a statement is answered by results of a card, then with such an instance, then
        alone, then with the most such runs.

    Returns
    -------
    dict
        ``paper``, ``title``, ``source``, ``machine``, ``not_shown``, and ``figures``, each with
        ``number``, ``title``, ``note``, ``differs``, ``charts``, ``tables``, ``printed``,
        ``expectations``, ``instances``, the ``setup`` that it was measured on, and ``at_a_time``,
        how many sequential methods ran beside each other. An answer of other results than those of
        the charts names them (``session``); other verdicts and other numbers of the remaining
        results are its ``others``.
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
    shown = [(one, data) for one, data in made if one["charts"] or one["tables"]]
    drawn, at = max(shown, key=lambda pair: _worth(paper, figure, *pair), default=(None, None))
    # The sort keeps the order of equals.
    shown.sort(key=lambda pair: _answers_first(paper, figure, *pair), reverse=True)
    best = drawn or _made(paper, figure, None)
    answers = {
        field: [
            _answer([(one[field][place], data) for one, data in shown], at) or best[field][place]
            for place in range(len(best[field]))
        ]
        for field in ("printed", "expectations")
    }
    return {
        "number": figure.number,
        "slug": figure.slug,
        "title": figure.title,
        **best,
        **answers,
    }


def _on_card(data: Data) -> bool:
    return data["setup"]["device"].get("name") == "cuda"


def _worth(paper: Paper, figure: PaperFigure, made: dict[str, Any], data: Data) -> tuple[int, ...]:
    """Return what makes one session's picture of a figure better than another's."""
    runs = _runs(figure, data)
    answered = sum(one["ours"] is not None for one in made["printed"])
    answered += sum(one["holds"] is not None for one in made["expectations"])
    # Results without a method of the processor do not say that it ran alone.
    alone = _alone(figure, made) and any(key.endswith("@cpu") for _, key in runs)
    kinds, counted = len({key for _, key in runs}), len(_runs(figure, _counted(figure, data)))
    return _on_card(data), _own(paper, figure, data, runs), alone, kinds, answered, counted


def _answers_first(
    paper: Paper, figure: PaperFigure, made: dict[str, Any], data: Data
) -> tuple[int, ...]:
    """Return what makes one session's numbers and statements count before another's."""
    runs = _runs(figure, _counted(figure, data))
    return _on_card(data), _own(paper, figure, data, runs), _alone(figure, made), len(runs)


def _alone(figure: PaperFigure, made: dict[str, Any]) -> bool:
    """Return whether no method made another one's times longer."""
    return not figure.timed or made["at_a_time"] <= 1


def _own(paper: Paper, figure: PaperFigure, data: Data, runs: set[tuple[str, str]]) -> bool:
    """Return whether an instance is one that the paper counts."""
    counted = figure.own or (lambda _, name: is_remote(name) or name in paper.largest)
    return any(counted(data, name) for name, _ in runs)


def _counted(figure: PaperFigure, data: Data) -> Data:
    """Return results with the instances that the paper counts; with all if it counts none."""
    if figure.own is None:
        return data
    rows = data["measurements"]
    kept = {name: row for name, row in rows.items() if figure.own(data, name)}
    return {**data, "measurements": kept or rows}


def _runs(figure: PaperFigure, data: Data) -> set[tuple[str, str]]:
    """Return the measured runs that a figure asks for: instance and case."""
    keys = _keys(figure, data)
    return {
        (name, key)
        for name, cases in data["measurements"].items()
        for key, found in cases.items()
        if key in keys and "seconds" in found
    }


def _answer(found: list[tuple[dict[str, Any], Data]], drawn: Data | None) -> dict[str, Any] | None:
    """Return the first answer to a number or a statement, and the verdicts that differ from it."""
    known = [(one, data) for one, data in found if one.get("ours", one.get("holds")) is not None]
    if not known:
        return None
    first, data = known[0]
    answer = "holds" if "holds" in first else "ours"
    # Other numbers are those of machines of the same kind: a host device's say nothing of a card.
    others = [
        {"session": session_of(setup_of(other)), "words": one.get("words", one.get("ours"))}
        | ({"holds": one["holds"]} if "holds" in one else {})
        for one, other in known
        if one[answer] != first[answer] and ("holds" in one or _on_card(other) == _on_card(data))
    ]
    return (
        first
        | ({} if data is drawn else {"session": session_of(setup_of(data))})
        | ({"others": others} if others else {})
    )


def session_of(setup: dict[str, Any]) -> str:
    """Return where and when results were measured, of :func:`setup_of`."""
    return f"{setup['device']}, {setup['date']}"


def _made(paper: Paper, figure: PaperFigure, data: Data | None) -> dict[str, Any]:
    charts = [] if data is None else figure.charts(data)
    tables = [] if data is None else figure.tables(data)
    shown = bool(charts or tables)
    counted = None if data is None else _counted(figure, data)
    return {
        "note": _text(figure.note, data),
        "differs": _text(figure.differs, data),
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
                "ours": None if counted is None else one.ours(counted),
            }
            for one in figure.printed
        ],
        "expectations": [_expectation(one, counted) for one in figure.expectations],
    }


def _keys(figure: PaperFigure, data: Data) -> set[str]:
    """Return the keys of the measurements that a figure asks for."""
    cores = data["setup"]["cores"]
    older = [] if figure.older is None else figure.older(cores)
    return {case.key for case in (*figure.cases(cores), *older)}


def _at_a_time(figure: PaperFigure, data: Data) -> int:
    """Return how many sequential methods ran at a time, in the runs that a figure compares."""
    keys = _keys(figure, data)
    rows = data["measurements"].values()
    return max((row[key].get("beside", 0) for row in rows for key in keys & set(row)), default=0)


def _expectation(one: Expectation, data: Data | None) -> dict[str, Any]:
    finding = None if data is None else one.holds(data)
    if data is not None and one.on_gpu and not _on_card(data):
        finding = None
    return {
        "sentence": one.sentence,
        "place": one.place,
        "holds": None if finding is None else bool(finding.holds),
        "words": "" if finding is None else finding.words,
        "on_gpu": one.on_gpu,
        "why": _text(one.why, data),
    }


def _text(words: Words, data: Data | None) -> str:
    """Return a text; one that needs results is empty without them."""
    if isinstance(words, str):
        return words
    return "" if data is None else words(data)


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
