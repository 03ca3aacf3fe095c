"""Runners: all that solves a family's problem, by kernels, on the processor, or in a library.

A runner is declared once, beside its code; everything else reads the declaration. What a run needs
besides the problem and the runner's own parameters is in its :class:`Context`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from gpucore.cpu.common import choose_threads, native_available
from gpucore.errors import ParameterError
from gpucore.params import check_word

if TYPE_CHECKING:
    from gpucore.certify import Certificate
    from gpucore.compiles import Compiles
    from gpucore.device import Device
    from gpucore.problems.graph.part import GraphPart
    from gpucore.progress import Cancel, Progress
    from gpucore.record.recorder import Recorder
    from gpucore.result import Result


@dataclass(frozen=True)
class Variant:
    """One form of a runner, and all that is said of it.

    Attributes
    ----------
    name : str
        Value of the parameter ``variant``.
    label : str
        Readable name, for pages.
    about : str
        What it is, in a sentence or two.
    look_for : str
        What to look at in its runs; empty if there is nothing of its own.
    wide : bool
        Whether its kernels number entries by 64 bits; the others refuse 2**31 entries.
    """

    name: str
    label: str
    about: str = ""
    look_for: str = ""
    wide: bool = False


@dataclass(frozen=True)
class NoParams:
    """Parameters of a runner that has none of its own."""


@dataclass(frozen=True)
class Context:
    """What a run needs besides its problem and parameters.

    Attributes
    ----------
    device : Device
        Where kernels run; None for a runner that has no device.
    threads : int or None
        Threads on the processor; None for one on each core. Runners of one thread ignore it.
    record : {"off", "counters", "events"}
        How much of the run is recorded.
    record_budget : int
        Bytes that the record may take.
    progress, cancel
        See :mod:`gpucore.progress`.
    """

    device: Device = None  # type: ignore[assignment]  # runners with kernels always have one
    threads: int | None = None
    record: str = "off"
    record_budget: int = 64 << 20
    progress: Progress | None = None
    cancel: Cancel | None = None

    @property
    def workers(self) -> int:
        """Number of threads that a parallel runner starts."""
        return choose_threads(self.threads)

    @property
    def recorded(self) -> dict[str, Any]:
        """The keywords ``record`` and ``record_budget`` of native calls."""
        return {"record": self.record, "record_budget": self.record_budget}

    def recorder(self, *, warps: int, idle_from: int = 0) -> Recorder:
        """Return the recorder of a run on the device; see :class:`gpucore.record.Recorder`."""
        from gpucore.record import Recorder

        return Recorder(
            self.device, self.record, warps=warps, budget=self.record_budget, idle_from=idle_from
        )


@dataclass(frozen=True)
class Runner:
    """What can solve a family's problem.

    Attributes
    ----------
    name : str
        Name on the command line.
    title : str
        Display label.
    source : str
        Paper and section, or the library.
    run : callable
        ``run(problem, params, context)`` returns the result; see :func:`gpucore.run`.
    certify : callable
        ``certify(problem, result)`` returns the certificate, as strict as the runner allows.
    params : type
        Frozen dataclass of parameters; its defaults are the runner's.
    where : {"device", "cpu", "library"}
        Kernels on a device; our own code on the processor; another library, to compare with.
    variants : tuple of Variant
        Values of ``params.variant``, the default first; empty for a runner of one form.
    records : bool
        Whether its runs can be recorded, and so played.
    parallel : bool
        Whether it uses more than one thread of the processor.
    available : callable
        Returns None if it can run here, else the reason and the fix.
    ranks : str
        ``"module:NAME"`` of its :class:`gpucore.ranks.RankAlgorithm`; empty if it does not run on
        ranks.
    compiles : callable or None
        ``compiles(params, recorded)`` returns what a run compiles on a GPU, so that the first run
        does so side by side; see :mod:`gpucore.compiles`. None leaves it to the run.
    certify_part : callable or None
        ``certify_part(part, result, device)`` returns the certificate where the graph is in the
        device's memory only: a :class:`~gpucore.problems.graph.part.GraphPart` with all rows.
        None if the runner takes no such graph.
    family : str
        Name of the family; set by :class:`gpucore.family.Family`.
    """

    name: str
    title: str
    source: str
    run: Callable[[Any, Any, Context], Result]
    certify: Callable[[Any, Any], Certificate]
    params: type = NoParams
    where: Literal["device", "cpu", "library"] = "device"
    variants: tuple[Variant, ...] = ()
    records: bool = False
    parallel: bool = False
    available: Callable[[], str | None] = lambda: None
    ranks: str = ""
    compiles: Callable[[Any, bool], Compiles] | None = None
    certify_part: Callable[[GraphPart, Any, Device], Certificate] | None = None
    family: str = ""

    @property
    def variant_names(self) -> tuple[str, ...]:
        """Names of the variants, the default first."""
        return tuple(variant.name for variant in self.variants)

    @property
    def wide(self) -> tuple[str, ...]:
        """Names of the variants that take 2**31 entries and more."""
        return tuple(variant.name for variant in self.variants if variant.wide)

    @property
    def devices(self) -> tuple[str, ...]:
        """Names of the devices that it can be asked to run on, the default first."""
        from gpucore.device import DEVICES

        return DEVICES if self.where == "device" else ("cpu",)

    def label(self, variant: str) -> str:
        """Return a variant's readable name; its own name if it has no other."""
        return next((known.label for known in self.variants if known.name == variant), variant)

    def variant(self, name: str) -> Variant:
        """Return the variant called `name`; ParameterError with the known names if there is none.

        This is the one check of a variant, for all runners.
        """
        check_word(self.name, "variant", name, self.variant_names)
        return next(variant for variant in self.variants if variant.name == name)

    def target(self, device: str | Device) -> Device | None:
        """Return the device of a run, None for a runner that has none.

        Raises
        ------
        ParameterError
            A runner on the processor is asked to run on another device.
        DeviceError
            The device is missing.
        """
        from gpucore.device import Device, device_of_thread

        if self.where == "device":
            return device if isinstance(device, Device) else device_of_thread(device)
        if (device if isinstance(device, str) else device.name) in ("auto", "host", *self.devices):
            return None
        raise ParameterError(f"{self.name} is a method on the processor: it takes no other device")


#: Declares a runner of our own native code, which records.
native_runner = partial(Runner, where="cpu", available=native_available, records=True)
