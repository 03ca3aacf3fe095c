"""Kernels of runs, ready for the playground: each compiles alone and is what the run launched."""

import base64
import json
import re
import zlib

import pytest

import gpucore
from gpucore.family import get_family, get_runner
from support.playing import answer, request_of_state
from warplens.app.code.playable import MOST_EDGES, playable
from warplens.app.gallery import entries
from warplens.app.limits import PageLimits
from warplens.app.published.replays import _outcome, _view_of

LIMITS = PageLimits()
#: A record of each family; its kernels are those of the paper.
RECORDS = (
    "karate_weighted-suitor-nosync",
    "karate_weighted-ld",
    "karate-louvain-buckets",
    "crossing-bipartite-apfb",
    "karate_weighted-redblue-paper",
    "sample-sgd-el",
    "karate_weighted-bmatching-eager-b1",
)


def run_of(name):
    record = entries()[name].record()
    outcome = _outcome(record, _view_of(record), LIMITS, None)
    return outcome.loaded.prepared, outcome.result


def state_of(kernel):
    packed = base64.urlsafe_b64decode(kernel["fragment"].removeprefix("#play=") + "==")
    return json.loads(zlib.decompress(packed, -15))


@pytest.mark.parametrize("name", RECORDS)
def test_the_longest_kernel_of_a_run_is_clean_by_itself(name, lab_compiler):
    first, *rest = playable(*run_of(name))
    state = state_of(first)
    report = answer(request_of_state(state))
    assert report["name"] == first["kernel"]
    assert report["races"] == report["findings"] == []
    assert not re.search(r"\bSIMT_|RECORD|#include \"", state["code"])
    assert len({one["kernel"] for one in (first, *rest)}) == 1 + len(rest)


def test_the_suitor_kernel_computes_the_bids_of_the_run(lab_compiler):
    graph, result = run_of("karate_weighted-suitor-nosync")
    kernels = {one["kernel"]: state_of(one) for one in playable(graph, result)}
    report = answer(request_of_state(kernels["suitor_nosync"]))
    bids = report["arrays"][3]["values"]
    mates = [(int(bid) & 0xFFFFFFFF) - 1 for bid in bids]
    assert mates == result.mate.tolist()


@pytest.mark.parametrize("method", ["irving", "louvain_omp"])
def test_a_method_on_the_processor_has_none(method):
    kind = get_family(get_runner(method).family).problem
    graph = gpucore.load("karate", kind=kind)
    assert playable(graph, gpucore.run(method, graph)) == []


def test_a_large_graph_and_a_cooperative_launch_have_none(lab_compiler):
    graph = gpucore.load("netscience")
    assert graph.num_edges > MOST_EDGES
    result = gpucore.run("suitor", graph, device="host", variant="nosync", certify=False)
    assert playable(graph, result) == []
    graph, result = run_of("lesmis-redblue-fast")
    assert playable(graph, result) == []
