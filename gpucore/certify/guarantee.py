"""What a weight is worth: the bound on every other matching, in words."""

from __future__ import annotations

from collections.abc import Mapping

from gpucore.certify import Measured


def guarantee(figures: Mapping[str, float | int], *, stable: bool) -> Measured:
    """Return the guaranteed part of the optimum.

    Parameters
    ----------
    figures : mapping
        With ``weight``, ``upper_bound`` and ``ratio``.
    stable : bool
        Whether a check proved that no edge blocks; at least half of the optimum follows from it.
    """
    weight, bound, ratio = figures["weight"], figures["upper_bound"], figures["ratio"]
    text = f"weight {weight:.9g}, the optimum is at most {bound:.9g}: ratio at least {ratio:.4f}"
    return Measured("half-approximate" if stable else "bounded", text)
