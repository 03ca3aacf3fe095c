"""Questions about runs of community detection."""

from gpucore.families.communities.hierarchy import Kind

from ...stories.questions import COMMON, Makers, how_many_more, next_vertex

QUESTIONS: Makers = {
    "next": next_vertex((Kind.MOVE,), "Into whose community does {} move next?", answer="c"),
    "left": how_many_more((Kind.MOVE,), "How many moves more?", "moves"),
    "contracted": how_many_more(
        (Kind.MERGE,), "How many communities are contracted from here on?", "contractions"
    ),
    "taken back": how_many_more(
        (Kind.TAKE_BACK,), "How many moves will be taken back?", "moves taken back"
    ),
    **COMMON,
}
