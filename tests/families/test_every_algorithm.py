"""Properties of everything registered: algorithms, their variants, methods on processors."""

from __future__ import annotations

import json

import numpy as np
import pytest

import gpucore
from gpucore.compare import compare
from gpucore.family import families, get_family, get_runner, methods
from gpucore.problem import get_kind, kinds
from gpucore.problems.graph.graph import Graph
from gpucore.record import Record
from gpucore.record.replay import timeline_of
from support.running import uncertified

VARIANTS = [
    pytest.param(name, variant, id=f"{name}:{variant}")
    for name, algorithm in gpucore.algorithms().items()
    for variant in algorithm.variant_names
]
FAMILIES = sorted({algorithm.family for algorithm in gpucore.algorithms().values()})


def graph_for(family):
    return get_family(family).prepared(gpucore.load("karate"))


def of_family(found, family):
    return [name for name, one in found.items() if one.family == family]


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_a_recorded_run_is_certified_replayed_and_kept(name, variant, tmp_path):
    algorithm = gpucore.algorithms()[name]
    graph = graph_for(algorithm.family)
    result = gpucore.run(name, graph, device="host", record="events", variant=variant)
    assert result.certificate.ok, str(result.certificate)
    assert (result.algorithm, result.variant) == (name, variant)
    assert json.loads(json.dumps(result.summary()))[get_family(algorithm.family).objective[0]] > 0
    json.dumps([result.params, result.device, result.certificate.as_dict()])

    result.record.save(tmp_path / "run.npz")
    record = Record.load(tmp_path / "run.npz")
    assert record.header["family"] == algorithm.family
    assert record.header["graph"]["fingerprint"] == graph.fingerprint
    assert record.num_events > 0
    timeline = timeline_of(record)
    assert timeline.exact, timeline.doubt
    begin, end = timeline.state(0), timeline.state(len(timeline))
    assert any(not np.array_equal(begin[field], end[field]) for field in begin)


@pytest.mark.parametrize("kind", kinds())
@pytest.mark.parametrize("family", families())
def test_a_family_prepares_every_kind_of_problem(family, kind):
    """Lists of preferences are no graph."""
    declared, problem = get_family(family), gpucore.load(get_kind(kind).small or "karate", kind)
    prepared = declared.prepared(problem)
    if kind == declared.problem and not isinstance(problem, Graph):
        assert prepared is problem
    else:
        assert isinstance(prepared, Graph)


@pytest.mark.parametrize("name", methods())
def test_a_method_returns_what_the_algorithms_of_its_family_return(name):
    runner = get_runner(name)
    if (reason := runner.available()) is not None:
        pytest.skip(reason)
    if runner.family not in FAMILIES:
        pytest.skip(f"no algorithm solves {runner.family}")
    graph = graph_for(runner.family)
    algorithm = gpucore.algorithms()[of_family(gpucore.algorithms(), runner.family)[0]]
    model = gpucore.run(algorithm.name, graph, device="host", certify=False)
    result = uncertified(runner.name, graph)
    assert runner.certify(graph, result).ok
    assert type(result) is type(model)
    assert get_family(algorithm.family).objective[0] in result.figures
    ours, theirs = model.solution(), result.solution()
    for field, array in ours.items():
        assert theirs[field].dtype == array.dtype
    json.dumps([result.summary(), result.params, result.device])


@pytest.mark.parametrize("family", FAMILIES)
def test_all_of_a_family_can_be_compared(family):
    names = [f"{name}@host" for name in of_family(gpucore.algorithms(), family)]
    names += [n for n in of_family(methods(), family) if get_runner(n).available() is None]
    comparison = compare(graph_for(family), names)
    assert [entry.error for entry in comparison.entries] == [""] * len(names)
    assert comparison.certified
    assert comparison.entries[0].differs is None
    assert all(entry.differs is not None for entry in comparison.entries[1:])
