"""Every variant has a readable name, declared beside it, for the pages."""

import pytest

from gpucore.family import algorithms


@pytest.mark.parametrize("name", sorted(algorithms()))
def test_every_variant_has_a_readable_name(name):
    algorithm = algorithms()[name]
    assert set(algorithm.labels) == set(algorithm.variants)
    labels = [algorithm.label(variant) for variant in algorithm.variants]
    assert len(set(labels)) == len(labels)
    for label in labels:
        assert label[0].isupper()
        assert "_" not in label
        assert len(label) <= 90
