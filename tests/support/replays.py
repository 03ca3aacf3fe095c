"""Recorded runs and the pages that play them."""

from __future__ import annotations

import gpucore
from gpucore.device import get_device
from gpucore.families.matching.record import matching_timeline
from gpucore.loading import load
from gpucore.problems.graph.prepare import for_matching
from support.published import READY
from warplens.app.layout.positions import positions_of
from warplens.app.pages import get_view
from warplens.app.published.page import page_of
from warplens.app.published.replays import Replay
from warplens.app.widgets import player_payload

STATE = """time => {
  const view = __warplens.players[0];
  view.seek(time);
  return Object.fromEntries(
    Object.entries(view.timeline.state).map(([name, values]) => [name, [...values]]));
}"""
TIME = "__warplens.players[0].time"
COUNT = """(name) => {
  const canvas = document.querySelectorAll('.wp-layer')[1];
  const probe = document.createElement('canvas').getContext('2d');
  probe.fillStyle = __warplens.players[0].theme[name];
  probe.fillRect(0, 0, 1, 1);
  const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4)
    count += data[i] === r && data[i + 1] === g && data[i + 2] === b && data[i + 3] === 255;
  return count;
}"""


class Run:
    """A recorded run and the page that plays it."""

    def __init__(self, spec, algorithm="suitor", drawn=True, **params):
        self.graph = for_matching(load(spec), seed=0)
        options = {"policy": "random", "seed": 3, "resident": 4, "yield_atomic": 0.5}
        device = get_device("host", **options)
        self.result = gpucore.run(algorithm, self.graph, device=device, record="events", **params)
        self.record = self.result.record
        self.timeline = matching_timeline(self.record)
        positions = positions_of(self.graph) if drawn else None
        self.payload = player_payload(
            get_view(self.record.header["family"]),
            self.graph,
            self.record,
            positions=positions,
            title="<b>a & b</b>",
        )

    def open(self, page, tmp_path, **options):
        path = tmp_path / "replay.html"
        families = (self.record.header["family"],)
        path.write_text(page_of(Replay("A </script> & B", families, self.payload, **options)))
        page.goto(path.as_uri())
        page.wait_for_function(READY)
        return page


def colour_pixels(page, name):
    """Return how many pixels of the picture have a colour of the theme."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page.evaluate(COUNT, name)
