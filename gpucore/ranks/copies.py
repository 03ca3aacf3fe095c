"""Transport "rounds" between cards of one process: copies from card to card.

NCCL is for processes: CuPy keeps Python's lock while NCCL connects, so threads would wait for each
other. Source: CUDA Runtime API, ``cudaMemcpyPeer``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gpucore.device.cuda_errors import translated
from gpucore.ranks.exchange import Exchange
from gpucore.ranks.mail import Bucket


class CopyExchange(Exchange):
    """Every rank copies what is for it out of the buckets of all ranks."""

    def _move(self, bucket: Bucket, parts: Sequence[Any], sizes: Sequence[int]) -> Any:
        xp = self.device.xp
        runtime = xp.cuda.runtime
        own = runtime.getDevice()
        came = xp.empty(max(1, sum(sizes)), dtype=np.uint32)
        place = self.device.address(came)
        self.device.synchronize()  # the buckets are filled
        shown = self.comm.allgather((own, [self.device.address(part) for part in parts]))
        with translated("copying messages between GPUs"):
            for (card, addresses), size in zip(shown, sizes, strict=True):
                if size:
                    runtime.memcpyPeer(place, own, addresses[self.comm.rank], card, 4 * size)
                    place += 4 * size
        self.device.synchronize()
        self.comm.barrier()  # before any rank fills its buckets again
        return came
