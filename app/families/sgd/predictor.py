"""The pictures of the cost model: the paper's two costs, and the time of every schedule; HTML."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from gpucore.families.sgd.cost import SCHEDULES, Costs, choose, offline_cost, online_cost, terms
from gpucore.families.sgd.structure import Structure
from gpucore.format import human_time

#: Colours of the parts of a time, from the page's style sheet.
_PARTS = {
    "updates": "var(--ws-matched)",
    "locks": "var(--ws-proposal)",
    "barriers": "var(--ws-text)",
    "work": "var(--ws-matched)",
    "launches": "var(--ws-displaced)",
}


@dataclass(frozen=True)
class Bar:
    """A time and its parts.

    Attributes
    ----------
    name, text : str
        Display label, and what stands behind it.
    parts : dict of str to float
        Seconds by part, see :data:`_PARTS`.
    best : bool
        Whether it is the least.
    """

    name: str
    text: str
    parts: dict[str, float]
    best: bool = False

    @property
    def seconds(self) -> float:
        """The whole time."""
        return sum(self.parts.values())


def paper_bars(degree: float, costs: Costs, fraction: float) -> list[Bar]:
    """Return the two costs that the paper compares, those of the vertex of the highest degree.

    Parameters
    ----------
    degree : float
        The paper's d.
    costs : Costs
    fraction : float
        The paper's f.
    """
    d, p, lock = degree, costs.update, costs.lock
    off, on = offline_cost(degree, costs), online_cost(degree, costs, fraction)
    parts = ({"updates": d * p, "barriers": off - d * p}, {"updates": d * p, "locks": d * lock})
    parts[1]["barriers"] = on - d * (p + lock)
    return [
        Bar("offline", "d p + b d", parts[0], off <= on),
        Bar("online", "d (p + l) + b / f", parts[1], on < off),
    ]


def schedule_bars(structure: Structure, costs: Costs) -> list[Bar]:
    """Return the predicted time of a sweep of every schedule, the least first."""
    best = choose(structure, costs)
    found = []
    for name in SCHEDULES:
        one = terms(structure, costs, name)
        work = max(one.path, one.updates, one.atomics)
        parts = {"work": work, "barriers": one.barriers, "launches": one.launches}
        found.append(Bar(name, "", parts, name == best))
    return sorted(found, key=lambda bar: bar.seconds)


def verdict(structure: Structure, costs: Costs, fraction: float) -> str:
    """Return what the paper's comparison and the model say, in sentences."""
    off, on = paper_bars(structure.degree, costs, fraction)
    winner, other = (off, on) if off.best else (on, off)
    ratio = other.seconds / winner.seconds if winner.seconds else 1.0
    how = f"by a factor of {ratio:.2g}" if ratio < 1000 else "by far"
    bars = schedule_bars(structure, costs)
    return (
        f"The paper's comparison takes an {winner.name} schedule, {how}. The model of each "
        f"schedule takes {bars[0].name}: {human_time(bars[0].seconds)} for a sweep; the slowest, "
        f"{bars[-1].name}, would take {human_time(bars[-1].seconds)}."
    )


def drawn(bars: list[Bar]) -> str:
    """Return bars as HTML: one below the other, the parts in colours, the least in bold."""
    most = max((bar.seconds for bar in bars), default=0.0) or 1.0
    return f'<div style="display:grid;gap:7px">{"".join(_row(bar, most) for bar in bars)}</div>'


def _row(bar: Bar, most: float) -> str:
    weight = 700 if bar.best else 450
    pieces = "".join(
        f'<span title="{escape(part)}: {human_time(seconds)}" style="width:'
        f'{100 * seconds / most:.3f}%;background:{_PARTS[part]}"></span>'
        for part, seconds in bar.parts.items()
        if seconds > 0
    )
    mark = " ✓" if bar.best else ""
    head = escape(f"{bar.name}{mark}") + (
        f' <span style="color:var(--ws-soft);font-weight:400">{escape(bar.text)}</span>'
        if bar.text
        else ""
    )
    return (
        f'<div><div style="display:flex;justify-content:space-between;gap:12px;font-size:13px;'
        f'font-weight:{weight}"><span>{head}</span><span>{human_time(bar.seconds)}</span></div>'
        f'<div style="display:flex;height:11px;border-radius:3px;overflow:hidden;'
        f'background:var(--ws-raised)">{pieces}</div></div>'
    )


def key(*parts: str) -> str:
    """Return the legend of some parts."""
    signs = "".join(
        f'<span style="display:inline-flex;align-items:center;gap:6px"><i style="width:11px;'
        f'height:11px;border-radius:3px;background:{_PARTS[part]}"></i>{escape(part)}</span>'
        for part in parts
    )
    return (
        f'<div style="display:flex;flex-wrap:wrap;gap:4px 16px;margin:8px 0 2px;font-size:12.5px;'
        f'color:var(--ws-soft)">{signs}</div>'
    )


__all__ = ["Bar", "drawn", "key", "paper_bars", "schedule_bars", "verdict"]
