"""Complete preferences as tables of ranks, from NumPy's archives and from JSON."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from gpucore.errors import GraphError
from gpucore.io import npz
from gpucore.io.stream import Source
from gpucore.problems.preferences.preferences import Preferences

FORM = "preference_ranks"
RANKS = ("men_ranks", "women_ranks")


def read_ranks(source: Source) -> Preferences:
    """Read an archive of ``numpy.savez`` with the arrays "men_ranks" and "women_ranks".

    Parameters
    ----------
    source : Source
        Archive with the arguments of
        :meth:`gpucore.problems.preferences.preferences.Preferences.from_ranks`: arrays of shapes
        (men, women) and (women, men); the best rank is the smallest, equal ranks are refused.

    Raises
    ------
    GraphError
        If it is not such an archive, damaged, too large, or has invalid ranks.
    """
    arrays = npz.read_arrays(source, set(RANKS))
    try:
        for word in RANKS:
            if word not in arrays:
                raise GraphError(f"the array {word!r} is missing; both sides rank each other")
        return of_ranks(source, arrays["men_ranks"], arrays["women_ranks"], FORM)
    except GraphError as error:
        raise GraphError(f"{source.name}: {error}") from None


def of_ranks(
    source: Source, men_ranks: np.ndarray, women_ranks: np.ndarray, form: str, *,
    ties: Literal["refuse", "index"] = "refuse", name: str = "",
) -> Preferences:  # fmt: skip
    """Make an instance from the ranks in a file; see :meth:`Preferences.from_ranks`."""
    about: dict[str, Any] = source.describe(form, purged=0)
    return Preferences.from_ranks(
        men_ranks,
        women_ranks,
        ties=ties,
        limits=source.limits,
        name=name or source.stem,
        source=about,
    )
