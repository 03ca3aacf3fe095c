"""On ranks there are no races; planted mistakes are found by races, mates or the certificate."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gpucore
from gpucore import native
from gpucore.device.source import folders, source_path
from gpucore.errors import DeviceError, KernelError
from gpucore.families.matching import suitor_peers, suitor_program
from gpucore.ranks import Work
from gpucore.ranks import rounds as engine
from gpucore.ranks.meeting import Meetings
from support.deliveries import deliveries
from support.matching_cases import greedy_mates, random_graph, skewed_graph
from support.planting import Mistake, build
from support.planting.apart import in_a_copy
from support.watched import Watched, WatchedWithMistake

try:
    native.library(instrumented=True)
except DeviceError as error:
    pytest.skip(str(error), allow_module_level=True)

BUILD = Path(__file__).parents[3] / "build" / "ranks-planted-tests"
#: Schedules that may be needed to show a mistake.
MOST_SCHEDULES = 60
#: Two weights: many proposals are decided by the numbers of the vertices.
GRAPH = random_graph(150, 900, 1, levels=2)
#: Many weights: bids of the first round differ, so that some are known to lose.
MANY_WEIGHTS = random_graph(60, 1600, 1, levels=1000)

PLAIN_MAX = "= *({0}); if (bid > outcome.previous) *({0}) = bid;"
#: Each mistake with the algorithm and the transport that run it.
MISTAKES = (
    (
        Mistake(
            "refusal_lost",
            "suitor_ranks",
            "transport.answer(p, loser, outcome.accepted ? bid : outcome.previous);",
            "transport.answer(p, outcome.accepted ? loser : -1, bid);",
        ),
        "suitor",
        "rounds",
    ),
    (
        Mistake("displacement_lost", "suitor_ranks", "        answer(p, freed, choice);\n"),
        "suitor",
        "rounds",
    ),
    (
        Mistake(
            "threshold_too_high",
            "suitor_ranks",
            "atomicMax(offers + vertex_of(cursor[u]), letters[2 * i + 1]);",
            "atomicMax(offers + vertex_of(cursor[u]), letters[2 * i + 1] + 1);",
        ),
        "suitor",
        "rounds",
    ),
    (
        Mistake(
            "plain_delivery",
            "suitor_ranks",
            "= atomicMax(bids + target, bid);",
            PLAIN_MAX.format("bids + target"),
        ),
        "suitor",
        "rounds",
    ),
    (
        Mistake(
            "own_loser_forgotten",
            "suitor_ranks",
            "append(queue, length, own, loser - lo);",
            "append(queue, length, false, loser - lo);",
        ),
        "suitor",
        "rounds",
    ),
    (
        Mistake(
            "plain_peer",
            "suitor_peers",
            "return ATOMIC_OF_ALL_RANKS(atomicMax)(word(v), bid);",
            "const Bid held = *word(v);\n        if (held < bid) *word(v) = bid;\n"
            "        return held;",
        ),
        "suitor",
        "peers",
    ),
    (
        Mistake(
            "refusal_of_a_delivery_lost",
            "suitor_peers",
            "lost = previous < bid ? previous : bid;",
            "lost = previous < bid ? previous : 0;",
        ),
        "suitor",
        "peers",
    ),
    (
        Mistake(
            "known_offer_too_high",
            "suitor_peers",
            "? previous : bid) >> 32);",
            "? previous : bid) >> 32) + 1;",
        ),
        "suitor",
        "peers",
    ),
    (
        Mistake(
            "known_loser_forgotten",
            "suitor_peers",
            "Bid lost = bid;",
            "Bid lost = 0;",
        ),
        "suitor",
        "peers",
    ),
    (
        Mistake(
            "rest_of_a_sweep_forgotten",
            "suitor_peers",
            "    });\n    work_off_list();",
            "    });",
        ),
        "suitor",
        "peers",
    ),
    (
        Mistake("delivered_twice", "suitor_peers", "bids[v] = 0;", "(void)bids;"),
        "suitor",
        "peers",
    ),
    (
        Mistake(
            "later_loser_not_marked",
            "suitor_peers",
            "else peers.mark(vertex_of(lost));",
            "else peers.put_off(state, vertex_of(lost));",
        ),
        "suitor",
        "peers",
    ),
    (
        Mistake(
            "listed_ghost_forgotten",
            "suitor_peers",
            "i < count; i += 32) work(list[i]);",
            "i < count - 1; i += 32) work(list[i]);",
            header="marks.cuh",
        ),
        "suitor",
        "peers",
    ),
    (
        Mistake(
            "last_ghost_forgotten",
            "suitor_peers",
            "return last - first - n;",
            "return last - first - n - 1;",
            header="ranks.cuh",
        ),
        "suitor",
        "peers",
    ),
    (
        Mistake(
            "part_of_a_sweep_forgotten",
            "suitor_peers",
            "who >> 8 * quarter & 255",
            "who >> 8 * quarter & 1",
            header="marks.cuh",
        ),
        "suitor",
        "peers",
    ),
    (
        Mistake("not_marked", "suitor_peers", "mark(loser);\n        return -1;", "return -1;"),
        "suitor",
        "peers",
    ),
    (
        Mistake(
            "wrong_mark",
            "suitor_peers",
            "+ (v - bounds[owner]), 1);",
            "+ (v - bounds[owner]) / 2, 1);",
        ),
        "suitor",
        "peers",
    ),
    (
        Mistake(
            "peer_threshold_too_high",
            "suitor_peers",
            "if (!is_own(v)) simt_store(state.offers + v, (unsigned)(bid >> 32));",
            "if (!is_own(v)) simt_store(state.offers + v, (unsigned)(bid >> 32) + 1);",
        ),
        "suitor",
        "peers",
    ),
    (
        Mistake(
            "copied_offer_too_high",
            "suitor_peers",
            "offers[v] = theirs;",
            "offers[v] = theirs + 1;",
        ),
        "suitor",
        "peers",
    ),
    (
        Mistake(
            "packed_loser_forgotten",
            "suitor_peers",
            "if (lost != 0) peers.put_off(state, vertex_of(lost));",
        ),
        "suitor",
        "peers",
    ),
    (
        Mistake(
            "shown_offer_too_high",
            "suitor_peers",
            "(unsigned)(best[k] >> 32));",
            "(unsigned)(best[k] >> 32) + 1);",
        ),
        "suitor",
        "peers",
    ),
    (
        Mistake(
            "hint_too_high",
            "suitor_peers",
            "(offers_of[owner]) + v, weight);",
            "(offers_of[owner]) + v, ~0u);",
        ),
        "suitor",
        "peers",
    ),
    (
        Mistake(
            "pointer_lost",
            "ld_ranks",
            "post(Mail{pointers, pointer_starts, pointer_counts}, to, message);",
        ),
        "ld",
        "rounds",
    ),
    (
        Mistake("news_lost", "ld_ranks", "post(mail, v >= 0 ? 0 : -1, second);"),
        "ld",
        "rounds",
    ),
    (
        Mistake(
            "plain_match",
            "ld_ranks",
            "if (atomicCAS(mate + (decides - lo), -1, other) == -1) {",
            "if (mate[decides - lo] == -1) {\n                mate[decides - lo] = other;",
        ),
        "ld",
        "rounds",
    ),
    (
        Mistake(
            "pointer_not_written",
            "ld_ranks",
            "simt_store(theirs + lo + alive[i], v);",
            "(void)theirs;",
        ),
        "ld",
        "peers",
    ),
    (
        Mistake("flag_not_written", "ld_ranks", "simt_store(matched + t, 1);"),
        "ld",
        "peers",
    ),
)
IDS = [mistake.name for mistake, *_ in MISTAKES]


def schedule(seed):
    """Return options of a race detector whose lanes give way at any access."""
    return {
        "policy": "random",
        "seed": seed,
        "resident": 1 + seed % 4,
        "yield_access": (0.02, 0.2)[seed % 2],
        "yield_atomic": 0.3,
        "observe": "races",
        "strict": True,
        "poison": True,
    }


def wrong(device, name, transport, again=False, graph=GRAPH):
    """Return whether a run shows a mistake: a race, an error, or other mates than greedy's."""
    given = {"ranks": 3, "transport": transport, "certify": False}
    try:
        with deliveries(again=again):
            result = gpucore.run(name, graph, device=device, **given)
    except KernelError:
        return True
    return bool(device.races()) or not np.array_equal(result.mate, greedy_mates(graph))


@pytest.fixture(scope="module")
def library():
    """Return the library of the kernels with mistakes."""
    headers = [path for folder in folders() for path in folder.glob("*.cuh")]
    sources = {source_path(mistake.source) for mistake, *_ in MISTAKES}
    return build(BUILD, [*headers, *sources], [mistake for mistake, *_ in MISTAKES])


@pytest.mark.parametrize(("mistake", "name", "transport"), MISTAKES, ids=IDS)
@in_a_copy
def test_a_planted_mistake_is_found(library, mistake, name, transport):
    assert any(
        wrong(
            WatchedWithMistake(library, mistake, **schedule(seed)),
            name,
            transport,
            seed // 4 % 2 == 0,
            (GRAPH, MANY_WEIGHTS)[seed // 8 % 2],
        )
        for seed in range(MOST_SCHEDULES)
    )


@pytest.mark.parametrize("transport", ["rounds", "peers"])
@pytest.mark.parametrize(("name", "hubs"), [("suitor", 1024), ("suitor", 12), ("ld", 1024)])
def test_without_a_mistake_nothing_is_found(name, hubs, transport, monkeypatch):
    monkeypatch.setattr(suitor_program, "HUB_DEGREE", hubs)
    for seed in range(12):
        device = Watched(instrumented=True, **schedule(seed))
        graph = (GRAPH, MANY_WEIGHTS)[seed % 3 > 1]
        assert not wrong(device, name, transport, seed // 4 % 2 > 0, graph), f"schedule {seed}"
        assert len(device.others) == 2
    graph = skewed_graph(8, 1500, 6, levels=3)
    device = Watched(instrumented=True, **schedule(1))
    result = gpucore.run(name, graph, ranks=3, transport=transport, device=device, record="events")
    assert device.races() == []
    np.testing.assert_array_equal(result.mate, greedy_mates(graph))


def test_bids_that_are_read_before_all_are_packed_are_found(monkeypatch):
    monkeypatch.setattr(Meetings, "_hosts_meet", lambda meetings: None)
    assert any(
        wrong(Watched(instrumented=True, **schedule(seed)), "suitor", "peers")
        for seed in range(MOST_SCHEDULES)
    )


def test_an_end_one_round_too_early_is_found(monkeypatch):
    """The last answers are not read: their vertices stay alone."""
    right, before = engine.under_way, []

    def early(reports):
        sent = sum(sum(map(sum, counts.values())) for _, counts in reports)
        before.append(sent)
        return right(reports) and sent > min(before[0], 4)

    monkeypatch.setattr(engine, "under_way", early)
    result = gpucore.run("suitor", GRAPH, ranks=3, transport="rounds", device="host")
    assert not result.certificate.ok


def test_a_queue_of_another_rank_that_is_not_counted_is_found(monkeypatch):
    right = suitor_peers.ByPeers.step
    monkeypatch.setattr(
        suitor_peers.ByPeers, "step", lambda *given: Work(remote=right(*given).remote)
    )
    # It is missed where the other rank looks once more: in two runs of three.
    runs = (
        gpucore.run("suitor", GRAPH, ranks=4, transport="peers", device="host") for _ in range(40)
    )
    assert any(not result.certificate.ok for result in runs)
