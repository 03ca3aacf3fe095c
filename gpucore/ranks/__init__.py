"""Runs on several ranks: threads of one process, or processes that mpiexec started.

How a family adds a rank program
--------------------------------
1. Its algorithm names it: ``Runner(..., ranks="suitor_ranks:RANKS")``. ``RANKS`` is a
   :class:`RankAlgorithm`: a dataclass of parameters with :class:`RankParams` as a base, a function
   ``run(part, graph, params, world, *, record, record_budget)``, and two for inputs that no rank
   has whole: one that loads a part and one that certifies the result in parts.
2. A rank has the vertices ``part.lo`` to ``part.hi - 1``, with their rows
   (:class:`~gpucore.problems.graph.part.GraphPart`). Neighbours keep their global numbers; kernels
   find the owner of a vertex by ``owner_of(bounds, ranks, vertex)`` of ``kernels/ranks.cuh``.
3. The function builds a program (:class:`Program`): its ``channels`` say what travels, and
   ``step(round_number, inbox, outbox)`` takes the messages that arrived, works until nothing is
   left to do on this rank, and lets its kernels ``post`` messages for other ranks. It returns a
   :class:`Work`: how many things are under way besides messages.
4. ``table = run_rounds(world, program)`` runs it: step, exchange, step, ... until nothing is under
   way on any rank. `table` counts bytes and messages of every round and rank, and seconds of this
   rank; ``table.collect_seconds(comm)`` adds those of the others.
5. ``world.transport`` is "rounds" (messages in buckets) or "peers": then ``world.memory.empty``
   gives an array and a table of its addresses on all ranks, kernels update the words of other
   ranks by atomics (``ATOMIC_OF_ALL_RANKS(atomicMax)``), and ``channels`` is empty. The words may
   be written by others from one collective call to the next; who puts something into the queue of
   another rank counts it in ``Work.pending``, and who takes it there may count it off.
   ``gpucore/ranks/marks.py`` and ``kernels/marks.cuh`` have marks that are taken as they come.
6. Parts are collected by ``world.comm.gather``; rank 0 makes the complete result, with
   :func:`rank_figures` and, if the run is recorded, :func:`merged_record`. Kernels record the
   round as the iteration of events and rows.

Rules: every rank makes the same collective calls in the same order. Only the kernel of
:mod:`gpucore.ranks.meeting` waits for other ranks, and not for ever. The result must not depend on
the number of ranks, the transport or the schedule.
"""

from __future__ import annotations

from gpucore.ranks.comm import Comm
from gpucore.ranks.launch import (
    RankAlgorithm,
    has_whole_result,
    load_part,
    number_of_ranks,
    rank_algorithm,
    run_on_ranks,
)
from gpucore.ranks.mail import Channel, Inbox, Outbox
from gpucore.ranks.record import merged_record, rank_figures, rank_header, watch_events
from gpucore.ranks.rounds import Program, Rounds, Work, run_rounds
from gpucore.ranks.session import guarded, under_mpi
from gpucore.ranks.world import RankParams, World

__all__ = [
    "Channel",
    "Comm",
    "Inbox",
    "Outbox",
    "Program",
    "RankAlgorithm",
    "RankParams",
    "Rounds",
    "Work",
    "World",
    "guarded",
    "has_whole_result",
    "load_part",
    "merged_record",
    "number_of_ranks",
    "rank_algorithm",
    "rank_figures",
    "rank_header",
    "run_on_ranks",
    "run_rounds",
    "under_mpi",
    "watch_events",
]
