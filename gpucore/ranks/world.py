"""What a rank program runs in: its comm, its device and the transport between the ranks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gpucore.errors import DeviceError, ParameterError
from gpucore.params import check_threads, check_word
from gpucore.ranks.exchange import Exchange, HostExchange
from gpucore.ranks.peers import PeerMemory, ThreadPeers

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.ranks.comm import Comm

#: Values of the parameter "transport".
TRANSPORTS = ("auto", "rounds", "peers")


@dataclass
class World:
    """One rank's surroundings.

    Attributes
    ----------
    comm : Comm
        All ranks.
    device : Device
        This rank's own.
    transport : {"rounds", "peers"}
        Messages in buckets once a round, or direct access to the memory of other ranks.
    exchange : Exchange
        Moves the buckets.
    memory : PeerMemory or None
        Allocates what other ranks can address; None with "rounds".
    events_so_far : callable or None
        Returns the number of events that this rank has recorded, if it records any.
    """

    comm: Comm
    device: Device
    transport: str
    exchange: Exchange
    memory: PeerMemory | None
    events_so_far: Callable[[], int] | None = None


@dataclass(frozen=True)
class RankParams:
    """Parameters of every algorithm on ranks.

    Attributes
    ----------
    transport : {"auto", "rounds", "peers"}
        How ranks exchange data; "auto" takes "peers" between the cards of one host, else "rounds".
    variant : {"ranks"}
        The only variant on ranks.
    threads_per_block : {32, 64, 128, 192, 256}
        Threads of a block.
    """

    #: Name of the algorithm, for messages.
    algorithm: ClassVar[str]

    transport: str = "auto"
    variant: str = "ranks"
    threads_per_block: int = 128

    def __post_init__(self) -> None:
        check_word("a run on ranks", "transport", self.transport, TRANSPORTS)
        if self.variant != "ranks":
            raise ParameterError(
                f"{self.algorithm} has no variant {self.variant!r} on ranks; leave the variant out"
            )
        check_threads(self.threads_per_block, (32, 64, 128, 192, 256))


def make_world(comm: Comm, device: Device, transport: str) -> World:
    """Choose and open the transport; every rank calls.

    Raises
    ------
    ParameterError
        "peers" is asked for, but the ranks cannot address each other's memory.
    """
    kinds = set(comm.allgather(device.name))
    if len(kinds) > 1:
        error = DeviceError("some ranks have a GPU and others have none; choose --device host")
        error.names_ranks = True  # type: ignore[attr-defined]
        raise error
    reason = _no_peers(comm, device)
    if transport == "peers" and reason:
        refused = ParameterError(f"transport 'peers' is not possible: {reason}; use 'rounds'")
        refused.names_ranks = True  # type: ignore[attr-defined]
        raise refused
    if transport == "auto":
        transport = "peers" if not reason and device.name == "cuda" and comm.size > 1 else "rounds"
    if transport == "peers":
        exchange: Exchange = HostExchange(comm, device)  # there are no buckets to move
        return World(comm, device, transport, exchange, _open_peers(comm, device))
    return World(comm, device, transport, _exchange(comm, device), None)


def _exchange(comm: Comm, device: Device) -> Exchange:
    """Return the fastest way to move buckets: between cards directly, else by the comm."""
    if device.name == "cuda" and comm.kind == "threads":
        from gpucore.ranks.copies import CopyExchange

        return CopyExchange(comm, device)
    if device.name == "cuda" and comm.size > 1:
        from gpucore.ranks.nccl import NcclExchange, distinct_cards

        if distinct_cards(comm, device):
            return NcclExchange(comm, device)
    return HostExchange(comm, device)


def _no_peers(comm: Comm, device: Device) -> str:
    """Return why ranks cannot address each other's memory; empty if they can. All ranks call."""
    if not comm.one_host():
        return "the ranks run on several hosts"
    if device.name == "cuda":
        from gpucore.ranks.ipc import no_peer_access

        return no_peer_access(comm, device)
    return ""


def _open_peers(comm: Comm, device: Device) -> PeerMemory:
    """Return the peer memory for this kind of ranks and devices."""
    if device.name == "cuda":
        from gpucore.ranks.ipc import open_cards

        return open_cards(comm, device)
    if comm.kind == "threads":
        return ThreadPeers(comm, device)
    from gpucore.ranks.shared import SharedPeers

    return SharedPeers(comm, device)
