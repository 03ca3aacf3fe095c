"""Check a solution that anybody found: whether it is one, and which properties it has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from gpucore.certify import Certificate, Check, certificate
from gpucore.certify.reported import NAME
from gpucore.errors import ParameterError
from gpucore.family import get_family
from gpucore.members import in_owners_words
from gpucore.problems.from_library import check_problem, from_library
from gpucore.result import Result
from gpucore.solutions.form import Answer, NotASolution, Property, form_of, forms


@dataclass(frozen=True)
class Finding:
    """Whether a solution has a property.

    Attributes
    ----------
    name : str
        The property.
    holds : bool or None
        None if it cannot be decided here.
    detail : str
        The proof in a few words, the counterexample, or why it cannot be decided.
    required : bool
        Whether the verdict depends on it.
    """

    name: str
    holds: bool | None
    detail: str
    required: bool = False


@dataclass(frozen=True)
class Checked:
    """What is known of a solution.

    Attributes
    ----------
    family : str
        The family whose solution it is.
    ok : bool
        Whether it is a solution, what it claims is true, and it has all required properties.
    findings : tuple of Finding
        First what makes it a solution, then the properties.
    measures : mapping
        Computed here: weight, cardinality, modularity, ...
    """

    family: str
    ok: bool
    findings: tuple[Finding, ...]
    measures: Mapping[str, float | int] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return one JSON-able object."""
        checks = [
            {"name": f.name, "holds": f.holds, "detail": f.detail, "required": f.required}
            for f in self.findings
        ]
        return {
            "family": self.family,
            "ok": self.ok,
            "checks": checks,
            "measures": dict(self.measures),
        }


def check_solution(
    problem: Any, solution: Answer | Result, family: str, require: Sequence[str] = ()
) -> Checked:
    """Check a solution of a problem, whoever found it, with every certificate of the family.

    Parameters
    ----------
    problem
        The problem as the family's runners take it, as :func:`gpucore.run` does.
    solution : Answer or Result
        From :func:`~gpucore.solutions.read.read_answer`, or of a run.
    family : str
        Name of the family.
    require : sequence of str
        Names of properties on which the verdict depends.

    Returns
    -------
    Checked

    Raises
    ------
    ParameterError
        A required property is unknown, or cannot be decided for this problem; or `solution` is
        none.
    GraphError
        The solution names members that the problem has not, or cannot be read.

    Examples
    --------
    >>> import gpucore
    >>> path = gpucore.Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [2.0, 3.0, 2.0])
    >>> middle = Answer("by hand", {"u": [1], "v": [2]}, titled=True)
    >>> checked = check_solution(path, middle, "matching")
    >>> {finding.name: finding.holds for finding in checked.findings}["heaviest"]
    False
    >>> checked.ok, checked.measures["weight"]
    (True, 3.0)
    """
    if not isinstance(solution, Answer | Result):
        raise ParameterError(
            f"a solution is a Result, or an Answer of gpucore.read_answer, not "
            f"{type(solution).__name__}"
        )
    form = form_of(family)
    problem = from_library(problem, get_family(family))
    check_problem(problem, get_family(family).problem, family)
    wanted = [form.property(name) for name in require]
    try:
        result = form.result(problem, solution) if isinstance(solution, Answer) else solution
        basic = form.basic(problem, result)
    except NotASolution as error:
        basic = certificate([error.check], {})
    spoken = partial(in_owners_words, problem)
    findings = [
        Finding(check.name, check.ok, spoken(check.detail), True)
        for check in basic.checks
        if check.name != NAME or result.figures
    ]
    measures = dict(basic.figures)
    if basic.ok:
        for known in form.properties:
            found = known.certify(problem, result)
            finding = _finding(known, found, required=known in wanted)
            findings.append(replace(finding, detail=spoken(finding.detail)))
            if isinstance(found, Certificate):
                measures |= dict(found.figures)
    ok = all(finding.holds is True for finding in findings if finding.required)
    return Checked(family, ok and basic.ok, tuple(findings), measures)


def _finding(known: Property, found: Certificate | str, *, required: bool) -> Finding:
    if isinstance(found, str):
        if required:
            raise ParameterError(f"whether it is {known.name} cannot be decided here: {found}")
        return Finding(known.name, None, found)
    last = found.failure or (found.checks[-1] if found.checks else Check(known.name, True, ""))
    return Finding(known.name, found.ok, last.detail, required)


def family_of(answer: Answer, params: Iterable[str] = ()) -> str:
    """Return the one family whose solutions look like a file's.

    Parameters
    ----------
    answer : Answer
        What the file holds.
    params : iterable of str
        Names of the parameters that the caller gives beside it.

    Raises
    ------
    ParameterError
        Several do, or none.
    """
    known = forms()
    if answer.family in known:
        return answer.family
    given = {*params}
    fits = [name for name, form in known.items() if form.looks_like(answer)]
    takers = [name for name in fits if given <= {*known[name].params}] or fits
    sure = [name for name in takers if {*known[name].needs} <= given | {*answer.params}]
    sure = [name for name in sure if known[name].needs] or sure
    if len(sure) != 1:
        which = f"it may be of {', '.join(fits)}" if fits else "no family writes such a file"
        raise ParameterError(
            f"{answer.name}: {which}; say what it is by --family, one of {', '.join(known)}"
        )
    (found,) = sure
    doubt, others = known[found].doubt, [name for name in takers if name != found]
    if doubt and others and (cause := doubt(answer)):
        ways = [" ".join((n, *(f"-p {p}=..." for p in known[n].needs))) for n in (found, *others)]
        raise ParameterError(
            f"{answer.name}: {cause}; say what it is by --family {' or --family '.join(ways)}"
        )
    return found
