"""A family's declaration of its solutions, as tables and with their properties."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpucore.certify import Certificate, Check
from gpucore.errors import ParameterError
from gpucore.result import Result


@dataclass(frozen=True)
class Table:
    """Rows that people read, and programs.

    Attributes
    ----------
    name : str
        What a row is: "pairs".
    columns : mapping of str to sequence
        Equally long columns by name.
    total : int
        Number of rows of the whole table, of which these may be the first.
    """

    name: str
    columns: Mapping[str, Sequence[Any]]
    total: int

    def rows(self) -> list[tuple[Any, ...]]:
        """Return the rows."""
        return list(zip(*self.columns.values(), strict=True))


@dataclass(frozen=True)
class Answer:
    """A solution as a file gives it: ours, or anybody's.

    Attributes
    ----------
    name : str
        The file's name, for errors.
    columns : mapping of str to sequence
        Columns of its table, by lower-case titles; without titles "1", "2", ... Lists beside the
        table are columns too.
    arrays : mapping of str to ndarray
        Arrays of a NumPy file, numbered as in this package.
    titled : bool
        Whether the columns had titles.
    params, measures : mapping
        Parameters and measures that it claims.
    problem : mapping
        How the problem was prepared: options of the command line by name.
    family, algorithm : str
        What it says that it is; empty if it says nothing.
    """

    name: str
    columns: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    titled: bool = False
    params: Mapping[str, Any] = field(default_factory=dict)
    measures: Mapping[str, Any] = field(default_factory=dict)
    problem: Mapping[str, Any] = field(default_factory=dict)
    family: str = ""
    algorithm: str = ""

    def result(self, kind: type[Result], **solution: Any) -> Any:
        """Return a result of this kind with the given solution, and what the file claims of it."""
        return kind(self.algorithm, {}, 0.0, dict(self.measures), dict(self.params), **solution)


class NotASolution(Exception):
    """What a file holds cannot be a solution; the check says why."""

    def __init__(self, name: str, detail: str) -> None:
        self.check = Check(name, False, detail)
        super().__init__(detail)


@dataclass(frozen=True)
class Property:
    """A property that solutions of a family may have.

    Attributes
    ----------
    name : str
        The property in a few words.
    about : str
        What it means, in a sentence.
    certify : callable
        ``certify(problem, result)`` returns a certificate, or a text that says why the property
        cannot be decided here.
    """

    name: str
    about: str
    certify: Callable[[Any, Any], Certificate | str]


@dataclass(frozen=True)
class SolutionForm:
    """Declaration of a family's solutions.

    Attributes
    ----------
    table : callable
        ``table(problem, result, most)`` returns the solution as a :class:`Table`, of its first
        `most` rows, or of all for None.
    result : callable
        ``result(problem, answer)`` returns the result that an :class:`Answer` means; raises
        :class:`NotASolution` where it can be none, GraphError where it cannot be read.
    basic : callable
        ``basic(problem, result)`` certifies that the result is a solution at all, and the measures
        that it claims.
    properties : tuple of Property
        What it may be beyond that.
    titles : tuple of tuple of str
        Titles by which a table is known to be of this family, one tuple for each form.
    arrays : tuple of str
        Names of the arrays of the solution, by which a NumPy file is known.
    params : tuple of str
        Parameters on which it depends whether something is a solution.
    needs : tuple of str
        Those of `params` that the file or the caller has to give: without them, a table with
        these titles is taken for one of another family.
    doubt : callable or None
        ``doubt(answer)`` returns why a table with these titles may be of another family that has
        the same ones, or an empty text.
    matrix : callable or None
        ``matrix(problem, result)`` returns the shape, and the row, column and value of each entry,
        where the solution is a matrix; symmetric ones give the lower triangle.
    symmetric : bool
        Whether that matrix is symmetric.
    extras : callable or None
        ``extras(problem, result)`` returns further values for the JSON form.
    """

    table: Callable[[Any, Any, int | None], Table]
    result: Callable[[Any, Answer], Result]
    basic: Callable[[Any, Any], Certificate]
    properties: tuple[Property, ...] = ()
    titles: tuple[tuple[str, ...], ...] = ()
    arrays: tuple[str, ...] = ()
    params: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    doubt: Callable[[Answer], str] | None = None
    matrix: Callable[[Any, Any], tuple[tuple[int, int], Any, Any, Any]] | None = None
    symmetric: bool = False
    extras: Callable[[Any, Any], dict[str, Any]] | None = None

    def looks_like(self, answer: Answer) -> bool:
        """Return whether a file has the titles, the arrays or the matrix of this form."""
        return (
            any(set(titles) <= set(answer.columns) for titles in self.titles)
            or any(name in answer.arrays for name in self.arrays)
            or ("rows" in answer.arrays and self.matrix is not None)
        )

    def property(self, name: str) -> Property:
        """Return the property called `name`; ParameterError with the known names if none is."""
        for known in self.properties:
            if known.name == name:
                return known
        names = ", ".join(repr(known.name) for known in self.properties)
        raise ParameterError(f"there is no property {name!r} here; there are {names}")


def forms() -> dict[str, SolutionForm]:
    """Return the forms of all families that declare one, by the family's name."""
    from gpucore.family import families

    return {name: form_of(name) for name, family in families().items() if family.solution}


def form_of(family: str) -> SolutionForm:
    """Return the form of a family's solutions; ParameterError if it declares none."""
    from gpucore.family import get_family

    declared = get_family(family)
    if not declared.solution:
        raise ParameterError(f"solutions of the family {family!r} are not written to files")
    found: SolutionForm = declared.load(declared.solution)
    return found


def only(certificate: Certificate, names: Sequence[str]) -> Certificate:
    """Return a certificate with those of its checks that have one of these names."""
    checks = tuple(check for check in certificate.checks if check.name in names)
    return Certificate(all(check.ok for check in checks), checks, certificate.figures)


def as_numbers(answer: Answer, title: str, dtype: type = np.float64) -> NDArray[Any]:
    """Return a column as numbers; NotASolution if one is none."""
    try:
        return np.asarray(answer.columns[title], dtype)
    except (ValueError, TypeError, OverflowError):
        raise NotASolution("readable", f"the column {title!r} holds what is no number") from None
