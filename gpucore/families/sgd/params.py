"""Parameters of a factorisation by stochastic gradient descent."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from gpucore.errors import ParameterError
from gpucore.params import check_flag, check_whole, check_word, is_number

#: Variants of which a sweep does not equal one of a single worker in any order.
NOT_SERIALISABLE = ("hogwild", "fast")
#: How the learning rate falls with the sweeps t = 0, 1, ...
SCHEDULES = ("constant", "inverse", "cumf")


@dataclass(frozen=True)
class SgdParams:
    """Parameters of a factorisation.

    Attributes
    ----------
    variant : str
        Schedule: "el" (edge-locked, ratings in the order of the items), "el_shuffled" (in random
        order), "nl" (node-locked), "nl_batched" (a warp an item, up to 32 users taken at a time),
        "nl_el" (the first pass of a sweep node-locked, then edge-locked), "el_sgm" (edge-locked for
        the items of high degree, matchings for the rest), "agm_e", "agm_n", "sgm" (maximal
        matchings), "diag", "blkdiag" (diagonals), "hogwild" (no locks), or "fast" (stripes of users
        and items).
    k : int
        Number of components of a vector, 8 to 128.
    sweeps : int
        Number of passes over all ratings.
    rate : float
        Learning rate of the first sweep.
    schedule : {"constant", "inverse", "cumf"}
        Learning rate of sweep t: rate, rate / (1 + decay t), or rate / (1 + decay t^1.5), which is
        that of cuMF_SGD (Xie, Tan, Fong, Liang, HPDC 2017).
    decay : float
        See `schedule`.
    reg : float
        Regularisation of vectors and biases.
    biases : bool
        Whether users and items have biases.
    positive : bool
        Whether components are kept at 0 or above, as in non-negative factorisation; then no mean is
        subtracted, and there are no biases.
    threads : int
        Workers (the paper's T), of "nl_batched" warps, of "fast" those of a block; 0 takes as many
        as the device runs at a time, of "nl" as many as it runs threads, "nl_batched" and "fast" as
        many as they like.
    tile_items, tile_users : int
        Items and users of a tile of "blkdiag" (the paper's R and C).
    head : float
        Share of the items, those of the highest degrees, that "el_sgm" processes edge-locked.
    stripes : int
        Stripes of items of "fast", one for each block; 0 takes as many as suit the device and the
        ratings.
    half : bool
        Whether "fast" stores the vectors of users in half precision; it computes in single.
    test : float
        Share of the ratings that is held back to test the factorisation, 0 to 0.5.
    seed : int
        Seed of the first vectors.
    order_seed : int
        Seed of the order of the ratings in "el_shuffled" and "hogwild", and of random matchings.
    split_seed : int
        Seed of the choice of the test ratings.
    """

    variant: str = "el_shuffled"
    k: int = 16
    sweeps: int = 20
    rate: float = 0.02
    schedule: str = "inverse"
    decay: float = 0.1
    reg: float = 0.05
    biases: bool = False
    positive: bool = False
    threads: int = 0
    tile_items: int = 32
    tile_users: int = 32
    head: float = 0.1
    stripes: int = 0
    half: bool = False
    test: float = 0.1
    seed: int = 0
    order_seed: int = 0
    split_seed: int = 0

    def __post_init__(self) -> None:
        check_word("sgd", "schedule", self.schedule, SCHEDULES)
        check_whole("k", self.k, 8, 128)
        check_whole("sweeps", self.sweeps, 1, 10_000)
        for name in ("biases", "positive", "half"):
            check_flag(name, getattr(self, name))
        for name, least, most in (
            ("rate", 0.0, 10.0),
            ("decay", 0.0, 100.0),
            ("reg", 0.0, 10.0),
            ("head", 0.0, 1.0),
            ("test", 0.0, 0.5),
        ):
            value = getattr(self, name)
            if not is_number(value) or not least <= value <= most:
                raise ParameterError(
                    f"{name} is {value!r}; use a number from {least:g} to {most:g}"
                )
        if self.rate == 0:
            raise ParameterError("rate is 0, and nothing would be learned; use for example 0.02")
        if self.positive and self.biases:
            raise ParameterError("positive factors have no biases; leave one of the two out")
        if self.half and self.variant != "fast":
            raise ParameterError(f'{self.variant} has no half precision; use variant "fast"')
        check_whole("threads", self.threads, 0, 1 << 20)
        check_whole("stripes", self.stripes, 0, 1 << 16)
        for name in ("tile_items", "tile_users"):
            check_whole(name, getattr(self, name), 1, 1 << 24)
        for name in ("seed", "order_seed", "split_seed"):
            check_whole(name, getattr(self, name), 0, (1 << 63) - 1)

    @property
    def padded(self) -> int:
        """Stored components of a vector: the next power of two; the padding stays 0."""
        return 1 << (self.k - 1).bit_length()

    @property
    def flags(self) -> int:
        """The kernels' BIASES and POSITIVE."""
        return int(self.biases) | int(self.positive) << 1

    def rate_of(self, sweep: int) -> float:
        """Return the learning rate of a sweep.

        Examples
        --------
        >>> SgdParams(rate=0.1, schedule="inverse", decay=1.0).rate_of(1)
        0.05
        """
        if self.schedule == "constant":
            return self.rate
        power = 1.0 if self.schedule == "inverse" else 1.5
        return float(self.rate / (1.0 + self.decay * sweep**power))

    def as_dict(self) -> dict[str, object]:
        """Return the parameters, JSON-able."""
        return dataclasses.asdict(self)


@dataclass(frozen=True)
class MethodParams:
    """Parameters of every method on the processor; see :class:`SgdParams`."""

    k: int = SgdParams.k
    sweeps: int = SgdParams.sweeps
    rate: float = SgdParams.rate
    schedule: str = SgdParams.schedule
    decay: float = SgdParams.decay
    reg: float = SgdParams.reg
    biases: bool = SgdParams.biases
    positive: bool = SgdParams.positive
    test: float = SgdParams.test
    seed: int = SgdParams.seed
    order_seed: int = SgdParams.order_seed
    split_seed: int = SgdParams.split_seed

    def __post_init__(self) -> None:
        self.of_kernels()  # which checks them

    def of_kernels(self) -> SgdParams:
        """Return the parameters of kernels that learn by the same rule."""
        names = [field.name for field in dataclasses.fields(MethodParams)]
        return SgdParams(**{name: getattr(self, name) for name in names})
