"""The same schedule has the same options on every page."""

import pytest

from gpucore.device import get_device
from gpucore.family import get_family
from warplens.app.comparison.contenders import ContenderChooser
from warplens.app.devices import POLICIES, host_options
from warplens.app.fields.run_bar import RunBar
from warplens.app.fields.run_chooser import RunChooser
from warplens.app.links.words import schedule_words
from warplens.app.pages import get_view


def unguarded(callback):
    return callback


@pytest.fixture(scope="module")
def choosers():
    """Return the form of a dashboard, and that of one side of a comparison."""
    view = get_view("matching")
    bar = RunBar(lambda: None, lambda: None, unguarded)
    runs = RunChooser(get_family("matching").load_algorithms(), view, False, bar, unguarded)
    return runs, ContenderChooser("First run", view, False, unguarded)


@pytest.mark.parametrize("policy", POLICIES)
def test_a_policy_and_a_seed_are_one_schedule_on_all_pages(choosers, policy):
    runs, contender = choosers
    for form in choosers:
        form.policy.value, form.seed.value = policy, 7
    options = host_options(policy, 7)
    assert runs.device_options() == options
    assert contender.contender().options == options
    described = get_device("host", **options).describe()
    assert {name: described[name] for name in options} == options


def test_links_name_policy_and_seed_only():
    assert schedule_words(host_options("random", 7)) == {"policy": "random", "seed": "7"}
    assert schedule_words({}) == {}


def test_the_random_schedule_switches_at_atomic_operations():
    assert host_options("random", 0)["yield_atomic"] > 0
    assert next(iter(POLICIES)) == "random"
