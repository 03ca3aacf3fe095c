"""The cost model: the paper's formulas, its numbers on real schedules, and what it chooses."""

import dataclasses

import numpy as np
import pytest

from gpucore.device import get_device
from gpucore.errors import ParameterError
from gpucore.families.sgd import offline
from gpucore.families.sgd.conflicts import shuffled
from gpucore.families.sgd.cost import (
    PLATFORMS,
    SCHEDULES,
    Costs,
    Structure,
    choose,
    offline_cost,
    online_cost,
    predict,
    terms,
)
from gpucore.family import get_runner
from gpucore.problems.ratings.load import load_ratings

VARIANTS = get_runner("sgd").variant_names

WORKERS = 16
SOCIAL = "scale_free:users=24000,items=8800,ratings=1000000"


@pytest.fixture(scope="module")
def ratings():
    return load_ratings("scale_free:users=300,items=80,ratings=2500")


@pytest.fixture(scope="module")
def structure(ratings):
    return Structure.of(ratings, WORKERS)


@pytest.fixture(scope="module")
def entries(ratings):
    starts, users, _ = ratings.by_item()
    items = np.repeat(np.arange(ratings.num_items, dtype=np.int32), np.diff(starts))
    return offline.Entries(np.array(users), items, *ratings.shape)


def test_the_papers_formulas():
    costs = Costs(update=2.0, lock=0.5, barrier=7.0)
    assert offline_cost(10, costs) == 10 * 2.0 + 7.0 * 10
    assert online_cost(10, costs, 0.25) == 10 * 2.5 + 7.0 * 4
    # One edge a step is as bad as a matching, and the locks come on top.
    assert online_cost(10, costs, 0.1) == offline_cost(10, costs) + 10 * 0.5
    for fraction in (0.0, 1.5, float("nan")):
        with pytest.raises(ParameterError, match="fraction"):
            online_cost(10, costs, fraction)


def test_every_schedule_of_the_paper_is_predicted(structure):
    found = predict(structure, PLATFORMS["K40"])
    assert set(found) == set(SCHEDULES)
    assert set(SCHEDULES) <= set(VARIANTS)
    assert all(np.isfinite(seconds) and seconds > 0 for seconds in found.values())


def test_loads_are_those_of_the_schedules(structure, entries):
    device = get_device("host")
    steps = {}
    matching = offline.maximal_matchings(entries, device, 0)
    for name, sets in (
        ("agm_e", offline.sets_of(matching)),
        ("diag", offline.diagonals(entries)),
    ):
        steps[name] = int((-(-np.diff(sets.starts) // WORKERS)).sum()), len(sets)
    for name, given in (("agm_n", matching), ("sgm", None)):
        found = list(offline.blocks(entries, WORKERS, given, device, 0))
        steps[name] = sum(block.num_sets for block in found), len(found)
    assert (structure.loads["diag"].updates, structure.loads["diag"].barriers) == steps["diag"]
    tiles = offline.tiles(entries, 32, 32)
    assert structure.loads["blkdiag"].barriers == len(tiles.diagonals) - 1
    # Matchings are at least as many as the largest degree; greedy ones are not many more.
    assert structure.degree <= steps["agm_e"][1] <= 2 * structure.degree
    assert structure.loads["agm_e"].barriers == structure.degree
    assert steps["agm_e"][0] / 2 <= structure.loads["agm_e"].updates <= 2 * steps["agm_e"][0]
    for name in ("agm_n", "sgm"):
        load = structure.loads[name]
        assert load.launches == steps[name][1]
        assert steps[name][0] / 2 <= load.barriers <= 2 * steps[name][0], name


def test_a_locked_head_leaves_fewer_matchings(structure, ratings):
    loads = structure.loads
    assert loads["el_sgm"].barriers < loads["sgm"].barriers
    everything = Structure.of(ratings, WORKERS, head=1.0).loads["el_sgm"]
    assert everything == dataclasses.replace(loads["el_shuffled"], barriers=0)
    nothing = Structure.of(ratings, WORKERS, head=0.0).loads["el_sgm"]
    assert (nothing.updates, nothing.barriers) == (loads["sgm"].updates, loads["sgm"].barriers)


def test_no_schedule_is_faster_than_its_busiest_vertex(structure, ratings):
    for load in structure.loads.values():
        assert load.updates >= ratings.num_ratings / WORKERS
        assert load.updates >= structure.degree or load is structure.loads["agm_e"]


def test_more_workers_meet_more_often():
    degrees = np.full(1000, 8)
    found = [shuffled(degrees, degrees, workers) for workers in (1, 4, 64, 1024)]
    assert found[0].passes == 1
    assert found[0].deferred == pytest.approx(0, abs=1e-3)
    assert [f.deferred for f in found] == sorted(f.deferred for f in found)
    star = shuffled(np.ones(500, int), np.array([500]), 50)
    # 50 workers at one item: one of them succeeds, so a pass does a fiftieth.
    assert star.passes > 50


def test_slow_locks_favour_barriers():
    """The paper's finding on social networks: locks win on the K40, matchings on the R9-290X."""
    social = Structure.of(load_ratings(SOCIAL), 16_896)
    both = ("el_shuffled", "agm_e")
    assert choose(social, PLATFORMS["K40"], both) == "el_shuffled"
    assert choose(social, PLATFORMS["R9-290X"], both) == "agm_e"


def test_slow_barriers_favour_locks(structure):
    online = {"el_shuffled", "el", "nl", "nl_el"}
    costs = Costs(update=1e-6, lock=1e-9, barrier=1e-3, launch=1e-6)
    assert choose(structure, costs) in online
    free = dataclasses.replace(costs, barrier=0.0, lock=1e-4)
    assert choose(structure, free) not in online


def test_a_device_cannot_update_faster_than_its_memory(structure, ratings):
    costs = Costs(update=1e-9, lock=0.0, barrier=0.0, stream=1e-3)
    for seconds in predict(structure, costs).values():
        assert seconds == pytest.approx(1e-3 * ratings.num_ratings)


def test_terms_add_up(structure):
    costs = Costs(1e-6, 1e-8, 2e-6, launch=2e-5, atomic=1e-10, stream=4e-10, scan=1e-8)
    for name, seconds in predict(structure, costs).items():
        parts = terms(structure, costs, name)
        rest = parts.barriers + parts.launches
        overlapped = max(parts.path, parts.updates, parts.atomics)
        assert seconds == pytest.approx(overlapped + rest)


def test_choice_among_what_can_run(structure):
    costs = PLATFORMS["K40"]
    found = predict(structure, costs)
    assert choose(structure, costs) == min(found, key=found.__getitem__)
    assert choose(structure, costs, ("diag", "el")) == min(("diag", "el"), key=found.__getitem__)
    with pytest.raises(ParameterError, match="no schedule to choose from"):
        choose(structure, costs, ())
    with pytest.raises(ParameterError, match="the model has no schedule 'hogwild'"):
        choose(structure, costs, ("hogwild",))


def test_bad_arguments_are_refused(ratings):
    with pytest.raises(ParameterError, match="barrier"):
        Costs(update=1e-6, lock=0.0, barrier=-1.0)
    with pytest.raises(ParameterError, match="workers"):
        Structure.of(ratings, 0)


def test_degenerate_matrices():
    for spec in ("path:n=2", "star:n=40", "scale_free:users=3,items=40,ratings=60"):
        found = predict(Structure.of(load_ratings(spec), 1000), PLATFORMS["K40"])
        assert all(np.isfinite(seconds) for seconds in found.values())
