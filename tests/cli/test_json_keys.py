"""What ``warplens run --json`` prints for every runner keeps its keys: programs read them."""

import json
from pathlib import Path

import pytest

from gpucore.family import get_family, get_runner

#: Keys, nested ones with dots: those of all runs, and the others by runner and variant.
KEYS = json.loads((Path(__file__).parent / "json_keys.json").read_text())
#: A small problem of each kind.
PROBLEMS = {
    "graph": "lesmis",
    "bipartite": "southern_women",
    "preferences": "irving_leather_8",
    "roommates": "karate",
    "ratings": "sample_ratings",
}


def keys_of(value, place=""):
    """Yield the keys of a JSON object, those of its objects too."""
    for key, inner in value.items():
        if isinstance(inner, dict):
            yield from keys_of(inner, f"{place}{key}.")
        else:
            yield f"{place}{key}"


@pytest.mark.parametrize("which", KEYS["runs"])
def test_the_keys_of_a_run_stay(which, call_json):
    name, _, variant = which.partition(":")
    runner = get_runner(name)
    if (reason := runner.available()) is not None:
        pytest.skip(reason)
    options = ["--device", "host"] if runner.where == "device" else ["-p", "threads=1"]
    options += ["--variant", variant] if variant else []
    code, found = call_json("run", name, PROBLEMS[get_family(runner.family).problem], *options)
    assert code == 0
    assert set(keys_of(found)) == {*KEYS["every"], *KEYS["runs"][which].split(", ")}
