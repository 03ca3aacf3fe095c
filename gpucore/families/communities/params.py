"""The parameters of the Louvain method."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from gpucore.errors import ParameterError
from gpucore.families.communities.rules import COUNTED, THRESHOLDS, Rules, resolve
from gpucore.families.communities.starts import starts_of
from gpucore.families.communities.variants import CONNECTED, TUNED
from gpucore.params import check_flag, check_whole, check_word, is_number, is_whole, settle

#: Most sweeps of the refinement after the last stage, unless the caller says otherwise.
REFINING_SWEEPS = 3

#: Largest numbers of sweeps and of starts, so that a slip of a digit does not run for ever.
MOST_SWEEPS = 1_000_000
MOST_STARTS = 256


@dataclass(frozen=True)
class LouvainParams:
    """Parameters of the Louvain method.

    Attributes
    ----------
    variant : {"fast", "leiden", "buckets", "relaxed", "node_centred"}
        Ours; ours with refinement (:mod:`gpucore.families.communities.fast.leiden`); the paper's;
        communities updated once a sweep (section V); a thread for a vertex.
    t_bin, t_final : float
        A sweep that adds less modularity ends the phase: `t_bin` while the graph has more than
        `bin_vertices` vertices, or until a stage gains less than it; then `t_final`.  "fast" and
        "leiden" end a later stage sooner: after two sweeps that add less than a share of what it
        has gained; and on graphs that are not tiny their search: after a stage that adds less than
        a share of the modularity (`EARLY` and `LAST_SHARES` in
        :mod:`gpucore.families.communities.fast.ends`).
    bin_vertices : int
        See above.
    rule : {"paper", "ours"}
        When a phase ends, literally as the paper has it, or as we have it; "fast" and "leiden"
        always have ours.
    thresholds, counted, take_back, alternate, ease : optional
        Parts of the rule, each on its own; see
        :class:`gpucore.families.communities.rules.Rules`.
    resolution : float
        Weight of the expected edges in the modularity (gamma), over 0, at most 1e6; the paper's
        method has 1.
    max_sweeps : int
        Most sweeps of one stage; those that settle the vertices in the end do not count.
    refine : int, optional
        "fast" and "leiden": most sweeps of the given graph's vertices after the last stage, by
        default 3; 0 for none. Unless it is 0, the vertices of a graph of at most `SETTLED_ENTRIES`
        entries (:mod:`gpucore.families.communities.variants`) are swept on until none could gain.
        Other variants ignore it.
    starts : int, optional
        "fast" and "leiden": searches with other orders of the vertices, of which the best one is
        kept (:mod:`gpucore.families.communities.starts`); by default up to 4 for a small graph,
        1 for others. On a GPU they search at the same time, so there more graphs count as small.
    deterministic : bool
        "fast" and "leiden": the same communities in every run, on every device. The moves of a part
        of the vertices are decided from one state of the partition, and made afterwards, so the
        result does not depend on the order in which threads run. With `theta` over 0 that holds
        for all GPUs; the host's logarithm may differ in the last bit. "leiden" has one cycle then.
    watch_vertex : int
        Vertex whose hash table an event record shows; -1 none, -2 all.
    theta : float
        Randomness of the refinement in "leiden": a vertex joins a part with a probability
        proportional to exp(gain / theta), the gain in units of the edges' weights; 0: always the
        best part.
    refine_seed : int
        Seed of that choice, and of the coins that decide which vertices may join at a time.
    """

    variant: str = "fast"
    t_bin: float = 1e-2
    t_final: float = 1e-6
    bin_vertices: int = 100_000
    rule: str = "paper"
    thresholds: str | None = None
    counted: str | None = None
    take_back: bool | None = None
    alternate: bool | None = None
    ease: bool | None = None
    resolution: float = 1.0
    max_sweeps: int = 1000
    refine: int | None = None
    starts: int | None = None
    deterministic: bool = False
    watch_vertex: int = -1
    theta: float = 0.0
    refine_seed: int = 0

    def __post_init__(self) -> None:
        for name in ("t_bin", "t_final"):
            value = getattr(self, name)
            if (
                not isinstance(value, int | float)
                or not is_number(value)
                or not 0.0 <= value <= 1.0
            ):
                raise ParameterError(f"{name} is {value!r}; a threshold lies between 0 and 1")
        if not is_number(self.resolution) or not 0.0 < self.resolution <= 1e6:
            raise ParameterError(
                f"resolution is {self.resolution!r}; use a number over 0, at most 1e6"
            )
        for name, least, most in (
            ("bin_vertices", 0, (1 << 62) - 1),
            ("max_sweeps", 1, MOST_SWEEPS),
            ("watch_vertex", -2, (1 << 31) - 1),
        ):
            check_whole(name, getattr(self, name), least, most)
        if not is_number(self.theta) or not 0.0 <= self.theta <= 1e6:
            raise ParameterError(f"theta is {self.theta!r}; use a number from 0 to 1e6")
        check_whole("refine_seed", self.refine_seed, 0)
        if self.refine_seed >= 1 << 32:
            raise ParameterError(f"refine_seed is {self.refine_seed}; use one below 2^32")
        if self.variant not in CONNECTED and (self.theta or self.refine_seed):
            raise ParameterError(
                f"theta and refine_seed belong to the variant 'leiden', not {self.variant!r}"
            )
        check_flag("deterministic", self.deterministic)
        if self.refine is not None:
            check_whole("refine", self.refine, 0, MOST_SWEEPS)
        elif self.variant in TUNED:
            object.__setattr__(self, "refine", REFINING_SWEEPS)
        if self.starts is not None:
            check_whole("starts", self.starts, 1, MOST_STARTS)
            if self.variant not in TUNED:
                raise ParameterError(
                    f"starts belong to the variants 'fast' and 'leiden', not {self.variant!r}"
                )
        _ = self._resolved  # refuses what does not belong together

    @cached_property
    def _resolved(self) -> tuple[str, Rules]:
        given = {field.name: getattr(self, field.name) for field in dataclasses.fields(Rules)}
        return resolve(self.variant, self.rule, given)

    @property
    def rules(self) -> Rules:
        """All parts of the rule."""
        return self._resolved[1]

    def for_graph(self, n: int, entries: int, *, beside: bool = False) -> LouvainParams:
        """Return the parameters with the number of starts for a graph of this size.

        `beside` is whether all of them search at the same time.
        """
        if self.starts is not None or self.variant not in TUNED:
            return self
        return dataclasses.replace(self, starts=starts_of(n, entries, beside=beside))

    def settings(self) -> dict[str, Any]:
        """Return the parameters by name, the rule and its parts as they are in effect."""
        rule, parts = self._resolved
        return dataclasses.asdict(self) | {"rule": rule} | dataclasses.asdict(parts)


#: Kinds of colouring, numbered as in louvain_omp.cpp.
COLOURINGS = ("plain", "balanced", "none")


class MethodParams:
    """Parameters of the methods on the processor and of peers, each of which has some of these.

    Attributes
    ----------
    threshold : float
        A sweep that gains less modularity is the last one of its stage; a stage that gains less is
        the last one.
    t_bin, t_final : float
        The same for stages of more than `bin_vertices` vertices, and for the others; a stage that
        gains less than `t_final` is the last one.
    bin_vertices : int
        See above.
    thresholds, counted : str
        As for the kernels, see :class:`gpucore.families.communities.rules.Rules`; the default is
        the paper's. Where there are none, thresholds are absolute.
    resolution : float
        Factor of the expected weight in modularity.
    theta : float
        Randomness of the refinement: a vertex joins a part with a probability proportional to
        exp(gain / theta), the gain in units of the edges' weights; 0: always the best part.
    refine_seed : int
        Seed of that choice.
    starts : int
        Runs with other orders of the vertices, of which the best one is the result; see
        :mod:`gpucore.families.communities.starts`.
    colouring : {"plain", "balanced", "none"}
        In stages of more than `bin_vertices` vertices the classes of a distance-1 colouring move
        one after the other: as the greedy method colours; with classes of like size; or not at all.
    follow : bool
        Before the first stage, vertices with a single neighbour join it.
    max_sweeps : int
        Most sweeps of one stage.
    seed : int
        Seed of the order of the vertices.
    """

    def __post_init__(self) -> None:
        settle(self, **{name: _CHECKS[name](name, value) for name, value in vars(self).items()})


@dataclass(frozen=True)
class ResolutionParams(MethodParams):
    """Parameters of a peer that finds communities."""

    resolution: float = 1.0


@dataclass(frozen=True)
class SeededParams(ResolutionParams):
    """Parameters of a peer that takes the vertices in random order."""

    seed: int = 1


def _threshold(name: str, value: Any) -> float:
    if not is_number(value) or not 0 <= value <= 1:
        raise ParameterError(f"{name} must be a number from 0 to 1, not {value!r}")
    return float(value)


def _resolution(name: str, value: Any) -> float:
    if not is_number(value) or not 0 < value <= 1e6:
        raise ParameterError(f"{name} must be a number above 0, at most 1e6, not {value!r}")
    return float(value)


def _theta(name: str, value: Any) -> float:
    if not is_number(value) or not 0.0 <= value <= 1e6:
        raise ParameterError(f"{name} is {value!r}; use a number from 0 to 1e6")
    return float(value)


def _whole(name: str, value: Any) -> int:
    if not is_whole(value):
        raise ParameterError(f"{name} must be a whole number, not {value!r}")
    if not 0 <= value < 1 << 62:
        raise ParameterError(f"{name} must be at least 0 and below 2**62, not {value}")
    return int(value)


_WORD = partial(check_word, "the Louvain method")
#: The check of each parameter of :class:`MethodParams`, which returns it with its type.
_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    **dict.fromkeys(("threshold", "t_bin", "t_final"), _threshold),
    **dict.fromkeys(("bin_vertices", "refine_seed", "seed"), _whole),
    "thresholds": partial(_WORD, known=THRESHOLDS),
    "counted": partial(_WORD, known=COUNTED),
    "colouring": partial(_WORD, known=COLOURINGS),
    "resolution": _resolution,
    "theta": _theta,
    "starts": partial(check_whole, least=1, most=MOST_STARTS),
    "follow": check_flag,
    "max_sweeps": partial(check_whole, least=0, most=MOST_SWEEPS),
}
