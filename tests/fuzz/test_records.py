"""Damaged and forged record files: a page plays them, or says in one sentence what is wrong."""

from random import Random

import numpy as np
import pytest

from gpucore.errors import WarplensError
from gpucore.record.timeline import Player
from gpucore.record.wire import decode
from support.mutations import archive_of, change_archive, members_of
from warplens.app.dashboard.page import Dashboard
from warplens.app.gallery import entries
from warplens.app.jobs import Stop
from warplens.app.limits import PageLimits
from warplens.app.outcomes.record_files import read_record
from warplens.app.pages import views

#: Of so many accepted records one is shown with all cards, which takes most of the time.
SHOWN = 8


class Opener:
    """Opens records on a family's page.

    Parameters
    ----------
    family : str
        Name of the family; its gallery has the records that are changed.
    """

    def __init__(self, family):
        self.page = Dashboard(family, PageLimits(record_bytes=8 << 20, graph_bytes=64 << 20))
        self.errors = []
        self.page.show_error = lambda title, text: self.errors.append(f"{title}: {text}")
        own = [entry.path for entry in entries().values() if entry.family == family]
        own = [path for path in own if path.stat().st_size < 13_000]
        self.samples = [members_of(path.read_bytes()) for path in own]
        self.loaded = None
        self.accepted = 0

    def open(self, content):
        """Open a record; return whether it is accepted."""
        saved, view = self.page.saved_runs, self.page.view
        try:
            record = read_record("record.npz", content, self.page.limits, view)
            outcome = saved._outcome_of(record, self.loaded, lambda *_: None, Stop(60))
        except WarplensError as error:
            assert str(error)
            return False
        self.loaded = outcome.loaded
        check_replay(outcome)
        self.accepted += 1
        if self.accepted % SHOWN == 0:
            self.show(outcome)
        return True

    def show(self, outcome):
        """Show a record on the page, with its charts."""
        try:
            self.page.saved_runs._show(outcome, "")
        except WarplensError as error:
            assert str(error)
        assert [error for error in self.errors if "Something went wrong" in error] == []


def check_replay(outcome):
    """Check that the browser can play a record from end to end."""
    if outcome.timeline is None:
        assert outcome.refusal
        return
    timeline = outcome.timeline
    graph = outcome.loaded.prepared
    sizes = np.array([len(values) for values in timeline.fields.values()])
    # A value for each vertex, each edge, or each direction of an edge.
    assert set(sizes.tolist()) <= {graph.num_vertices, graph.num_edges, 2 * graph.num_edges}
    assert timeline.offsets[0] == 0
    assert timeline.offsets[-1] == len(timeline.new) == len(timeline.old) == len(timeline.index)
    assert (np.diff(timeline.offsets) >= 0).all()
    if len(timeline.index):
        assert timeline.field.max() < len(timeline.fields)
        assert (timeline.index >= 0).all()
        assert (timeline.index < sizes[timeline.field]).all()
    player = Player(timeline)
    player.seek(len(timeline))
    player.seek(0)
    for name, values in timeline.fields.items():
        assert np.array_equal(player.state[name], values, equal_nan=values.dtype.kind == "f")
    if outcome.message:
        decode(outcome.message)


@pytest.fixture(scope="module")
def openers():
    """Return what opens records of every family that has a gallery."""
    return [Opener(family) for family in views()]


def test_changed_records_are_played_or_refused(fuzz, openers):
    def make(random: Random):
        opener = random.choice(openers)
        return opener, change_archive(random, random.choice(opener.samples))

    def check(case):
        opener, content = case
        opener.open(content)

    assert fuzz.run(make, check)


@pytest.mark.parametrize("family", views())
def test_the_unchanged_records_are_played(family, openers):
    opener = next(one for one in openers if one.page.view.family == family)
    for sample in opener.samples:
        assert opener.open(archive_of(list(sample.items())))
