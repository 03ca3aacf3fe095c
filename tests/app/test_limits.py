"""Limits are passed from the server to its page processes; invalid values are refused."""

import pytest

from gpucore.errors import ParameterError
from warplens.app.limits import VARIABLE, PageLimits


def test_limits_travel_through_the_environment():
    limits = PageLimits(upload_bytes=5 << 20, run_seconds=7)
    assert PageLimits.from_environment(limits.to_environment()) == limits


def test_without_a_server_the_defaults_hold():
    assert PageLimits.from_environment({}) == PageLimits()


@pytest.mark.parametrize("text", ["no json", "[1]", '{"unknown": 3}', '{"edges": 0}', "7"])
def test_a_broken_variable_is_one_clear_error(text):
    with pytest.raises(ParameterError, match="limit"):
        PageLimits.from_environment({VARIABLE: text})


@pytest.mark.parametrize("value", [0, -1, 2.5, True, "9"])
def test_a_limit_is_a_whole_number_above_zero(value):
    with pytest.raises(ParameterError, match="vertices"):
        PageLimits(vertices=value)
