"""What the charts of every family's view must show of a run."""

import numpy as np


def check_measures(view, warps):
    """Check every measure of a record's warps: a value for each, none below zero, shares to 100."""
    for measure in view.warp_measures:
        values = np.asarray(measure.values(warps))
        assert values.shape == warps["warp"].shape
        assert (values >= 0).all()
        assert measure.unit != "%" or (values <= 100).all()
