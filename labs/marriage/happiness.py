"""Ranks of partners in stable marriages, and the cost of finding them: measured with the kernels.

Source: Manne, Naim, Lerring, Halappanavar, "On stable marriages and greedy matchings", CSC 2016,
sections 2 and 4; Wilson, "An analysis of the stable marriage assignment algorithm", BIT 1972.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpucore.families.marriage.curves import harmonic_bound, n_log_n
from gpucore.families.marriage.lists import Lists
from gpucore.families.marriage.search import Format
from gpucore.params import is_number

from ..kit.book import exercise
from ..kit.exercises import Verdict, judge
from ..kit.pictures import COLOURS, Picture, wrap
from .runs import marry

#: A guess of a mean is right if it is within this share of it.
NEAR = 0.25


@dataclass(frozen=True)
class Grown:
    """Measured marriages of growing instances.

    Attributes
    ----------
    sizes : ndarray of int64, shape (k,)
        Couples.
    men, women : ndarray of float64, shape (k,)
        Mean rank of partners, over the instances of a size.
    considered : ndarray of float64, shape (k,)
        Places that the men considered, mean over the same instances.
    """

    sizes: np.ndarray
    men: np.ndarray
    women: np.ndarray
    considered: np.ndarray

    def table(self) -> str:
        """Return the places considered against the theorem, a line a size."""
        lines = [
            "  couples   considered      n ln n   at most, on average: n (1 + 1/2 + ... + 1/n)"
        ]
        for n, places in zip(self.sizes.tolist(), self.considered, strict=True):
            lines.append(f"{n:9,} {places:12,.0f} {n_log_n(n):11,.0f} {harmonic_bound(n):12,.0f}")
        return "\n".join(lines)

    def picture(self) -> Picture:
        """Return both sides' mean ranks as lines, beside ln n and n / ln n."""
        n = self.sizes.astype(float)
        lines = {
            "women": self.women,
            "n / ln n": n / np.log(n),
            "men": self.men,
            "ln n": np.log(n),
        }
        return Picture(wrap(_lines(n, lines)))


def grow(sizes: Sequence[int], *, instances: int = 10) -> Grown:
    """Marry random instances of several sizes, all lists complete, men proposing."""
    rows = []
    for n in sizes:
        runs = [marry(f"classic:n={n},seed={seed}") for seed in range(instances)]
        names = ("men_mean_rank", "women_mean_rank", "considered")
        rows.append([np.mean([made.figures[name] for made in runs]) for name in names])
    men, women, considered = np.array(rows, float).T
    return Grown(np.array(sizes), men, women, considered)


@exercise("marriage/happiness-women-get")
def women_get(guess: Any, n: int, *, seed: int = 1) -> Verdict:
    """Answer: a woman's mean rank of her husband among n random couples; about is enough."""
    figures = marry(f"classic:n={n},seed={seed}").figures
    truth, men = (float(figures[f"{side}_mean_rank"]) for side in ("women", "men"))
    because = (
        f"n / ln n is {n / np.log(n):.0f}. It is the number of those who asked that decides: about "
        f"ln n of the men come to a woman, and the best of them is number n / ln n of her "
        f"list. Her husband's choice number is {men:.1f} on average: ln n is {np.log(n):.1f}."
    )
    if is_number(guess) and abs(guess - truth) <= NEAR * truth:
        return Verdict(True, f"The run says {truth:.0f}. {because}")
    known = {round(n / 2): "That is what she would get if she took anybody."}
    return judge(guess, round(truth), because, known=known)


def _lines(x: np.ndarray, lines: dict[str, np.ndarray]) -> str:
    """Return lines over sizes, both axes logarithmic; every second one is a formula, dashed."""
    width, height, left, top = 430, 240, 44, 12
    most = max(float(line.max()) for line in lines.values())
    ends = np.log10(x[[0, -1]])
    ticks = [tick for k in range(6) for tick in (10**k, 3 * 10**k) if tick <= most]

    def at(n: float, rank: float) -> tuple[float, float]:
        across = (np.log10(n) - ends[0]) / (ends[1] - ends[0])
        return left + across * width, top + (1 - np.log10(rank) / np.log10(most)) * height

    parts, level = [], 0.0
    for tick in ticks:
        y = at(x[0], tick)[1]
        parts.append(f'<path d="M{left} {y:.1f}h{width}" stroke="currentColor" opacity=".15"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:,}</text>')
    for n in x:
        across = at(n, 1)[0]
        parts.append(
            f'<text x="{across:.1f}" y="{top + height + 18}" text-anchor="middle">{n:,.0f}</text>'
        )
    for number, (name, line) in enumerate(lines.items()):
        colour = COLOURS[number // 2]
        places = [at(*point) for point in zip(x, line, strict=True)]
        path = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in places)
        dashes = ' stroke-dasharray="5 4"' if number % 2 else ""
        parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
        if not number % 2:
            for (a, b), rank in zip(places, line, strict=True):
                parts.append(
                    f'<circle cx="{a:.1f}" cy="{b:.1f}" r="4" fill="{colour}">'
                    f"<title>{name}: {rank:.1f}</title></circle>"
                )
        # A formula is named below the line that it belongs to.
        level = places[-1][1] + 2 if not number % 2 else level + 15
        parts.append(f'<text x="{left + width + 10}" y="{level:.1f}" fill="{colour}">{name}</text>')
    return (
        '<svg role="img" aria-label="mean rank of partners by number of couples" '
        f'width="{left + width + 80}" height="{top + height + 44}" font-size="12" '
        f'fill="currentColor">{"".join(parts)}<text x="{left + width / 2}" '
        f'y="{top + height + 38}" text-anchor="middle">couples</text></svg>'
    )


def effort(*runs: tuple[str, str]) -> str:
    """Return the counters of the kernels, a line for each instance and variant.

    Parameters
    ----------
    *runs : tuple of two str
        A specification of an instance, and a variant.
    """
    lines = [f"{'':22}{'':5}{'considered':>12}{'engaged':>9}{'left':>8}{'lanes with a man':>18}"]
    for spec, variant in runs:
        made = marry(spec, variant=variant, record="counters")
        assert made.record is not None
        warps = {name: int(words.sum()) for name, words in made.record.warps.items()}
        share = warps["busy"] / max(1, warps["lane_slots"])
        lines.append(
            f"{spec:22}{variant:5}{made.figures['considered']:12,}{warps['engaged']:9,}"
            f"{warps['displaced']:8,}{share:18.0%}"
        )
    return "\n".join(lines)


def passed_by(sizes: Sequence[int], *, seed: int = 1) -> str:
    """Return how many places of hard instances were considered, and how many were read."""
    lines = ["   couples  considered: n (n + 1) / 2   read by a lane"]
    for n in sizes:
        made = marry(f"hard:n={n},seed={seed}", record="counters")
        assert made.record is not None
        read, places = int(made.record.warps["busy"].sum()), made.figures["considered"]
        lines.append(f"{n:10,} {places:26,} {read:16,} ({read / places:.0%})")
    return "\n".join(lines)


def words(men: int, longest: int, worst_rank: int) -> str:
    """Return how many bits a woman's word needs if places are counted from a group of men, and why.

    Parameters
    ----------
    men : int
    longest : int
        Length of the longest list.
    worst_rank : int
        The largest rank that a woman gives.
    """
    lines = ["men of a group   bits of a word   table of where groups begin"]
    for shift in (0, 4, 8):
        form = _format(men, longest, worst_rank, shift)
        if form.group_shift == shift:
            table = 8 * (-(-men // (1 << shift))) / 1e6
            lines.append(f"{1 << shift:14} {_bits(form, worst_rank):16} {table:22.3f} MB")
    return "\n".join(lines)


@exercise("marriage/happiness-word-bits")
def word_bits(guess: Any, men: int, longest: int, worst_rank: int) -> Verdict:
    """Answer: the bits of a word that holds a rank, a man, and a place in his own list."""
    form = _format(men, longest, worst_rank, 0)
    truth, rank = _bits(form, worst_rank), worst_rank.bit_length()
    because = (
        f"{rank} bits hold a rank up to {worst_rank:,}, {form.man_bits} bits number {men:,} men "
        f"apart, and {form.place_bits} bits {longest:,} places and the end of the list. A word "
        f"has 64, so that {64 - truth} are left."
    )
    known = {rank + form.man_bits: "You left out the place, from which he goes on."}
    return judge(guess, truth, because, known=known)


def _format(men: int, longest: int, worst_rank: int, group_shift: int) -> Format:
    return Format.of(Lists(men, men, 0, [], longest, worst_rank), group_shift)


def _bits(form: Format, worst_rank: int) -> int:
    return form.man_bits + form.place_bits + worst_rank.bit_length()
