"""Questions about runs of bipartite matching."""

from gpucore.families.bipartite.order import Kind

from ...stories.questions import COMMON, Makers, how_many_more, next_vertex

QUESTIONS: Makers = {
    "next": next_vertex((Kind.FLIP,), "Which row does column {} take next?"),
    "repaired": how_many_more((Kind.FIX,), "How many rows will the repair set free?", "repairs"),
    "phases": how_many_more((Kind.PHASE,), "How many phases more?", "phases"),
    **COMMON,
}
