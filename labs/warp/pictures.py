"""Pictures of blocks, warps and memories, after figures 3 to 5 of the thesis on GPU matching.

Source: section 2.2 of the thesis (suitor, b-matching, Louvain, stable marriage).
"""

from __future__ import annotations

from collections.abc import Sequence

from ..kit.kernels import Run
from ..kit.pictures import COLOURS, LANES, Picture, wrap


def scaling(blocks: int = 8, multiprocessors: Sequence[int] = (2, 4)) -> Picture:
    """Draw one grid on GPUs of different size (figure 3): equal blocks, one at a time on each.

    Examples
    --------
    >>> scaling(8, (2,)).html.count("block ")
    8
    """
    drawn = "".join(_timetable(blocks, count) for count in multiprocessors)
    return Picture(wrap(drawn))


def _timetable(blocks: int, count: int) -> str:
    cells = [
        _box(130 + block // count * 74, 6 + block % count * 26, 70, 22, f"block {block}", block)
        for block in range(blocks)
    ]
    names = "".join(
        f'<text x="4" y="{22 + 26 * row}">multiprocessor {row}</text>' for row in range(count)
    )
    turns = -(-blocks // count)
    label = f"{blocks} blocks on {count} multiprocessors take {turns} turns"
    return f"<p>{label}</p>{_svg(140 + 74 * turns, 12 + 26 * count, label, names + ''.join(cells))}"


def mapping(made: Run, schedulers: int = 4) -> Picture:
    """Draw how the first block of a launch becomes warps, and who issues them (figure 4)."""
    warps = -(-made.block // LANES)
    cells = [
        _box(4, 6 + 26 * warp, 210, 22, f"threads {32 * warp} to {_last(made, warp)}", warp)
        + _box(250, 6 + 26 * warp, 90, 22, f"warp {warp}", warp)
        + f'<path d="M216 {17 + 26 * warp}h30M342 {17 + 26 * warp}h30" stroke="currentColor"/>'
        + _box(376, 6 + 26 * warp, 110, 22, f"scheduler {warp % schedulers}", warp % schedulers)
        for warp in range(warps)
    ]
    label = f"A block of {made.block} threads is {warps} warps on {schedulers} schedulers"
    return Picture(wrap(f"<p>{label}</p>{_svg(500, 12 + 26 * warps, label, ''.join(cells))}"))


def _last(made: Run, warp: int) -> int:
    return min(made.block, 32 * warp + 32) - 1


def memories() -> Picture:
    """Draw who shares which memory (figure 5)."""
    rows = (
        ("registers", "one thread", "kept until the thread ends", 120),
        ("shared memory", "one block", "partitioned among resident blocks", 200),
        ("L1 cache", "one multiprocessor", "private to it", 260),
        ("L2 cache", "the whole GPU", "between all multiprocessors and memory", 320),
        ("global memory", "the whole GPU", "largest and slowest; what a kernel leaves behind", 380),
    )
    cells = "".join(
        _box(4, 6 + 34 * row, width, 28, name, row)
        + f'<text x="{width + 16}" y="{25 + 34 * row}">{whose}: {note}</text>'
        for row, (name, whose, note, width) in enumerate(rows)
    )
    return Picture(wrap(_svg(860, 12 + 34 * len(rows), "Memories, from near to far", cells)))


def _box(x: float, y: float, width: float, height: float, text: str, colour: int) -> str:
    paint = COLOURS[colour % len(COLOURS)]
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4" fill="{paint}" '
        f'fill-opacity=".25" stroke="{paint}"/><text x="{x + width / 2}" '
        f'y="{y + height / 2 + 4}" text-anchor="middle">{text}</text>'
    )


def _svg(width: int, height: int, label: str, body: str) -> str:
    return (
        f'<svg role="img" aria-label="{label}" width="{width}" height="{height}" font-size="12" '
        f'fill="currentColor">{body}</svg>'
    )
