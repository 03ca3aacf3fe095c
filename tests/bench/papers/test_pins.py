"""What the page "Papers" says, by lists apart from the code: printed numbers, verdicts, sessions.

``printed.csv`` and ``printed_tables.csv`` were read off the papers (misprinted names put right: as
:mod:`gpucore.families.communities.bench.tables` says); a number changes only with its quote.
``verdicts.txt`` is what ``tools/papers.py --verdicts`` prints.
"""

import csv
from pathlib import Path

import pytest

from gpucore.bench.papers.declare import papers
from gpucore.bench.papers.evaluate import evaluate, session_of
from gpucore.bench.results import read_results
from gpucore.datasets.remote import is_remote

HERE = Path(__file__).parent
SHOWN = {name: paper for name, paper in papers().items() if paper.figures}


@pytest.fixture(scope="module")
def evaluated(papers_tool):
    """Every paper's figures, from the committed results."""
    return {name: papers_tool.evaluated(paper) for name, paper in SHOWN.items()}


def rows_of(name):
    """Return the rows of a list beside this file."""
    with (HERE / name).open(newline="") as file:
        return list(csv.reader(file))


def test_every_printed_number_is_the_papers(evaluated):
    shown = [
        [name, figure["number"], one["what"], one["value"], one["place"]]
        for name, paper in evaluated.items()
        for figure in paper["figures"]
        for one in figure["printed"]
    ]
    head, *pinned = rows_of("printed.csv")
    assert head[-1] == "quote" and all(row[-1] for row in pinned)
    assert shown == [row[:-1] for row in pinned]


def test_every_printed_table_is_the_papers(evaluated):
    def value(cell):
        """Return a cell without its unit; a name as it is."""
        number = cell.split()[0].replace(",", "")
        return float(number) if number.replace(".", "", 1).isdigit() else cell

    shown = [
        [name, figure["number"], *map(value, row)]
        for name, paper in evaluated.items()
        for figure in paper["figures"]
        for table in figure["tables"]
        if table["title"].startswith("The paper's")
        for row in table["rows"]
    ]
    pinned = [[*row[:2], *map(value, row[2:])] for row in rows_of("printed_tables.csv")]
    # Louvain's table has a column of ours behind the paper's.
    assert [row[: len(pin)] for row, pin in zip(shown, pinned, strict=True)] == pinned


def test_every_verdict_is_the_listed_one(papers_tool):
    listed = (HERE / "verdicts.txt").read_text()
    assert papers_tool.verdicts() == listed, "python tools/papers.py --verdicts prints it"


@pytest.mark.parametrize("name", SHOWN)
def test_every_session_is_chosen_by_the_rule(papers_tool, evaluated, name):
    """A card, then what the paper counts, then alone; then kinds of cases for charts.

    Charts come from results with methods of the processor first. Among equals more runs of
    instances that may answer come first, then the newer file.
    """
    paper = SHOWN[name]
    files = [read_results(path) for path in papers_tool.results_of(paper)]
    apart = [evaluate(paper, [data])["figures"] for data in files]
    for place, (figure, found) in enumerate(
        zip(paper.figures, evaluated[name]["figures"], strict=True)
    ):
        sessions = [
            (one[place], evidence(paper, figure, data), on_cores(figure, data))
            for one, data in zip(apart, files, strict=True)
        ]
        sessions = [pair for pair in sessions if pair[0]["charts"] or pair[0]["tables"]]

        def worth(pair):
            one, (card, own, alone, kinds, runs), whole = pair
            answers = [p["ours"] for p in one["printed"]] + [
                e["holds"] for e in one["expectations"]
            ]
            return card, own, alone and whole, kinds, sum(a is not None for a in answers), runs

        drawn = max(sessions, key=worth)[0]
        assert found["setup"] == drawn["setup"], figure.number
        for field, answer in (("printed", "ours"), ("expectations", "holds")):
            for number, shown in enumerate(found[field]):
                known = [
                    (one, card, own, alone, runs)
                    for one, (card, own, alone, _, runs), _ in sessions
                    if one[field][number][answer] is not None
                ]
                if not known:
                    assert shown[answer] is None
                    continue
                chosen = max(known, key=lambda pair: pair[1:])[0]
                where = shown.get("session", session_of(drawn["setup"]))
                assert where == session_of(chosen["setup"]), (figure.number, shown)
                assert shown[answer] == chosen[field][number][answer]


def runs_of(figure, data):
    """Return the instances, keys and runs that results have of a figure's cases."""
    older = figure.older or (lambda cores: [])
    cores = data["setup"]["cores"]
    keys = {case.key for case in [*figure.cases(cores), *older(cores)]}
    return [
        (name, key, run)
        for name, cases in data["measurements"].items()
        for key, run in cases.items()
        if key in keys
    ]


def on_cores(figure, data):
    """Return whether a method of the processor was measured."""
    return any("@cpu" in key and "seconds" in run for _, key, run in runs_of(figure, data))


def evidence(paper, figure, data):
    """Return what results have for a figure.

    Card, what the paper counts, alone, cases, runs of instances that may answer.
    """
    found = runs_of(figure, data)
    runs = [(name, key) for name, key, run in found if "seconds" in run]
    alone = not figure.timed or max((r.get("beside", 0) for _, _, r in found), default=0) <= 1
    card = data["setup"]["device"]["name"] == "cuda"
    large = set(paper.instances["paper"]) - set(paper.instances["medium"])

    def counts(name):
        return figure.own(data, name) if figure.own else is_remote(name) or name in large

    own = [(name, key) for name, key in runs if counts(name)]
    answer = own if figure.own and own else runs
    return card, bool(own), alone, len({key for _, key in runs}), len(answer)
