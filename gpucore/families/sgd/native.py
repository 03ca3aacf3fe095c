"""Calls into the native code of the family: sweeps, errors, and the replay of a given order."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gpucore import native
from gpucore.cpu.call import filled
from gpucore.cpu.common import cancel_flag, check_status
from gpucore.cpu.task import Struct, arguments, struct
from gpucore.errors import ParameterError
from gpucore.families.sgd.factors import Factors
from gpucore.rows import row_numbers

if TYPE_CHECKING:
    from gpucore.families.sgd.params import SgdParams
    from gpucore.problems.ratings.ratings import Ratings
    from gpucore.progress import Cancel

#: One rating, as native code reads it: ``SgdEntry`` of sgd.h.
ENTRY = np.dtype([("user", np.int32), ("item", np.int32), ("value", np.float32)])
#: Stored components of a vector for which there is native code.
SIZES = (8, 16, 32, 64, 128)
_BIASES, _POSITIVE = 1, 2


_Model = struct(
    "SgdModel",
    "float32[] users items user_bias item_bias, int32 k flags, float32 mean rate decay",
)
_Task = struct(
    "SgdTask",
    "Model model, Entry[] entries, int64 count, int64[] starts, threads, cancel, float64 squares, "
    "recording, int32 sweep",
    Model=_Model,
    Entry=ENTRY,
)
_Replay = arguments(
    "cpu_sgd_replay",
    "Model* model, int32[] users items, float32[] values, int32[] order, int64 count, cancel",
    Model=_Model,
)


@dataclass(frozen=True)
class Rule:
    """The rule of one sweep, in single precision as in the kernels.

    Attributes
    ----------
    rate : float
        Learning rate.
    decay : float
        Learning rate times regularisation.
    """

    rate: float
    decay: float

    @classmethod
    def of(cls, params: SgdParams, sweep: int) -> Rule:
        """Return the rule of sweep number `sweep`, from 0.

        Examples
        --------
        >>> from gpucore.families.sgd.params import SgdParams
        >>> Rule.of(SgdParams(rate=0.5, reg=0.25), 0)
        Rule(rate=0.5, decay=0.125)
        """
        rate = np.float32(params.rate_of(sweep))
        return cls(float(rate), float(rate * np.float32(params.reg)))


def entries_of(users: ArrayLike, items: ArrayLike, values: ArrayLike) -> NDArray[np.void]:
    """Return ratings as native code reads them.

    Parameters
    ----------
    users, items, values : array_like, shape (n,)

    Returns
    -------
    ndarray of ENTRY, shape (n,)
    """
    entries = np.empty(len(np.asarray(users)), ENTRY)
    entries["user"], entries["item"], entries["value"] = users, items, values
    return entries


class State:
    """The vectors of a factorisation on the processor, which sweeps change.

    Parameters
    ----------
    factors : Factors
        The vectors to begin with; they are copied.
    positive : bool
        Whether components are kept at 0 or above.
    recording : int, optional
        Address of a recording, see :mod:`gpucore.record.threads`.

    Attributes
    ----------
    sweeps : int
        Sweeps so far.
    barriers : sequence of int
        Steps of a sweep before each of its barriers, for the record; see
        :class:`gpucore.families.sgd.work.Pass`.

    Raises
    ------
    ParameterError
        There is no native code for vectors of this size.
    """

    def __init__(
        self, factors: Factors, positive: bool = False, recording: int | None = None
    ) -> None:
        self.k = factors.users.shape[1]
        if self.k not in SIZES or factors.items.shape[1] != self.k:
            raise ParameterError(
                f"vectors of {self.k} and {factors.items.shape[1]} components cannot be updated; "
                f"both must have {', '.join(map(str, SIZES[:-1]))} or {SIZES[-1]}"
            )
        self.users, self.items = _copied(factors.users), _copied(factors.items)
        self.user_bias, self.item_bias = _copied(factors.user_bias), _copied(factors.item_bias)
        self.mean = factors.mean
        self.positive = positive
        self.recording = recording
        self.sweeps = 0
        self.barriers: Sequence[int] = ()

    def factors(self) -> Factors:
        """Return the vectors; a later sweep changes them."""
        return Factors(self.users, self.items, self.mean, self.user_bias, self.item_bias)

    def sweep(
        self,
        name: str,
        entries: NDArray[np.void],
        rule: Rule,
        *,
        threads: int = 1,
        starts: NDArray[np.int64] | None = None,
        flag: ctypes.c_int | None = None,
    ) -> None:
        """Process all ratings once, by the native function ``cpu_<name>``.

        Parameters
        ----------
        name : {"sgd_serial", "sgd_hogwild_omp", "sgd_dsgd_omp"}
        entries : ndarray of ENTRY, shape (n,)
            The ratings, in the order in which they are processed.
        rule : Rule
        threads : int
        starts : ndarray of int64, shape (threads ** 2 + 1,), optional
            For "sgd_dsgd_omp": where each block begins.
        flag : c_int, optional
            See :func:`gpucore.cpu.common.cancel_flag`.

        Raises
        ------
        Cancelled, DeviceError
        """
        self._call(name, name, entries, rule, threads, flag, starts, self.recording)
        self.sweeps += 1

    def rmse(
        self, entries: NDArray[np.void], *, threads: int = 1, flag: ctypes.c_int | None = None
    ) -> float:
        """Return the root of the mean squared error in double precision; NaN without ratings."""
        if not len(entries):
            return float("nan")
        what = "the error"
        task = self._call("sgd_squares", what, entries, Rule(0.0, 0.0), threads, flag)
        return float(np.sqrt(task.squares / len(entries)))

    def replay(
        self,
        users: NDArray[np.int32],
        items: NDArray[np.int32],
        values: NDArray[np.float32],
        order: NDArray[np.integer],
        rule: Rule,
        *,
        flag: ctypes.c_int | None = None,
    ) -> None:
        """Process ratings one by one in a given order.

        Parameters
        ----------
        users, items, values : ndarray, shape (n,)
            The ratings.
        order : ndarray of int, shape (m,)
            Numbers of ratings; a rating may occur any number of times.
        rule : Rule
        flag : c_int, optional

        Raises
        ------
        ParameterError
            There is no such rating, user or item.
        Cancelled
        """
        _check_range("rating", order, len(users))
        _check_range("user", users, len(self.users))
        _check_range("item", items, len(self.items))
        types = (np.int32, np.int32, np.float32, np.int32)
        arrays = map(np.ascontiguousarray, (users, items, values, order), types)
        task = _Replay(self._model(rule), *arrays, len(order))
        status = native.load().cpu_sgd_replay(*filled(task, 1, flag))
        check_status("the replay", f"{len(order):,} ratings", 1, status)

    def _model(self, rule: Rule) -> Struct:
        vectors = (self.users, self.items, self.user_bias, self.item_bias)
        flags = _BIASES * (self.user_bias is not None) | _POSITIVE * self.positive
        return _Model(*vectors, self.k, flags, self.mean, rule.rate, rule.decay)

    def _call(
        self,
        name: str,
        title: str,
        entries: NDArray[np.void],
        rule: Rule,
        threads: int,
        flag: ctypes.c_int | None,
        starts: NDArray[np.int64] | None = None,
        recording: int | None = None,
    ) -> Struct:
        """Call ``cpu_<name>``, which is called `title` in messages."""
        squares = 0.0  # of the errors, which native code sums up
        task = _Task(self._model(rule), entries, len(entries), starts, squares, self.sweeps)
        function = getattr(native.load(), f"cpu_{name}")
        status = function(*filled(task, threads, flag, recording))
        check_status(title, f"{len(entries):,} ratings", threads, status)
        return task


def replay(
    train: Ratings,
    first: Factors,
    order: NDArray[np.integer],
    params: SgdParams,
    sweep: int,
    *,
    cancel: Cancel | None = None,
) -> Factors:
    """Return the vectors after a sweep by one worker in a given order.

    The arithmetic is that of the kernels, bit by bit, in code of its own.

    Parameters
    ----------
    train : Ratings
        The training ratings.
    first : Factors
        The vectors before; they stay as they are.
    order : ndarray of int, shape (m,)
        Numbers of ratings in the order of the items.
    params : SgdParams
        Its rate, schedule, reg, and whether factors are positive.
    sweep : int
        Number of the sweep, from 0.
    cancel : Cancel, optional
        Checked while it runs.

    Raises
    ------
    ParameterError
        There is no such rating.
    Cancelled, DeviceError

    Examples
    --------
    >>> from gpucore.families.sgd.factors import first_factors
    >>> from gpucore.families.sgd.params import SgdParams
    >>> from gpucore.problems.ratings.ratings import Ratings
    >>> ratings, params = Ratings.from_entries([0, 1], [0, 0], [5, 1]), SgdParams(rate=0.1)
    >>> first = first_factors(ratings, params)
    >>> once = replay(ratings, first, np.array([0, 1]), params, 0)
    >>> bool(once.rmse([0, 1], [0, 0], ratings.values) < first.rmse([0, 1], [0, 0], ratings.values))
    True
    """
    starts, users, values = train.by_item()
    items = row_numbers(starts)
    state = State(first, params.positive)
    with cancel_flag(cancel) as flag:
        state.replay(users, items, values, order, Rule.of(params, sweep), flag=flag)
    return state.factors()


def _copied(array: Any) -> Any:
    return None if array is None else np.array(array, np.float32, order="C")


def _check_range(what: str, numbers: NDArray[np.integer], count: int) -> None:
    if len(numbers) and (numbers.min() < 0 or numbers.max() >= count):
        at = int(np.argmax((numbers < 0) | (numbers >= count)))
        raise ParameterError(
            f"there is no {what} {numbers[at]}; there are {count:,}, numbered from 0"
        )
