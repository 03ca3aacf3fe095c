"""The native part of the certificate of a factorisation, ``proof/sgd_proof.cpp``."""

from __future__ import annotations

import ctypes
import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gpucore.certify.work import block_count, prove
from gpucore.cpu.task import arguments, struct

if TYPE_CHECKING:
    from gpucore.families.sgd.factors import Factors


_Model = struct("Model", "float32[] users items user_bias item_bias, int64 width, float64 mean")
_Task = arguments(
    "proof_squares",
    "Model* model, hooks, int64 count, int32[] users items, float32[] values, float64* squares",
    Model=_Model,
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
    # Arrays of these types are not copied.
    vectors = [np.ascontiguousarray(array, np.float32) for array in (factors.users, factors.items)]
    biases: list[NDArray[np.float32] | None] = [None, None]
    if factors.user_bias is not None and factors.item_bias is not None:
        both = (factors.user_bias, factors.item_bias)
        biases = [np.ascontiguousarray(array, np.float32) for array in both]
    model = _Model(*vectors, *biases, factors.users.shape[1], factors.mean)
    types = (np.int32, np.int32, np.float32)
    lists = map(np.ascontiguousarray, (users, items, values), types)
    prove(_Task(model, count, *lists, squares), "the ratings", block_count(count))
    return math.sqrt(squares.value / count)
