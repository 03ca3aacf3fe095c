"""The parameters of a factorisation that a visitor can set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...view import Choice

#: Schedules that use tiles.
_TILED = ("blkdiag",)
#: The matchings of this seed have the counts of the paper's figure 4: eight steps for AGM-E, two of
#: them for the first matching, and four for the second block of AGM-N.
AS_IN_FIGURE_4 = 7


def _numbers(
    *values: float, names: Mapping[float, str] | None = None
) -> tuple[tuple[str, float], ...]:
    """Return choices that are called by their values, or by the given names."""
    called = names or {}
    return tuple((called.get(value, f"{value:,}"), value) for value in values)


def _shares(values: Sequence[float]) -> tuple[tuple[str, float], ...]:
    return tuple((f"{value:.0%}" if value else "none", value) for value in values)


CHOICES = (
    Choice(
        "threads",
        "Threads",
        _numbers(0, 1, 2, 3, 4, 8, 16, 32, 64, 256, 1024, 4096, names={0: "as many as run"}),
        first=2,
    ),
    Choice("sweeps", "Sweeps", _numbers(20, 1, 2, 3, 5, 10, 50), first=3),
    Choice("k", "Components, k", _numbers(16, 8, 32, 64, 128)),
    Choice("test", "Held back for the test", _shares((0.1, 0.0, 0.2, 0.5)), first=0.0),
    Choice("rate", "Learning rate", _numbers(0.02, 0.002, 0.005, 0.01, 0.05, 0.1, 0.2, 1.0)),
    Choice(
        "schedule",
        "Rate falls as",
        (("1 / (1 + t / 10)", "inverse"), ("1 / (1 + t^1.5 / 10)", "cumf"), ("not", "constant")),
    ),
    Choice("reg", "Regularisation", _numbers(0.05, 0.0, 0.01, 0.1, 0.2)),
    Choice("biases", "Biases", (("no", False), ("of users and items", True))),
    Choice("positive", "Components", (("of any sign", False), ("0 or above", True))),
    Choice("tile_users", "Users of a tile", _numbers(32, 2, 4, 8, 16, 64, 256), _TILED, first=2),
    Choice("tile_items", "Items of a tile", _numbers(32, 2, 4, 8, 16, 64, 256), _TILED, first=2),
    Choice("stripes", "Stripes", _numbers(0, 1, 2, 4, 8, 16, names={0: "as suits"}), ("fast",)),
    Choice("half", "Users are stored", (("in 32 bits", False), ("in 16 bits", True)), ("fast",)),
    Choice("head", "Items that are locked", _shares((0.1, 0.02, 0.25, 0.5)), ("el_sgm",), 0.25),
    Choice(
        "order_seed",
        "Seed of the order",
        _numbers(0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
        (
            "el_shuffled",
            "hogwild",
            "el_sgm",
            "agm_e",
            "agm_n",
            "sgm",
        ),
        first=AS_IN_FIGURE_4,
    ),
)
