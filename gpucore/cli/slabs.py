"""``warplens slabs``: write a graph as slabs, which the ranks of a run read in parts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpucore.cli.console import print_json, stdout
from gpucore.cli.options import ColumnsOption, DeviceName, DeviceOption, JsonOption
from gpucore.format import counted

if TYPE_CHECKING:
    from collections.abc import Iterable
    from threading import Event

    from gpucore.problems.graph.distributed.manifest import Manifest
    from gpucore.problems.graph.part import GraphPart
    from gpucore.progress import Progress


def slabs(
    graph: Annotated[
        str, typer.Argument(help="A data set, a generator or a file.", metavar="GRAPH")
    ],
    folder: Annotated[Path, typer.Argument(help="Where to write; made if it is missing.")],
    parts: Annotated[
        int, typer.Option("--parts", "-n", min=1, max=4096, help="Number of slabs.")
    ] = 2,
    columns: ColumnsOption = None,
    device: DeviceOption = DeviceName.AUTO,
    json: JsonOption = False,
) -> None:
    """Write a graph as slabs: a folder of which each rank of a run reads its own rows.

    Any number of ranks can read them. Generators of rows (rmat_rows and others) make the parts one
    after the other, so the graph may be larger than the memory.
    """
    from gpucore.cli.work import run_work

    def work(progress: Progress, cancel: Event) -> Manifest:
        from gpucore.loading import load
        from gpucore.problems.graph.distributed.slabs import save_parts
        from gpucore.problems.graph.generate.rows import plan_of

        plan = plan_of(graph)
        if plan is None or columns is not None:
            options: dict[str, Any] = {} if columns is None else {"columns": columns}
            whole = load(graph, progress=progress, cancel=cancel, **options)
            return save_parts(whole, folder, parts)
        return save_parts(_made(graph, parts, device, progress, cancel), folder)

    manifest = run_work(work)
    entries = manifest.starts[-1]
    if json:
        print_json(
            {
                "folder": str(folder),
                "slabs": manifest.slabs,
                "vertices": manifest.n,
                "entries": entries,
                "fingerprint": manifest.fingerprint,
            }
        )
    else:
        stdout().print(
            f"{folder}: {counted(manifest.slabs, 'slab')}, {counted(manifest.n, 'vertex')}, "
            f"{counted(entries, 'entry')}",
            markup=False,
            highlight=False,
        )


def _made(
    spec: str, parts: int, device: DeviceName, progress: Progress, cancel: Event
) -> Iterable[GraphPart]:
    """Generate one part after the other, each in the memory of the host."""
    from gpucore.device import get_device
    from gpucore.problems.graph.generate.rows import plan_of
    from gpucore.problems.graph.part import on_host

    plan, target = plan_of(spec), get_device(device.value)
    assert plan is not None
    with target.cancel_with(cancel, progress):
        for rank in range(parts):
            yield on_host(plan.part(target, rank, parts), target)
