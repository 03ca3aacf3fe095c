"""The native part of the certificate of a factorisation, ``proof/sgd_proof.cpp``."""

from __future__ import annotations

import ctypes
import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gpucore.certify.native import pointer
from gpucore.certify.work import WORK, block_count, prove

if TYPE_CHECKING:
    from gpucore.families.sgd.factors import Factors


class _Model(ctypes.Structure):
    """See ``Model`` of sgd_proof.cpp."""

    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("users", "items", "user_bias", "item_bias")),
        ("width", ctypes.c_longlong),
        ("mean", ctypes.c_double),
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
    count, sum_of_squares = len(values), ctypes.c_double()
    if not count:
        return math.nan
    # Arrays of these types are not copied.
    lists = [np.ascontiguousarray(array, np.int32) for array in (users, items)]
    lists.append(np.ascontiguousarray(values, np.float32))
    vectors = [np.ascontiguousarray(array, np.float32) for array in (factors.users, factors.items)]
    if factors.user_bias is not None and factors.item_bias is not None:
        biases = (factors.user_bias, factors.item_bias)
        vectors += [np.ascontiguousarray(array, np.float32) for array in biases]
    places = [array.ctypes.data for array in vectors] + [None, None]
    model = _Model(*places[:4], factors.users.shape[1], factors.mean)
    prove(
        "proof_squares",
        "the ratings",
        block_count(count),
        ctypes.byref(model),
        WORK,
        ctypes.c_longlong(count),
        *map(pointer, lists),
        ctypes.byref(sum_of_squares),
    )
    return math.sqrt(sum_of_squares.value / count)
