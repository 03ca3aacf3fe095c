"""warplens warm: what it does without a GPU, and with one."""

import pytest


def test_the_host_has_nothing_to_compile(call, call_json):
    result = call("warm", "--device", "host")
    assert result.exit_code == 0
    assert "nothing to do" in result.stdout
    assert call_json("warm", "marriage", "--device", "host") == (0, {"warmed": []})


def test_an_unknown_family_is_wrong_usage(call):
    result = call("warm", "nonesuch", "--device", "host")
    assert result.exit_code == 2
    assert "nonesuch" in result.stderr


@pytest.mark.gpu
def test_kernels_are_kept(call_json, tmp_path, monkeypatch):
    monkeypatch.setenv("CUPY_CACHE_DIR", str(tmp_path))
    code, found = call_json("warm", "marriage", "--device", "cuda")
    assert code == 0
    assert {case["variant"] for case in found["warmed"]} == {"fast", "mw", "gs"}
    assert list((tmp_path / "warplens").glob("marriage_fast-*.cubin"))
