"""Questions about runs of stable roommates."""

from gpucore.families.roommates.timeline import Kind

from ...stories.questions import COMMON, Makers, how_many_more, next_vertex

QUESTIONS: Makers = {
    "next": next_vertex((Kind.PROPOSE, Kind.MOVE), "To whom does {} propose next?"),
    "let go": next_vertex(
        (Kind.PROPOSE, Kind.MOVE), "Whose proposal does {} let go?", subject="b", answer="c"
    ),
    "left": how_many_more((Kind.PROPOSE, Kind.MOVE), "How many proposals more?", "proposals"),
    **COMMON,
}
