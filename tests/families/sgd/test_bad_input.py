"""Bad input: a rate that diverges names its sweep, silent users stay as they are, exit codes."""

from __future__ import annotations

import re

import numpy as np
import pytest

from gpucore.errors import ParameterError
from gpucore.families.sgd.factors import first_factors
from gpucore.families.sgd.params import SgdParams
from gpucore.family import get_runner
from gpucore.problems.ratings.ratings import Ratings
from gpucore.problems.ratings.split import split

from .cases import factor, random_ratings

VARIANTS = get_runner("sgd").variant_names

#: Diverges, but not in the first sweep.
WILD = {"rate": 1.0, "schedule": "constant", "reg": 0.0, "k": 8, "threads": 4}


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_rate_that_diverges_names_the_sweep(variant):
    ratings = random_ratings(20, 8, 90, seed=3)
    with pytest.raises(ParameterError, match=r"take a smaller rate, or larger reg$") as caught:
        factor(ratings, variant, sweeps=30, **WILD)
    (sweep,) = map(int, re.findall(r"diverges: after sweep (\d+) ", str(caught.value)))
    assert sweep > 1
    before = factor(ratings, variant, sweeps=sweep - 1, **WILD)
    assert np.isfinite(before.figures["rmse_by_sweep"]).all()
    if variant != "hogwild":
        with pytest.raises(ParameterError, match=f"after sweep {sweep} "):
            factor(ratings, variant, sweeps=sweep, **WILD)


@pytest.mark.parametrize("variant", VARIANTS)
def test_users_and_items_without_ratings_keep_their_vectors(variant):
    some = random_ratings(20, 8, 90, seed=4)
    users, items = some.entries()
    ratings = Ratings.from_entries(2 * users + 1, 2 * items + 1, some.values, (41, 18))
    result = factor(ratings, variant, record="events", test=0.2)
    first = first_factors(split(ratings, 0.2, 0).train, SgdParams(**result.params))
    np.testing.assert_array_equal(result.users[::2], first.users[::2])
    rounded = 2.0**-20 if variant == "fast" else 0.0  # its items are in fixed point
    np.testing.assert_allclose(result.items[::2], first.items[::2], rtol=0, atol=rounded)
    assert not np.array_equal(result.users, first.users)


BAD = {
    "k too small": (["sgd", "-p", "k=7"], "k is 7; use an integer from 8 to 128"),
    "k too large": (["sgd_serial", "-p", "k=129"], "k is 129; use an integer from 8 to 128"),
    "no number": (["sgd", "-p", "k=many"], "k is 'many'"),
    "diverges": (["sgd", "-p", "rate=5", "-p", "schedule=constant"], "diverges: after sweep 1 "),
    "no variant": (["sgd", "--variant", "spin"], "el_shuffled"),
}


@pytest.mark.parametrize("case", BAD)
def test_the_command_line(process, case):
    words, message = BAD[case]
    done = process("run", words[0], "sample_ratings", *words[1:])
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_with_a_rating_that_is_none(process, tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text("user,item,rating\n1,1,5\n1,2,nan\n")
    done = process("run", "sgd", path)
    assert done.returncode == 3
    assert done.stderr == f"warplens: {path}, line 3: the rating 'nan' is not a finite number\n"
