"""What a watched kernel did, line by line, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpucore.watching.source.messages import is_own, where

if TYPE_CHECKING:
    from gpucore.device.profile import Profile

#: Shares below which a line is remarked on.
_COALESCED, _CONVERGED = 0.75, 0.75
_WARP = 32


@dataclass(frozen=True)
class Remark:
    """Something that a line of a kernel costs.

    Attributes
    ----------
    line : int
        In the source, from 1.
    measure : str
        "coalescing", "bank conflicts", "lanes" or "compare and swap".
    text : str
        A sentence.
    file : str
        Of the line, if it is another one than the source: a header that it includes.
    """

    line: int
    measure: str
    text: str
    file: str = ""

    def __str__(self) -> str:
        return f"{where(self.file, self.line)}: {self.text}"


def remarks(profile: Profile, source: str) -> list[Remark]:
    """Return what is worth a remark in a profile, by line."""
    found = [*_memory(profile), *_lanes(profile, source)]
    return sorted(found, key=lambda remark: (remark.file, remark.line, remark.measure))


def _rows(profile: Profile) -> Iterator[tuple[str, int, str, dict[str, int]]]:
    """Yield file ("" is the source), line, kind and counters of every place in the kernel."""
    table = profile.lines
    counters = [name for name in table if name not in ("file", "line", "kind")]
    for at in range(len(table["line"])):
        counts = {name: int(table[name][at]) for name in counters}
        if counts["requests"]:
            file = "" if is_own(str(table["file"][at])) else str(table["file"][at])
            yield file, int(table["line"][at]), str(table["kind"][at]), counts


def _memory(profile: Profile) -> Iterator[Remark]:
    for file, line, kind, counts in _rows(profile):
        space, _, verb = kind.partition(" ")
        if space == "global" and counts["sectors"]:
            share = counts["ideal_sectors"] / counts["sectors"]
            if share < _COALESCED:
                yield Remark(
                    line,
                    "coalescing",
                    f"{counts['requests']:,} {verb}s of a warp touch {counts['sectors']:,} sectors "
                    f"of 32 bytes where {counts['ideal_sectors']:,} would do: neighbouring lanes "
                    "do not access neighbouring places.",
                    file,
                )
        if counts["bank_conflicts"]:
            # Atomics of one word wait for each other; loads of one word are one access.
            several = "one word, or words" if verb == "atomic" else "different words"
            yield Remark(
                line,
                "bank conflicts",
                f"{counts['requests']:,} {verb}s of shared memory need "
                f"{counts['bank_conflicts']:,} further passes: several lanes access {several} "
                "of one bank.",
                file,
            )
        if counts["cas_failed"]:
            yield Remark(
                line,
                "compare and swap",
                f"{counts['cas_failed']:,} of {counts['lanes']:,} failed: another thread was "
                "first.",
                file,
            )


def _lanes(profile: Profile, source: str) -> Iterator[Remark]:
    """Remark on pieces of code that warps enter with few lanes."""
    lines = source.splitlines()
    seen: dict[int, tuple[int, int]] = {}
    for file, line, kind, counts in _rows(profile):
        if kind == "block" and not file:
            lanes, requests = seen.get(line, (0, 0))
            seen[line] = lanes + counts["lanes"], requests + counts["requests"]
    for line, (lanes, requests) in seen.items():
        mean = lanes / requests
        code = lines[line - 1].strip() if line <= len(lines) else ""
        if mean < _CONVERGED * _WARP and len(code) > 1:
            yield Remark(
                line,
                "lanes",
                f"on average {mean:.1f} of {_WARP} lanes are active here; the others wait.",
            )
