"""Generated graphs beyond a server's limits are refused before memory is taken."""

import tracemalloc

import pytest

from gpucore.errors import GraphError
from warplens.app.limits import PageLimits
from warplens.app.pages import views
from warplens.app.sources.graphs import read_limits

MEBIBYTE = 1 << 20

GENERATED = [
    pytest.param(view.sources, name, id=f"{family}-{name}")
    for family, view in views().items()
    for name in view.sources.generators
]
#: Limits that the largest graph of every generator is beyond.
LIMITS = {
    "vertices": PageLimits(vertices=20),
    "edges": PageLimits(edges=40),
    "graph_bytes": PageLimits(graph_bytes=2000),
}


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize(("sources", "name"), GENERATED)
def test_a_graph_beyond_a_limit_is_refused_before_memory_is_taken(sources, name, limit):
    generator = sources.generators[name]
    ends = {slider.name: slider.high for slider in generator.sliders}
    source = sources.source(name, ends)
    tracemalloc.start()
    try:
        with pytest.raises(GraphError, match="more than"):
            source.load(LIMITS[limit], None, None)
        assert tracemalloc.get_traced_memory()[1] < MEBIBYTE
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("sources", "name"), GENERATED)
def test_numbers_far_beyond_a_sliders_end_are_refused_before_memory_is_taken(sources, name):
    """As if a forged message had moved the end of the slider."""
    generator = sources.generators[name]
    for slider in generator.sliders[:1]:
        values = {s.name: s.value for s in generator.sliders} | {slider.name: 10**9}
        limits = read_limits(PageLimits())
        tracemalloc.start()
        try:
            with pytest.raises(GraphError):
                sources.read(generator.spec(values), limits=limits)
            assert tracemalloc.get_traced_memory()[1] < MEBIBYTE
        finally:
            tracemalloc.stop()
