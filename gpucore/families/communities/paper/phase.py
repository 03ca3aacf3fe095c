"""First phase of a stage as in the paper: buckets, relaxed, node centred.

Source: Naim, Manne, Halappanavar, Tumeo, "Community detection on the GPU", IPDPS 2017: algorithm 1,
section IV-A (buckets), section V ("relaxed").  Kernels:
``families/communities/kernels/louvain.cu``, ``families/communities/kernels/louvain_node.cu``,
``families/communities/kernels/louvain_state.cu``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gpucore.families.communities.paper.buckets import (
    BUCKETS,
    LANES,
    SLOT_BYTES,
    THREADS,
    Bucket,
    buckets_of,
    table_size,
    table_sizes,
)
from gpucore.families.communities.paper.contraction import contract
from gpucore.families.communities.paper.partition import Measures, Partition
from gpucore.families.communities.stage import Later, Run, Stage, table_bytes, value_of

if TYPE_CHECKING:
    from gpucore.device.base import Kernel


class PaperPhase:
    """The search for moves and its loop, for one stage."""

    #: The graph is contracted at once.
    batches = 1

    def __init__(self, run: Run, stage: Stage, strength: Any) -> None:
        self.run, self.stage = run, stage
        self.partition = Partition.of_singles(run, stage, strength)
        self._measures = Measures(run, stage, self.partition)
        self._sizes = run.device.asarray(table_sizes())
        variant = run.params.variant
        if variant == "node_centred":
            every = run.device.xp.arange(stage.n, dtype=run.device.xp.int32)
            self._rounds = [(Bucket(0, every, stage.entries), self._node_centred())]
        else:
            found = buckets_of(run, stage)
            self._rounds = [(bucket, self._search(bucket)) for bucket in found]
        self._together = variant == "relaxed"
        self._ready: dict[int, Callable[[], None]] = {}
        self.first_sweep_seconds: float | None = None
        #: Sweeps so far, the last one included.
        self.sweeps = 0

    @property
    def live(self) -> int:
        """Number of vertices with edges."""
        return int((self.stage.indptr[1:] > self.stage.indptr[:-1]).sum())

    def optimise(self, singles: Later, threshold: float) -> None:
        """Sweep over the vertices until a sweep gains too little (algorithm 1).

        What is too little, and what becomes of a sweep that loses modularity, since its moves were
        simultaneous, say the run's :class:`gpucore.families.communities.rules.Rules`.  By the
        paper's, such a sweep gains too little and is the last one.  With `alternate`, sweeps
        continue in both directions in turn, until a sweep of each has gained too little.

        Parameters
        ----------
        singles : float or callable
            Modularity so far, that of single vertices in this stage; or what waits for it.
        threshold : float
            Of this stage.
        """
        run, partition, rules = self.run, self.partition, self.run.params.rules
        start = reached = value_of(singles)
        direction, idle = 0, 0
        before = partition.community.copy()
        while self.sweeps < run.params.max_sweeps:
            self.sweeps += 1
            now, moved = self._sweep(self.sweeps, direction)
            gained = now - reached
            if gained < 0.0 and rules.take_back:
                self._take_back(before)
                for step in run.steps[-len(self._rounds) :]:
                    step.taken_back = True
            else:
                before[:] = partition.community
                reached = now
            wanted = rules.wanted(threshold, run.params.t_final, start, reached)
            if direction and rules.ease and self._together:  # it does part of a sweep's work
                wanted /= 16
            if moved and gained > 0.0 and gained >= wanted:
                idle = 0
            elif not rules.alternate or (direction == 0 and gained >= 0.0):
                break
            else:
                idle += 1
                if idle > 2:
                    break
            if rules.alternate and (direction or gained < 0.0):
                direction = -1 if direction != -1 else 1
        self.reached = reached

    def contract(self) -> tuple[Stage, Any, Any, float]:
        """Make every community a vertex, see :func:`contract`."""
        return (*contract(self.run, self.stage, self.partition), self.reached)

    def _sweep(self, sweep: int, direction: int) -> tuple[float, int]:
        """Let every vertex choose once; returns the modularity and the number of moves."""
        run, first = self.run, len(self.run.steps)
        for bucket, _ in self._rounds:
            run.add_step(len(bucket.vertices), bucket.edges, sweep=sweep, bucket=bucket.number)
        launches = self._sequence(first, direction)
        if sweep == 1:
            with run.device.timer() as timer:
                launches()
            self.first_sweep_seconds = timer.seconds
        else:
            launches()
        modularity, moved = self._measures.read()
        for step in run.steps[first:]:
            step.moves = int(moved[step.bucket])
        run.steps[-1].modularity = modularity
        return modularity, int(moved.sum())

    def _sequence(self, step: int, direction: int) -> Callable[[], None]:
        """Return a function that launches a sweep; recorded ones differ in their step's number."""
        if self.run.recorder.args():
            launches = self._launches(step, direction)

            def in_turn() -> None:
                for launch in launches:
                    launch()

            return in_turn
        if direction not in self._ready:
            self._ready[direction] = self.run.device.sequence(self._launches(0, direction))
        return self._ready[direction]

    def _launches(self, step: int, direction: int) -> list[Callable[[], None]]:
        """Return the launches of a sweep: searches, commits, and the modularity."""
        searches = [search(step + i, direction) for i, (_, search) in enumerate(self._rounds)]
        commits = [self._commit(bucket) for bucket, _ in self._rounds]
        if self._together:
            row = [*searches, *commits]
        else:
            row = [launch for pair in zip(searches, commits, strict=True) for launch in pair]
        return [lambda: self._measures.moved.fill(0), *row, *self._measures.launches]

    def _take_back(self, before: Any) -> None:
        """Go back to the partition before the last sweep."""
        p = self.partition
        p.community[:] = before
        p.total.fill(0)
        p.size.fill(0)
        p.next[:] = before
        self.run.device.kernel("louvain_state", "louvain_tally")(
            -(-self.stage.n // 256), 256, [self.stage.n, p.strength, before, p.total, p.size]
        )

    def _commit(self, bucket: Bucket) -> Callable[[], None]:
        p = self.partition
        state = [p.strength, p.next, p.community, p.total, p.size]
        return self.run.device.kernel("louvain_state", "louvain_commit").prepare(
            -(-len(bucket.vertices) // 256),
            256,
            [len(bucket.vertices), bucket.vertices, *state],
        )

    def _search(self, bucket: Bucket) -> Callable[[int, int], Callable[[], None]]:
        """Return the launch of computeMove for a bucket as a function of the step's number."""
        run, p = self.run, self.partition
        watch = run.params.watch_vertex
        head = [len(bucket.vertices), bucket.vertices, *self.stage.args, *p.args(run)]
        args = [self._sizes, len(self._sizes)]
        tail = [p.next, self._measures.moved[bucket.number : bucket.number + 1]]
        warps = THREADS // 32
        most = run.max_warps // warps
        if bucket.number <= len(LANES):
            width = LANES[bucket.number - 1]
            slots = table_size(BUCKETS[bucket.number - 1])
            groups = THREADS // width
            kernel = run.recorder.kernel("louvain", "louvain_move_group")
            blocks = min(most, -(-len(bucket.vertices) // groups))
            args += [width, slots, *tail]
            shared = groups * slots * SLOT_BYTES
        elif bucket.number == len(LANES) + 1:
            slots = table_size(BUCKETS[-1])
            kernel = run.recorder.kernel("louvain", "louvain_move_block")
            blocks, shared = min(most, len(bucket.vertices)), slots * SLOT_BYTES
            args += [slots, *tail]
        else:
            first = int(bucket.vertices[0])
            slots = table_size(int(self.stage.indptr[first + 1] - self.stage.indptr[first]))
            kernel = run.recorder.kernel("louvain", "louvain_move_global")
            blocks = max(
                1, min(most, len(bucket.vertices), table_bytes(run.device) // (SLOT_BYTES * slots))
            )
            xp = run.device.xp
            keys = xp.empty(blocks * slots, dtype=xp.int32)
            sums = xp.empty(blocks * slots, dtype=xp.uint64)
            args += [slots, keys, sums, *tail]
            shared = 0

        return self._launch(kernel, blocks, (head, args, [watch]), shared)

    def _launch(
        self,
        kernel: Kernel,
        blocks: int,
        args: tuple[list[Any], list[Any], list[Any]],
        shared: int = 0,
    ) -> Callable[[int, int], Callable[[], None]]:
        """Return a function that prepares a launch from the step's number and the direction."""
        head, middle, tail = args
        recorder = self.run.recorder.args()
        return lambda step, direction: kernel.prepare(
            blocks,
            THREADS,
            [*head, direction, *middle, step, *tail, *recorder],
            shared_mem=shared,
        )

    def _node_centred(self) -> Callable[[int, int], Callable[[], None]]:
        run, p, stage = self.run, self.partition, self.stage
        xp = run.device.xp
        keys = xp.empty(max(1, 2 * stage.entries), dtype=xp.int32)
        sums = xp.empty(max(1, 2 * stage.entries), dtype=xp.uint64)
        kernel = run.recorder.kernel("louvain_node", "louvain_move_node")
        blocks = min(run.max_warps * 32 // THREADS, -(-stage.n // THREADS))
        head = [stage.n, *stage.args, *p.args(run)]
        return self._launch(
            kernel, blocks, (head, [keys, sums, p.next, self._measures.moved[:1]], [])
        )
