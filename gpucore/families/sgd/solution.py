"""Factors of ratings as files, and the check of anybody's factors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gpucore.certify import Certificate
from gpucore.certify.reported import NAME
from gpucore.errors import ParameterError
from gpucore.families.sgd.certificate import certify
from gpucore.families.sgd.params import SgdParams
from gpucore.families.sgd.result import SgdResult
from gpucore.members import sides
from gpucore.params import is_number
from gpucore.problems.ratings.split import split
from gpucore.solutions.form import (
    Answer,
    NotASolution,
    Property,
    SolutionForm,
    Table,
    as_numbers,
    only,
)

if TYPE_CHECKING:
    from gpucore.problems.ratings.ratings import Ratings


def _table(ratings: Ratings, result: SgdResult, most: int | None) -> Table:
    """Return a row for each user, then for each item: its bias, if there are, and its vector."""
    users, items = sides(ratings)
    k = int(result.params.get("k") or result.users.shape[1])
    names = [label for side in (users, items) for label in side.labels(np.arange(side.count))]
    columns: dict[str, Any] = {
        "side": [users.noun] * users.count + [items.noun] * items.count,
        "name": names,
    }
    if result.biases.size:
        columns["bias"] = _short(result.biases[:most])
    both = np.concatenate((result.users, result.items))[:most]
    for component in range(k):
        columns[f"f{component + 1}"] = _short(both[:, component])
    rows = {title: column[:most] for title, column in columns.items()}
    return Table("factors", rows, users.count + items.count)


def _short(values: NDArray[np.float32]) -> list[float]:
    """Return the shortest numbers that are these values again as float32."""
    return [float(str(value)) for value in values]


def _result(ratings: Ratings, answer: Answer) -> SgdResult:
    if "users" in answer.arrays and "items" in answer.arrays:
        users, items = answer.arrays["users"], answer.arrays["items"]
        biases = answer.arrays.get("biases", np.zeros(0, np.float32))
        params = answer.params
    else:
        users, items, biases, k = _from_table(ratings, answer)
        params = {"k": k, **answer.params}
    params = {"biases": bool(biases.size), **params}
    result: SgdResult = answer.result(SgdResult, users=users, items=items, biases=biases)
    result.params.update(params)
    # A table does not say the mean that predictions begin with; by default, as in our runs.
    result.figures.setdefault("mean", params.get("mean", _mean(ratings, params)))
    if not is_number(mean := result.figures["mean"]):
        raise ParameterError(f"{answer.name}: the mean is {mean!r}; it is a number")
    return result


def _mean(ratings: Ratings, given: dict[str, Any]) -> float:
    params = SgdParams(**{k: v for k, v in given.items() if k in SgdParams.__match_args__})
    train = split(ratings, params.test, params.split_seed).train
    return 0.0 if params.positive else float(train.values.mean(dtype=np.float64))


def _from_table(ratings: Ratings, answer: Answer) -> tuple[Any, Any, Any, int]:
    """Return the vectors of users and items, the biases, and the number of components."""
    titles = [t for t in answer.columns if t[:1] == "f" and t[1:].isdigit()]
    if not titles or "side" not in answer.columns or "name" not in answer.columns:
        raise NotASolution("readable", "a table of factors has the columns side, name, f1, f2, ...")
    titles.sort(key=lambda title: int(title[1:]))
    values = np.stack([as_numbers(answer, title, np.float32) for title in titles], axis=1)
    padded = SgdParams(k=len(titles)).padded
    which = np.asarray([str(side) for side in answer.columns["side"]])
    bias = as_numbers(answer, "bias", np.float32) if "bias" in answer.columns else None
    found, biases = [], []
    for side in sides(ratings):
        rows = np.flatnonzero(which == side.noun)
        places = side.numbers([answer.columns["name"][row] for row in rows.tolist()])
        if np.unique(places).size != places.size or places.size != side.count:
            raise NotASolution("one vector each", f"not every {side.noun} has one row")
        vectors = np.zeros((side.count, padded), np.float32)
        vectors[places, : len(titles)] = values[rows]
        found.append(vectors)
        if bias is not None:
            own = np.zeros(side.count, np.float32)
            own[places] = bias[rows]
            biases.append(own)
    joined = np.concatenate(biases) if biases else np.zeros(0, np.float32)
    return found[0], found[1], joined, len(titles)


def _basic(ratings: Ratings, result: SgdResult) -> Certificate:
    found = certify(ratings, result, serialisable=False)
    return only(found, ("one vector each", "finite", NAME))


def _untouched(ratings: Ratings, result: SgdResult) -> Certificate:
    return only(certify(ratings, result, serialisable=False), ("others untouched",))


SOLUTION = SolutionForm(
    table=_table,
    result=_result,
    basic=_basic,
    properties=(
        Property(
            "others untouched",
            "Vectors without ratings are as our runs begin; other programs begin otherwise.",
            _untouched,
        ),
    ),
    titles=(("side", "name", "f1"),),
    arrays=("users", "items", "biases"),
    params=(*SgdParams.__match_args__, "mean"),
)
