"""Every part of every certificate can fail: a wrong result that the parts before it let pass."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import gpucore
from gpucore import Graph
from gpucore.certify.reported import NAME
from gpucore.families.bipartite import native_proof
from gpucore.families.bipartite.certificate import certify_bipartite
from gpucore.families.bmatching.certificate import certify_bmatching
from gpucore.families.bmatching.certificate import certify_result as certify_bmatching_result
from gpucore.families.communities import native_proof as communities_proof
from gpucore.families.communities.certificate import certify_communities
from gpucore.families.marriage.certificate import certify_marriage
from gpucore.families.matching.certificate import certify_matching
from gpucore.families.redblue.certificate import certify_maximal
from gpucore.families.roommates.certificate import certify_roommates
from gpucore.families.roommates.fixtures_certificate import certify_fixtures
from gpucore.families.roommates.fixtures_certificate import certify_result as certify_found_fixtures
from gpucore.family import families, get_runner
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.preferences.preferences import Preferences
from gpucore.problems.roommates.roommates import Roommates

PATH = Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [2.0, 3.0, 2.0])
WORTHLESS = Graph.from_edges(2, [0], [1], [0.0])
MATRIX = BipartiteGraph.from_entries([0, 0, 1], [0, 1, 0], shape=(2, 2))
TWO = Preferences.from_lists([[1, 0], [1, 0]], [[0, 1], [1, 0]])
CROSSED = Preferences.from_lists([[0, 1], [1, 0]], [[1, 0], [0, 1]])
LONELY = Preferences.from_lists([[1], [1]], [[], [0, 1]])
TRIO = Roommates.from_lists([[1, 2], [2, 0], [0, 1]])
FOUR = Roommates.from_lists([[1, 2, 3], [0, 2, 3], [3, 0, 1], [2, 0, 1]])
ONE_EACH = np.ones(4, np.int64)


def array(*values):
    return np.array(values)


def bmatching(starts, mates, graph=PATH, capacity=ONE_EACH, **options):
    return certify_bmatching(graph, capacity, array(*starts), array(*mates), **options)


def capacities_not_as_asked():
    result = gpucore.run("bgreedy", PATH, b=1, certify=False)
    return certify_bmatching_result(PATH, replace(result, capacity=np.full(4, 2, np.int32)))


def fixtures(starts, mates, successor=(0, 1, 2, 3)):
    return certify_fixtures(FOUR, ONE_EACH, array(*starts), np.array(mates, int), array(*successor))


def fixtures_not_as_asked():
    result = gpucore.run("irving_scott", FOUR, b=1, certify=False)
    return certify_found_fixtures(FOUR, replace(result, capacity=np.full(4, 2, np.int32)))


def communities(labels, levels=(), **options):
    levels = [array(*level) for level in levels]
    return certify_communities(PATH, array(*labels), levels, **options)


def computing(**wrong):
    """Return the certificate of good communities when the computation of it goes wrong."""

    def certify(monkeypatch):
        original = communities_proof.examine
        changed = lambda *given: replace(original(*given), **wrong)  # noqa: E731
        monkeypatch.setattr("gpucore.families.communities.certificate.examine", changed)
        return communities([0, 0, 1, 1], [[0, 0, 1, 1]])

    return certify


def marriage(men, women, problem=TWO, **options):
    return certify_marriage(problem, array(*men), array(*women), **options)


def roommates(mate, successor, problem=FOUR):
    return certify_roommates(problem, array(*mate), array(*successor))


def with_a_search_that(finds):
    """Return the certificate of a matching that is not a maximum one, after another search."""

    def certify(monkeypatch):
        def search(graph, row_match, column_match):
            return finds(original(graph, row_match, column_match))._replace(augmenting=False)

        original = native_proof.search
        monkeypatch.setattr(native_proof, "search", search)
        return certify_bipartite(MATRIX, array(0, -1), array(0, -1))

    return certify


def cover(row, column):
    """Return a cover with or without row 0 and column 0."""
    return native_proof.Cover(*(np.array([one, 0], np.uint8) for one in (row, column)))


def factors(change, record="events"):
    """Return the certificate of a factorisation after a change of its result."""
    ratings = gpucore.Ratings.from_entries([0, 1, 2], [0, 1, 0], [3.0, 4.0, 5.0], shape=(4, 2))
    name, options = ("sgd", {"device": "host", "record": record, "variant": "el", "test": 0})
    result = gpucore.run(name, ratings, sweeps=2, certify=False, **options)
    return get_runner(name).certify(ratings, change(result))


def with_nan(result):
    users = result.users.copy()
    users[0, 0] = np.nan
    return replace(result, users=users)


def with_another_silent_user(result):
    users = result.users.copy()
    users[3] += 1  # user 3 has no ratings
    return replace(result, users=users)


def with_an_update_missing(result):
    record = result.record
    keep = np.arange(record.num_events) != record.num_events - 1
    events = {key: values[keep] for key, values in record.events.items()}
    return replace(result, record=replace(record, events=events))


def with_moved_vectors(result):
    users = result.users.copy()
    users[:3] *= 1.5
    return replace(result, users=users)


#: By family: each part in its order, and the certificate of a result that it refuses first.
PLANTED = {
    "matching": {
        "well formed": lambda: certify_matching(PATH, array(9, -1, -1, -1)),
        "symmetric": lambda: certify_matching(PATH, array(1, 2, 1, -1)),
        "pairs are edges": lambda: certify_matching(PATH, array(2, -1, 0, -1)),
        "pairs gain": lambda: certify_matching(WORTHLESS, array(1, 0)),
        "locally dominant": lambda: certify_matching(PATH, array(1, 0, -1, -1)),
    },
    "redblue": {
        "well formed": lambda: certify_maximal(PATH, array(9, -1, -1, -1)),
        "symmetric": lambda: certify_maximal(PATH, array(1, 2, 1, -1)),
        "pairs are edges": lambda: certify_maximal(PATH, array(2, -1, 0, -1)),
        "maximal": lambda: certify_maximal(PATH, array(1, 0, -1, -1)),
    },
    "bmatching": {
        "capacities as asked": capacities_not_as_asked,
        "well formed": lambda: bmatching([0, 1, 2, 2, 2], [1, 9]),
        "no mate twice": lambda: bmatching([0, 2, 4, 4, 4], [1, 1, 0, 0], capacity=ONE_EACH * 2),
        "capacities kept": lambda: bmatching([0, 1, 3, 4, 4], [1, 0, 2, 1]),
        "symmetric": lambda: bmatching([0, 1, 1, 1, 1], [1]),
        "pairs are edges": lambda: bmatching([0, 1, 1, 2, 2], [2, 0]),
        "pairs gain": lambda: bmatching([0, 1, 2], [1, 0], WORTHLESS, np.ones(2, np.int64)),
        "b-stable": lambda: bmatching([0, 1, 2, 2, 2], [1, 0]),
    },
    "bipartite": {
        "well formed": lambda: certify_bipartite(MATRIX, array(5, -1), array(-1, -1)),
        "mutual": lambda: certify_bipartite(MATRIX, array(0, -1), array(-1, -1)),
        "pairs are edges": lambda: certify_bipartite(MATRIX, array(-1, 1), array(-1, 1)),
        "no augmenting path": lambda: certify_bipartite(MATRIX, array(0, -1), array(0, -1)),
        "cover as small": with_a_search_that(lambda found: found._replace(cover=cover(1, 1))),
        "cover complete": with_a_search_that(lambda found: found._replace(cover=cover(0, 1))),
    },
    "marriage": {
        "well formed": lambda: marriage([0], [7]),
        "in order": lambda: marriage([1, 0], [1, 0]),
        "room for all": lambda: marriage([0, 1], [1, 1]),
        "mutually listed": lambda: marriage([0], [0], LONELY),
        "no blocking pair": lambda: marriage([0, 1], [1, 0]),
        "best for the men": lambda: marriage([0, 1], [1, 0], CROSSED, proposers="men"),
        "best for the women": lambda: marriage([0, 1], [0, 1], CROSSED, proposers="women"),
    },
    "roommates": {
        "well formed": lambda: roommates([9, -1, -1, -1], [0, 1, 2, 3]),
        "cycles": lambda: roommates([1, 0, 3, 2], [1, 1, 3, 2]),
        "answer follows": lambda: roommates([1, 0, -1, -1], [1, 0, 3, 2]),
        "mutually listed": lambda: roommates([2, -1, 0], [2, 1, 0], UNLISTED),
        "forward preferred": lambda: roommates([-1, -1, -1], [2, 0, 1], TRIO),
        "no blocking pair": lambda: roommates([2, 3, 0, 1], [2, 3, 0, 1]),
        "odd parties": lambda: fixtures([0, 0, 0, 0, 0], [], [1, 0, 2, 3]),
        "capacities as asked": fixtures_not_as_asked,
        "capacities": lambda: fixtures([0, 2, 3, 4, 4], [1, 2, 0, 0]),
    },
    "communities": {
        "partition": lambda: communities([0, 0, 2, 2]),
        "hierarchy": lambda: communities([0, 0, 1, 1], [[0, 0, 1, 1], [0, 0]]),
        "weights conserved": computing(totals=[6.0, 5.0]),
        "modularity": computing(path=[-0.3, 0.4]),
        "connected": lambda: communities([0, 1, 0, 1], connected=True),
        "levels rise": lambda: communities([0, 0, 0, 0], [[0, 0, 1, 1], [0, 0]], rising=True),
        "not below its start": lambda: communities([0, 1, 0, 1], raised=True),
        "local optimality": lambda: communities([0, 1, 2, 3], settled=True),
    },
    "sgd": {
        "one vector each": lambda: factors(lambda r: replace(r, users=r.users[1:])),
        "finite": lambda: factors(with_nan),
        "others untouched": lambda: factors(with_another_silent_user, "off"),
        "every rating once a sweep": lambda: factors(with_an_update_missing),
        "serialisable": lambda: factors(with_moved_vectors),
    },
}
UNLISTED = Roommates.from_lists([[1], [0, 2], [1]])


@pytest.mark.parametrize(
    ("family", "part"), [(family, part) for family, parts in PLANTED.items() for part in parts]
)
def test_only_this_part_refuses_it(family, part, monkeypatch):
    plant = PLANTED[family][part]
    found = plant(monkeypatch) if plant.__code__.co_argcount else plant()
    assert not found.ok
    assert [check.name for check in found.checks if not check.ok] == [part], str(found)
    assert found.checks[-1].name == part
    assert not found.measured


#: Small problems whose certificates have every part.
PROBLEMS = {"marriage": TWO, "roommates": FOUR, "bipartite": MATRIX}


@pytest.mark.parametrize("family", PLANTED)
def test_no_part_is_without_a_planted_result(family):
    """What all runners of a family check is in the table; reported figures have their own test."""
    declared = families()[family]
    problem = PROBLEMS.get(family) or declared.prepared(gpucore.load("karate"))
    seen = set()
    for name, runner in declared.load_runners().items():
        if runner.available() is not None:
            continue
        options = {"device": "host"} if runner.where == "device" else {}
        run = partial(gpucore.run, name, problem, **options)
        for variant in runner.variant_names or (None,):
            result = run(variant=variant) if variant else run()
            assert result.certificate.ok
            seen |= {check.name for check in result.certificate.checks}
    assert seen - {NAME} <= set(PLANTED[family])
