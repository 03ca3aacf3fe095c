"""The native part of the certificate of a factorisation, ``proof/sgd_proof.cpp``."""

from __future__ import annotations

import ctypes
import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gpucore.certify.work import Work, block_count, prove
from gpucore.cpu.task import Arguments, Struct, layout

if TYPE_CHECKING:
    from gpucore.families.sgd.factors import Factors


class _Model(Struct):
    """See ``Model`` of sgd_proof.cpp."""

    _fields_ = layout("float32[] users items user_bias item_bias, int64 width, float64 mean")


class _Task(Arguments):
    """The parameters of ``proof_squares``."""

    _fields_ = layout(
        "Model* model, Work* hooks, int64 count, int32[] users items, float32[] values, "
        "float64* squares",
        Model=_Model,
        Work=Work,
    )


def rmse(
    factors: Factors,
    users: NDArray[np.integer],
    items: NDArray[np.integer],
    values: NDArray[np.floating],
) -> float:
    """Return the root of the mean squared error in double precision; NaN without ratings.

    Raises
    ------
    Cancelled, DeviceError
    """
    count, squares = len(values), ctypes.c_double()
    if not count:
        return math.nan
    biased = factors.user_bias is not None and factors.item_bias is not None
    # Arrays of these types are not copied.
    model = _Model(
        users=_single(factors.users),
        items=_single(factors.items),
        user_bias=_single(factors.user_bias) if biased else None,
        item_bias=_single(factors.item_bias) if biased else None,
        width=factors.users.shape[1],
        mean=factors.mean,
    )
    task = _Task(
        model=model,
        count=count,
        users=np.ascontiguousarray(users, np.int32),
        items=np.ascontiguousarray(items, np.int32),
        values=_single(values),
        squares=squares,
    )
    prove("proof_squares", task, "the ratings", block_count(count))
    return math.sqrt(squares.value / count)


def _single(array: ArrayLike | None) -> NDArray[np.float32]:
    return np.ascontiguousarray(array, np.float32)
