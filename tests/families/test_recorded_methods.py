"""Every method on the processor that records: its record replays to its result."""

import re
from pathlib import Path

import numpy as np
import pytest

import gpucore
from gpucore.families.communities.hierarchy import Kind as Louvain
from gpucore.family import families, get_family, get_runner, methods
from gpucore.record import Record
from gpucore.record.replay import timeline_of
from support.running import uncertified
from warplens.app.limits import PageLimits
from warplens.app.outcomes.record_files import check_record
from warplens.app.pages import get_view
from warplens.app.published.replays import replay_of

RECORDED = [name for name, method in methods().items() if method.records]
#: Numbers of threads; more than cores, too, so that threads are interrupted anywhere.
RUNS = [
    pytest.param(name, {"threads": threads}, id=f"{name}:{threads}")
    for name in RECORDED
    for threads in ((1, 2, 8) if get_runner(name).parallel else (1,))
]
#: Other parameters with which a method records in another way.
RUNS += [
    pytest.param(name, params, id=f"{name}:{'-'.join(map(str, params.values()))}")
    for name, params in [
        ("bsuitor_omp", {"threads": 8, "variant": "delayed"}),
        ("redblue_omp", {"threads": 8, "select": "random", "permute": True}),
        ("greedy_random", {"threads": 1, "select": "first", "permute": True}),
        ("gale_shapley", {"threads": 1, "order": "rounds", "proposers": "women"}),
        ("mcvitie_wilson_omp", {"threads": 8, "proposers": "women"}),
        *((name, {"threads": 1, "initial": "none"}) for name in ("hkdw", "pothen_fan")),
        ("hopcroft_karp_omp", {"threads": 8, "initial": "none"}),
        ("louvain_omp", {"threads": 8, "colouring": "balanced", "bin_vertices": 9}),
        ("louvain_omp", {"threads": 8, "follow": False, "resolution": 2.0}),
        ("louvain_adaptive", {"threads": 1, "bin_vertices": 9, "t_bin": 0.5}),
    ]
]
#: A graph with hubs, at which threads meet.
SPEC = "rmat:scale=8,edge_factor=6,seed=3"
#: Bytes for a record of a few dozen events.
SMALL = 3000


def graph_for(name, spec=SPEC):
    family = get_family(get_runner(name).family)
    return family.prepared(gpucore.load(spec))


def record(name, graph, params=None, level="events", **options):
    given = {"threads": 1} if params is None else params
    return uncertified(name, graph, record=level, **options, **given)


def rows_of(kept):
    """Return the events that native code wrote; contractions are added afterwards."""
    logged = np.ones(kept.num_events, bool)
    if kept.header["family"] == "communities":
        logged = np.isin(kept.events["kind"], (Louvain.MOVE, Louvain.JOIN))
    columns = (kept.events[name][logged] for name in ("iteration", "kind", "a", "b", "c", "value"))
    return list(zip(*(column.tolist() for column in columns), strict=True))


def same(one, other):
    return one.keys() == other.keys() and all(np.array_equal(one[k], other[k]) for k in one)


@pytest.mark.parametrize(("name", "params"), RUNS)
def test_the_replay_is_exact_and_ends_in_the_result(name, params, tmp_path):
    graph, threads = graph_for(name), params["threads"]
    for _ in range(6 if threads > 1 else 1):
        result = record(name, graph, params)
        assert get_runner(name).certify(graph, result).ok
        result.record.save(tmp_path / "run.npz")
        kept = Record.load(tmp_path / "run.npz")
        assert kept.header["algorithm"] == name
        assert (kept.clock, kept.lost_events) == ("ns", 0)
        assert np.all(np.diff(kept.events["time"]) >= 0)
        assert int(kept.events["warp"].max()) < threads
        timeline = timeline_of(kept)
        assert timeline.exact, timeline.doubt
        view = get_view(get_runner(name).family)
        check_record(kept, view)  # a page opens it
        at_end = view.result(kept, graph)
        assert same(at_end.solution(), result.solution())


@pytest.mark.parametrize("name", RECORDED)
def test_a_page_of_its_own_has_charts(name):
    assert replay_of(record(name, graph_for(name, "karate")).record, PageLimits()).charts()


@pytest.mark.parametrize("name", RECORDED)
def test_without_a_level_there_is_no_record_and_the_result_is_the_same(name):
    graph = graph_for(name)
    plain = record(name, graph, level="off")
    assert plain.record is None
    assert same(plain.solution(), record(name, graph).solution())


@pytest.mark.parametrize("name", RECORDED)
def test_what_does_not_fit_is_counted_and_the_rest_is_kept_in_order(name):
    graph = graph_for(name)
    whole = record(name, graph).record
    part = record(name, graph, record_budget=SMALL).record
    every, kept = rows_of(whole), rows_of(part)
    assert part.lost_events == len(every) - len(kept) > 0
    rest = iter(every)
    assert all(row in rest for row in kept)  # as a subsequence
    assert "did not fit" in timeline_of(part).doubt


@pytest.mark.parametrize("name", RECORDED)
def test_counters_are_the_rows_of_events_alone(name):
    graph = graph_for(name)
    rows, whole = (record(name, graph, None, level).record for level in ("counters", "events"))
    assert (rows.num_events, rows.lost_events) == (0, 0)
    assert same(rows.warps, whole.warps)
    assert len(rows.warps["warp"]) > 0


@pytest.mark.parametrize("family", sorted({get_runner(name).family for name in RECORDED}))
def test_native_code_numbers_events_as_the_table_does(family):
    folder = Path(gpucore.__file__).parent / "families" / family / "cpu"
    text = "\n".join(path.read_text() for path in sorted(folder.glob("*.h")))
    (body,) = re.findall(r"enum \w+Event : unsigned \{(.*?)\};", text, re.DOTALL)
    numbered = {name: int(code) for name, code in re.findall(r"(\w+) = (\d+)", body)}
    table = {e.code.name: int(e.code) for e in families()[family].load_record().events}
    assert numbered
    assert numbered.items() <= table.items()
