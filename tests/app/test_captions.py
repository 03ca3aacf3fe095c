"""Every sentence of every record of the gallery, and of every story's run, holds where it stands.

The checkers are in :mod:`tests.support.captions`; the records of the gallery were made by earlier
versions, those of the stories' runs are made here.
"""

from dataclasses import replace

import numpy as np
import pytest

from gpucore.record.replay import retold
from warplens.app.gallery import entries, entry
from warplens.app.limits import PageLimits
from warplens.app.outcomes.record_files import graph_of
from warplens.app.stories.library import shipped, stories

from ..support.captions import wrong_sentences
from .test_stories import record_of

OWN_RUNS = [name for name in stories() if not shipped(name).story.record]


@pytest.mark.parametrize("name", entries())
def test_every_sentence_of_the_gallery_holds(name):
    stored = entry(name).record()
    graph = graph_of(stored, PageLimits())
    record = retold(stored, graph)
    assert list(wrong_sentences(record, graph))[:3] == []
    again = retold(record, graph)
    for column, values in record.events.items():
        assert np.array_equal(again.events[column], values)  # the order is a stable one


def test_a_gain_that_is_not_that_of_the_graph_is_found():
    stored = entry("karate-louvain-buckets").record()
    graph = graph_of(stored, PageLimits())
    record = retold(stored, graph)
    move = int(np.flatnonzero(record.events["kind"] == 1)[7])
    value = record.events["value"].copy()
    value[move] *= 1.01
    record = replace(record, events={**record.events, "value": value})
    assert [text.split(":")[0] for text in wrong_sentences(record, graph)] == [f"step {move + 1}"]


@pytest.mark.parametrize("name", OWN_RUNS)
def test_every_sentence_of_a_storys_run_holds(name):
    record, graph = record_of(shipped(name))
    assert list(wrong_sentences(record, graph))[:3] == []
