"""The lists of a stable marriage instance in a device's memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gpucore.device.resident import Resident
from gpucore.problems.preferences.lists import Rows

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.problems.preferences.preferences import Preferences

#: Bytes of a choice (the woman, her rank of him, and a copy of one of them), and of a row: its
#: start, and temporaries to find the longest.
BYTES_PER_PAIR, BYTES_PER_ROW = 12, 32


@dataclass(frozen=True)
class Lists:
    """The lists of the proposers, called men.

    Attributes
    ----------
    men, women, pairs : int
        Size of the instance.
    arguments : list
        Arguments of the kernels: ``indptr`` (int64, men + 1), ``choices`` (int32, pairs by 2: the
        woman and her rank of him, its sign bit set at the end of a list), ``order`` and
        ``standing`` (int32; for instances in which all men share one list) and its length, 0 where
        every man has his own.
    longest, worst_rank : int
        Length of the longest list of a man, and the largest rank that a woman gives.
    """

    men: int
    women: int
    pairs: int
    arguments: list[Any]
    longest: int
    worst_rank: int

    @property
    def is_shared(self) -> bool:
        """Whether all men have one list."""
        return bool(self.arguments[4])


_RESIDENT: Resident[Preferences, Lists] = Resident()


def put_on_device(preferences: Preferences, device: Device, scratch: int) -> Lists:
    """Put an instance on a device.

    Parameters
    ----------
    preferences : Preferences
        The problem; its men propose.
    device : Device
        The device.
    scratch : int
        Bytes that the run needs beside the lists.

    Raises
    ------
    DeviceError
        The device has not enough memory.
    """
    kept = _RESIDENT.find(device, preferences)
    if kept is not None:
        device.require_memory(scratch, "the marriages")
        return kept
    pairs = 0 if preferences.is_shared else preferences.num_pairs
    size = pairs * BYTES_PER_PAIR + (preferences.num_men + preferences.num_women) * BYTES_PER_ROW
    device.require_memory(size + scratch, "the lists and the marriages")
    if preferences.is_shared:
        return _RESIDENT.keep(device, preferences, _shared(preferences, device))
    rows = Rows(preferences.indptr, preferences.women, preferences.her_rank)
    return _RESIDENT.keep(device, preferences, lists_of_rows(rows, preferences.num_women, device))


def lists_of_rows(rows: Rows, women: int, device: Device) -> Lists:
    """Put rows on a device, a woman and her rank of him side by side: one read gets both."""
    xp, pairs = device.xp, int(rows.women.size)
    indptr, nothing = device.asarray(rows.indptr), xp.zeros(1, dtype=xp.int32)
    choices = xp.zeros((max(1, pairs), 2), dtype=xp.int32)
    choices[:pairs, 0] = device.asarray(rows.women)
    choices[:pairs, 1] = device.asarray(rows.her_rank)
    worst_rank = int(device.to_host(choices[:, 1].max())) if pairs else 0
    longest = int(device.to_host((indptr[1:] - indptr[:-1]).max())) if pairs else 0
    men = int(indptr.size) - 1
    if pairs:  # by a kernel: CuPy writes to chosen places of arrays below 2**31 entries only
        device.kernel("marriage", "marriage_ends")(-(-men // 256), 256, [men, indptr, choices])
    return Lists(
        men=men,
        women=women,
        pairs=pairs,
        arguments=[indptr, choices, nothing, nothing, 0],
        longest=longest,
        worst_rank=worst_rank,
    )


def _shared(preferences: Preferences, device: Device) -> Lists:
    xp = device.xp
    return Lists(
        men=preferences.num_men,
        women=preferences.num_women,
        pairs=preferences.num_pairs,
        arguments=[
            xp.zeros(1, dtype=xp.int64),
            xp.zeros((1, 2), dtype=xp.int32),
            device.asarray(preferences.order),
            device.asarray(preferences.standing),
            preferences.num_women,
        ],
        longest=preferences.num_women,
        worst_rank=preferences.num_men,
    )
