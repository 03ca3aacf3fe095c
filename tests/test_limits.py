import pytest

from gpucore import memory
from gpucore.errors import GraphError
from gpucore.limits import Limits
from gpucore.memory import available_memory


def test_defaults_follow_free_memory():
    assert 0 < available_memory() < 1 << 50
    assert 0 < Limits().max_bytes <= available_memory()


def test_a_containers_limit_counts(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "_GROUP", tmp_path)
    free = available_memory()  # no such files: no container
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("5000\n")
    assert available_memory() == pytest.approx(free, rel=0.5)
    (tmp_path / "memory.max").write_text("105000\n")
    assert available_memory() == 100_000
    (tmp_path / "memory.max").write_text("4000\n")
    assert available_memory() == 0


def test_sizes_are_checked_in_order():
    small = Limits(max_vertices=10, max_entries=20, max_bytes=1000)
    small.check("g", 10, 5)
    for size, cause in (
        ((11, 0), "g: 11 vertices are more than the 10 allowed here; take a smaller graph"),
        ((1, 21), "g: 21 entries are more than the 20 allowed here; take a smaller graph"),
        ((10, 20), "g: a graph of 10 vertices and 20 entries needs about 1.3 KiB of memory, more"),
    ):
        with pytest.raises(GraphError, match=cause):
            small.check("g", *size)
