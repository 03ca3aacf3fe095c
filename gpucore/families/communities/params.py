"""The parameters of the Louvain method."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from gpucore.errors import ParameterError
from gpucore.families.communities.rules import Rules, resolve
from gpucore.families.communities.starts import starts_of
from gpucore.params import check_whole, is_number

#: Most sweeps of the refinement after the last stage, unless the caller says otherwise.
REFINING_SWEEPS = 3
#: Variants that have this refinement.
REFINED = ("fast", "leiden")


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
        `bin_vertices` vertices, or until a stage gains less than it; then `t_final`.
    bin_vertices : int
        See above.
    rule : {"paper", "ours"}
        When a phase ends, literally as the paper has it, or as we have it; "fast" and "leiden"
        always have ours.
    thresholds, counted, take_back, alternate, ease : optional
        Parts of the rule, each on its own; see
        :class:`gpucore.families.communities.rules.Rules`.
    resolution : float
        Weight of the expected edges in the modularity (gamma), over 0; the paper's method has 1.
    max_sweeps : int
        Most sweeps of one stage.
    refine : int, optional
        "fast" and "leiden": most sweeps of the given graph's vertices after the last stage, by
        default 3; 0 for none.
    starts : int, optional
        "fast" and "leiden": searches with other orders of the vertices, of which the best one is
        kept (:mod:`gpucore.families.communities.starts`); by default up to 4 for a small graph,
        1 for others.
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
            raise ParameterError(f"resolution is {self.resolution!r}; use a number over 0")
        for name, least, most in (
            ("bin_vertices", 0, (1 << 62) - 1),
            ("max_sweeps", 1, MOST_SWEEPS),
            ("watch_vertex", -2, (1 << 31) - 1),
        ):
            check_whole(name, getattr(self, name), least, most)
        if not is_number(self.theta) or not 0.0 <= self.theta <= 1e6:
            raise ParameterError(f"theta is {self.theta!r}; use a number of at least 0")
        check_whole("refine_seed", self.refine_seed, 0)
        if self.refine_seed >= 1 << 32:
            raise ParameterError(f"refine_seed is {self.refine_seed}; use one below 2^32")
        if self.variant != "leiden" and (self.theta or self.refine_seed):
            raise ParameterError(
                f"theta and refine_seed belong to the variant 'leiden', not {self.variant!r}"
            )
        if self.refine is not None:
            check_whole("refine", self.refine, 0, MOST_SWEEPS)
        elif self.variant in REFINED:
            object.__setattr__(self, "refine", REFINING_SWEEPS)
        if self.starts is not None:
            check_whole("starts", self.starts, 1, MOST_STARTS)
            if self.variant not in REFINED:
                raise ParameterError(
                    f"starts belong to the variants 'fast' and 'leiden', not {self.variant!r}"
                )
        self._resolved()

    def _resolved(self) -> tuple[str, Rules]:
        given = {field.name: getattr(self, field.name) for field in dataclasses.fields(Rules)}
        return resolve(self.variant, self.rule, given)

    @property
    def rules(self) -> Rules:
        """All parts of the rule."""
        return self._resolved()[1]

    def for_graph(self, n: int, entries: int) -> LouvainParams:
        """Return the parameters with the number of starts for a graph of this size."""
        if self.starts is not None or self.variant not in REFINED:
            return self
        return dataclasses.replace(self, starts=starts_of(n, entries))

    def settings(self) -> dict[str, Any]:
        """Return the parameters by name, the rule and its parts as they are in effect."""
        rule, parts = self._resolved()
        return dataclasses.asdict(self) | {"rule": rule} | dataclasses.asdict(parts)
