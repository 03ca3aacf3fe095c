"""Questions about runs of stable marriage."""

from gpucore.families.marriage.order import Kind

from ...stories.questions import COMMON, Makers, how_many_more, next_vertex

QUESTIONS: Makers = {
    "next": next_vertex((Kind.ENGAGE,), "Which of these does {} become engaged to next?"),
    "left behind": next_vertex((Kind.ENGAGE,), "Which partner is left for {} next?", answer="c"),
    "left": how_many_more((Kind.REFUSE,), "How many refusals more?", "refusals"),
    **COMMON,
}
