"""Rules that end a phase of the Louvain method: the paper's, and ours.

Source: Naim, Manne, Halappanavar, Tumeo, "Community detection on the GPU", IPDPS 2017, algorithm 1
(line 12) and section V.  Kernels and CPU methods read them alike, so that their times can be
compared.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from gpucore.errors import ParameterError
from gpucore.families.communities.variants import TUNED
from gpucore.params import check_flag, check_word

RULES = ("paper", "ours")
#: Meanings of a threshold.
THRESHOLDS = ("absolute", "relative")
#: Vertices that are counted: a stage with more than `bin_vertices` of them is large.
COUNTED = ("all", "with_edges")


@dataclass(frozen=True)
class Rules:
    """When a phase of moves ends, and what becomes of a sweep that loses modularity.

    Attributes
    ----------
    thresholds : {"absolute", "relative"}
        What a sweep that is not the last has to add to the modularity: the threshold itself
        (algorithm 1, line 12); or this part of the stage's gain so far, and at least `t_final`
        times the modularity.  A stage compares its gain likewise: with the threshold, or with the
        threshold times the modularity.
    counted : {"all", "with_edges"}
        Which vertices make a stage large: all (section V), or those that have edges.
    take_back : bool
        Undo a sweep, and a last stage, that loses modularity.
    alternate : bool
        After a sweep that loses modularity, allow moves only to smaller and only to larger
        community numbers in turn, so that no two vertices swap; otherwise that sweep is the last.
    ease : bool
        In "relaxed", a sweep in one direction needs a sixteenth of the gain.
    """

    thresholds: str = "absolute"
    counted: str = "all"
    take_back: bool = False
    alternate: bool = False
    ease: bool = False

    def wanted(self, threshold: float, least: float, start: float, reached: float) -> float:
        """Return the gain that a sweep needs, so that another follows.

        Parameters
        ----------
        threshold, least : float
            The stage's threshold, and `t_final`.
        start, reached : float
            Modularity at the start of the stage, and now.
        """
        if self.thresholds == "absolute":
            return threshold
        return max(threshold * (reached - start), least * reached)

    def of_stage(self, threshold: float, now: float) -> float:
        """Return the gain that a stage needs, so that another follows."""
        return threshold if self.thresholds == "absolute" else threshold * abs(now)


PRESETS = {"paper": Rules(), "ours": Rules("relative", "with_edges", True, True, True)}
_WORDS = {"thresholds": THRESHOLDS, "counted": COUNTED}


def resolve(variant: str, rule: str, given: dict[str, Any]) -> tuple[str, Rules]:
    """Return a variant's rules: those of the preset, with the given ones instead.

    Parameters
    ----------
    variant : str
        "fast" and "leiden" have our rule in any case.
    rule : {"paper", "ours"}
        The preset of the other variants.
    given : dict
        Options of :class:`Rules`; None: as the preset has it.

    Raises
    ------
    ParameterError
        A value is unknown, or does not apply to the variant.

    Examples
    --------
    >>> name, rules = resolve("buckets", "paper", {"take_back": True})
    >>> name, rules.thresholds, rules.take_back, rules.alternate
    ('paper', 'absolute', True, False)
    """
    check_word("louvain", "rule", rule, RULES)
    options = {key: value for key, value in given.items() if value is not None}
    for key, value in options.items():
        if key in _WORDS:
            check_word("louvain", key, value, _WORDS[key])
        else:
            check_flag(key, value)
    tuned = variant in TUNED
    preset = PRESETS["ours" if tuned else rule]
    if tuned:
        rule = "ours"
        for key in ("take_back", "alternate", "ease"):
            if options.get(key, True) is not True:
                raise ParameterError(
                    f"{key} cannot be off in the variant {variant!r}, whose sweeps are our own; "
                    "take 'buckets', 'relaxed' or 'node_centred'"
                )
    return rule, replace(preset, **options)
