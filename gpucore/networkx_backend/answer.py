"""Run one of our algorithms for NetworkX."""

from __future__ import annotations

from typing import Any

from gpucore.drop_in import solve
from gpucore.errors import DeviceError, GraphError, KernelError


def answer(problem: Any, algorithm: str, method: str, **options: Any) -> Any:
    """Return a result as :func:`gpucore.drop_in.solve`, or leave the call to NetworkX.

    Raises
    ------
    NotImplementedError
        The graph does not fit, or the device is not usable, and the caller asked for neither a
        device nor a record. NetworkX then answers itself.
    WarplensError
        As in ``solve``: the caller's `device` or `record` is wrong, or the answer is.
    """
    try:
        return solve(problem, algorithm, method, **options)
    except (DeviceError, GraphError) as error:
        asked = options["device"] != "auto" or options["record"] is not None
        if asked or isinstance(error, KernelError):
            raise
        raise NotImplementedError(str(error)) from error
