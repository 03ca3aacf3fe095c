"""Devices: a GPU through CuPy, or the host executor; other code does not distinguish them."""

from __future__ import annotations

import threading
from typing import Any

from gpucore.device.base import Device, Kernel
from gpucore.errors import DeviceError, ParameterError

__all__ = ["DEVICES", "Device", "Kernel", "device_of_thread", "get_device"]

DEVICES = ("auto", "cuda", "host")

_thread = threading.local()


def get_device(name: str = "auto", **options: Any) -> Device:
    """Return a device.

    Parameters
    ----------
    name : {"auto", "cuda", "host"}
        "auto" takes a GPU if one is usable, and the host executor if not.
    **options
        Options of the device; see :class:`~gpucore.device.host.HostDevice` and
        :class:`~gpucore.device.cuda.CudaDevice`. "auto" takes none, because their options differ.

    Raises
    ------
    ParameterError
        The device or the option does not exist.
    DeviceError
        The device is not usable here; the message says why.
    """
    if not isinstance(name, str) or name not in DEVICES:
        raise ParameterError(f"there is no device {name!r}; choose auto, cuda or host")
    if name == "auto" and options:
        raise ParameterError("device options need a named device: cuda or host, not auto")
    if name != "host":
        # CuPy costs start-up time and a CUDA context, so it is imported only when asked for.
        from gpucore.device.cuda import CudaDevice

        reason = CudaDevice.unavailable()
        if reason is None:
            return _make(CudaDevice, options)
        if name == "cuda":
            raise DeviceError(f"no usable GPU: {reason}")
    from gpucore.device.host import HostDevice

    return _make(HostDevice, options)


def _make(kind: type[Device], options: dict[str, Any]) -> Device:
    known = kind.__init__.__annotations__.keys() - {"return"}
    for option in options:
        if option not in known:
            raise ParameterError(
                f"{kind.__name__} has no option {option!r}; it has {', '.join(sorted(known))}"
            )
    return kind(**options)


def device_of_thread(name: str) -> Device:
    """Return a device for a run that only names it; a thread keeps that of its GPU.

    A device looks each kernel up once: whether its source has changed, where its machine code is.
    Threads share none, since a device has the progress and the cancel of its run.

    Parameters
    ----------
    name : {"auto", "cuda", "host"}
        As for :func:`get_device`, which raises the errors.
    """
    kept: Device | None = getattr(_thread, "device", None)
    if kept is not None and name in ("auto", kept.name) and kept.is_current():
        return kept
    device = get_device(name)
    if device.name == "cuda":
        _thread.device = device
    return device
