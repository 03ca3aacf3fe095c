"""Declaration of a paper's figures: what is measured, drawn, printed there and expected."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from gpucore.bench.papers.charts import Chart
from gpucore.bench.papers.parts import Part
from gpucore.bench.suite import Case, Data, Suite, Table
from gpucore.errors import ParameterError
from gpucore.family import families
from gpucore.format import counted

#: Sizes of the instances: seconds on a laptop, minutes on a card, and the paper's own.
Size = Literal["small", "medium", "paper"]
SIZES: tuple[Size, ...] = ("small", "medium", "paper")


#: A text, or what results make of it: a number that was measured comes from them.
Words = str | Callable[[Data], str]


class Finding(NamedTuple):
    """Whether measurements show what was expected, and the numbers that say so."""

    holds: bool
    words: str


@dataclass(frozen=True)
class Printed:
    """A number that a paper prints.

    Attributes
    ----------
    what : str
        What it is, with its unit.
    value : str
        The number, as the paper has it.
    place : str
        Where it stands in the paper.
    ours : callable
        ``ours(data)``: the same from our measurements; None without them.
    """

    what: str
    value: str
    place: str
    ours: Callable[[Data], str | None] = lambda data: None


def printed(
    place: str, *rows: tuple[str, str, Callable[[Data], str | None]]
) -> tuple[Printed, ...]:
    """Return the numbers that a paper prints in one place: what each is, its text, and ours."""
    return tuple(Printed(what, value, place, ours) for what, value, ours in rows)


@dataclass(frozen=True)
class Expectation:
    """A statement of a paper that measurements can confirm.

    Attributes
    ----------
    sentence, place : str
        The statement, and where the paper makes it.
    holds : callable
        ``holds(data)``: what our measurements say; None without them.
    why : str or callable
        Why ours may differ: shown if it does.
    on_gpu : bool
        Whether only times of a GPU can show it: the host device runs kernels lane by lane.
    """

    sentence: str
    place: str
    holds: Callable[[Data], Finding | None]
    why: Words = ""
    on_gpu: bool = True


@dataclass(frozen=True)
class PaperFigure:
    """A figure or table of a paper.

    Attributes
    ----------
    number : str
        As the paper numbers it: "figure 4", "table 1", or a section for a study in the text.
    title : str
        What it shows.
    cases : callable
        ``cases(cores)``: what is measured for it; cases of the family's suite have equal keys, so
        results of the suite serve too.
    charts : callable
        ``charts(data)``: the charts, without those that lack measurements.
    tables : callable
        ``tables(data)``: the same as numbers.
    printed : tuple of Printed
        Numbers that the paper prints for it.
    expectations : tuple of Expectation
        Statements of the paper.
    note : str or callable
        How ours differs from the paper's: other hardware, other instances, parts left out.
    differs : str or callable
        Why our numbers differ from the printed ones: shown beside both.
    within : str
        The set of instances it needs, see :attr:`gpucore.bench.suite.Suite.sets_of`.
    own : callable or None
        ``own(data, name)``: whether an instance is one that the paper counts: it has a size of the
        paper, or is as hard. Results with such ones come before others, and only such ones answer
        its numbers and statements. By default, results with real ones or
        :attr:`Paper.largest` come before others, and all answer.
    timed : bool
        Whether it shows times, which methods beside each other make longer.
    few : callable or None
        Fewer cases, for the size "small".
    older : callable or None
        Cases that older results have in place of some of `cases`, and that the charts still read.
    """

    number: str
    title: str
    cases: Callable[[int], list[Case]] = lambda cores: []
    charts: Callable[[Data], list[Chart]] = lambda data: []
    tables: Callable[[Data], list[Table]] = lambda data: []
    printed: tuple[Printed, ...] = ()
    expectations: tuple[Expectation, ...] = ()
    note: Words = ""
    differs: Words = ""
    within: str = ""
    own: Callable[[Data, str], bool] | None = None
    timed: bool = True
    few: Callable[[int], list[Case]] | None = None
    older: Callable[[int], list[Case]] | None = None

    @property
    def slug(self) -> str:
        """Name in files and results.

        >>> PaperFigure("figures 2 and 3", "").slug
        'figures-2-and-3'
        """
        return self.number.replace(" ", "-").replace(",", "")


@dataclass(frozen=True)
class Paper:
    """A paper with its figures.

    Attributes
    ----------
    name : str
        Name on the command line.
    title, source : str
        Title, and authors with place and year.
    figures : tuple of PaperFigure
        In the paper's order.
    instances : mapping
        Names of the instances by size.
    stands_for : mapping of str to str
        What generated instances stand for: the paper's graph, by our name.
    real : tuple of str
        The paper's own graphs that public collections have, see :mod:`gpucore.datasets.remote`.
    not_shown : mapping of str to str
        Figures and tables that are left out, with the reason.
    machine : str
        What the paper measured on.
    parts : tuple of Part
        The paper's variants, parameters, rules and comparators.
    repeat : int
        Repetitions in the sizes "medium" and "paper".
    family : str
        Name of the family; set by :func:`papers`.
    """

    name: str
    title: str
    source: str
    figures: tuple[PaperFigure, ...]
    instances: Mapping[Size, tuple[str, ...]]
    machine: str
    stands_for: Mapping[str, str] = field(default_factory=dict)
    real: tuple[str, ...] = ()
    not_shown: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()
    repeat: int = 5
    family: str = ""

    @property
    def largest(self) -> set[str]:
        """Names of the instances that only the size "paper" has."""
        return set(self.instances["paper"]) - set(self.instances["medium"])

    def suite(self) -> Suite:
        """Return the suite of the paper's family."""
        suite: Suite = families()[self.family].load_suite()
        return suite


def papers() -> dict[str, Paper]:
    """Return the declared papers by name, in the order of the README's list."""
    from dataclasses import replace

    declared = [
        (family.papers, replace(family.load(family.figures), family=name))
        for name, family in families().items()
        if family.figures
    ]
    return {paper.name: paper for _, paper in sorted(declared, key=lambda pair: pair[0])}


def get_paper(name: str) -> Paper:
    """Return a paper by its name or its family's, or raise ParameterError with the known ones."""
    known = papers()
    for paper in known.values():
        if name in (paper.name, paper.family):
            return paper
    raise ParameterError(f"there is no paper {name!r}; there are {', '.join(known)}")


def setup_of(data: Data) -> dict[str, Any]:
    """Return the machine and the date of results, for display."""
    setup = data["setup"]
    device = setup["device"]
    return {
        "device": str(device.get("model") or device.get("name")),
        "processor": f"{setup['processor']}, {counted(setup['cores'], 'core')}",
        "date": setup["date"][:16].replace("T", " "),
        "commit": setup["commit"] or f"code {setup['code']}",
        "bandwidth": (data.get("copy") or {}).get("bandwidth"),
    }
