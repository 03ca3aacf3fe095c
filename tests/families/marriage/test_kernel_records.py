"""Records of marriages that are larger than the kernels' blocks: lanes that take several men."""

import gpucore
from gpucore.device import get_device
from gpucore.families.marriage.timeline import marriage_timeline
from gpucore.problems.preferences.load import load_preferences


def test_a_lane_answers_several_men_of_a_round():
    """Two refusals may each be logged before the engagement that the other one's lane logs."""
    graph = load_preferences("easy:n=1000,seed=4").graph()
    device = get_device("host", policy="random", seed=1)
    result = gpucore.run(
        "marriage", graph, device=device, record="events", variant="gs", certify=False
    )
    assert marriage_timeline(result.record).doubt == ""
