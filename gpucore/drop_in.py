"""Functions in place of NetworkX's and SciPy's: on a GPU, on the processor, or recorded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gpucore.device.cuda import CudaDevice
from gpucore.errors import ParameterError, WarplensError

DEVICES = ("auto", "cuda", "cpu")


def solve(
    problem: Any,
    algorithm: str,
    method: str,
    *,
    device: str,
    certify: bool,
    record: Any,
    params: Mapping[str, Any] | None = None,
    method_params: Mapping[str, Any] | None = None,
) -> Any:
    """Return a result of one of our algorithms.

    Parameters
    ----------
    problem : Graph
    algorithm, method : str
        The kernels, for a GPU and for records; and our native code, for the processor.
    device : {"auto", "cuda", "cpu"}
        "auto" is a GPU if there is one.
    certify : bool
        Whether the result is checked.
    record : path or None
        Where the record is saved.
    params, method_params : mapping
        Parameters of either.

    Raises
    ------
    WarplensError
        The answer is not certified, or the device is not there.
    """
    import gpucore
    from gpucore.family import get_runner

    if device not in DEVICES:
        raise ParameterError(f"device {device!r} is none of {', '.join(DEVICES)}")
    on_gpu = device == "cuda" or (device == "auto" and CudaDevice.unavailable() is None)
    by_kernels = on_gpu or record is not None
    runner, given = (algorithm, params) if by_kernels else (method, method_params)
    result = gpucore.run(
        runner,
        problem,
        device="cuda" if on_gpu else "host" if by_kernels else "auto",
        certify=False,
        record="off" if record is None else "events",
        **(given or {}),
    )
    if certify and not (found := get_runner(runner).certify(problem, result)).ok:
        raise WarplensError(f"the answer of {runner} is wrong: {found.failure}; please report it")
    if result.record is not None:
        result.record.save(record)
    return result
