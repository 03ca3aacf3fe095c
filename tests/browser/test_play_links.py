"""What leaves the playground's page: links, copies and files."""

import ast
import json
import re
import subprocess
import sys

import numpy as np
import pytest
from playwright.sync_api import expect

import gpucore
from gpucore.watching.launches.given import read_arguments
from gpucore.watching.watch import signature_of
from support.firefox import Firefox, find_firefox
from support.play_page import choose, open_play, open_tab, run, write
from support.published import READY
from warplens.app.play.puzzles import PUZZLES

MEGABYTE = f"#play={'A' * 1_000_000}"
STENCIL = next(puzzle for puzzle in PUZZLES if puzzle.name == "03-stencil")


def test_a_link_has_the_whole_state(play, play_address):
    choose(play, STENCIL)
    write(play, STENCIL.start + "// mine: ü\n")
    play.get_by_label("Block").fill("16,2")
    play.get_by_label("Seed").fill("7")
    open_tab(play, "Memory")
    verdict = run(play)
    play.locator("#pl-link").click()
    expect(play.locator("#pl-said")).to_contain_text("Link")
    link = play.locator("#pl-copied").input_value()
    assert link.startswith(play_address + "#play=") and play.url == link
    open_play(play, link)
    assert play.get_by_label("Block").input_value() == "16,2"
    expect(play.get_by_role("tab", name="Memory")).to_have_attribute("aria-selected", "true")
    expect(play.locator(".cm-content")).to_contain_text("// mine: ü")
    assert run(play) == verdict


PACKED = """async (text) => {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}"""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("not JSON", "damaged"),
        ("[1]", "no code"),
        ("null", "no code"),
        (" " * 5_000_000, "damaged"),  # 5 kB that unpack to 5 MB
        (json.dumps({"grid": "1<script>"}), "grid"),
        (json.dumps({"grid": "1,1,1,1"}), "grid"),
        (json.dumps({"code": {"toString": 1}}), "code"),
        (json.dumps({"code": "x" * 100_001}), "code"),
        (json.dumps({"schedules": 1e9}), "schedules"),
        (json.dumps({"args": ["iota:4"] * 65}), "args"),
    ],
)
def test_a_hostile_link_is_refused_with_words(play, play_address, text, words):
    open_play(play, f"{play_address}#play={play.evaluate(PACKED, text)}")
    expect(play.locator("#pl-verdict.bad")).to_contain_text(words)
    assert run(play).startswith("map: ")  # the page works on


def test_a_fragment_of_a_megabyte_is_refused_unread(play, play_address):
    play.evaluate("location.hash = '#play=' + 'A'.repeat(1_000_000)")
    expect(play.locator("#pl-verdict.bad")).to_contain_text("too long")
    open_play(play, play_address + MEGABYTE)
    expect(play.locator("#pl-verdict.bad")).to_contain_text("too long")
    assert run(play).startswith("map: ")  # the page works on


@pytest.mark.skipif(find_firefox() is None, reason="Firefox is not installed")
def test_firefox_refuses_a_fragment_of_a_megabyte_too(play_address, tmp_path):
    firefox = Firefox(tmp_path)
    said = "document.querySelector('#pl-verdict.bad')?.textContent.includes('too long')"
    try:
        firefox.goto(play_address + MEGABYTE)
        firefox.wait_for(said)
        firefox.goto("about:blank")
        firefox.goto(play_address)
        firefox.wait_for(READY)
        assert not firefox.evaluate(f"Boolean({said})")
        firefox.evaluate("void (location.hash = '#play=' + 'A'.repeat(1_000_000))")
        firefox.wait_for(said)
        text = "document.querySelector('.cm-content').textContent"
        assert "__global__ void map" in firefox.evaluate(text)  # the code of the reader stays
        assert firefox.errors == []
    finally:
        firefox.close()


def test_a_copy_as_python_finds_the_same(play, tmp_path):
    choose(play, PUZZLES[10])  # lists, zeros and a race
    verdict = run(play)
    play.locator("#pl-python").click()
    expect(play.locator("#pl-said")).to_contain_text("Python")
    program = tmp_path / "copied.py"
    program.write_text(play.locator("#pl-copied").input_value(), encoding="utf-8")
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[0] == verdict


def test_a_copy_as_python_has_every_kind_of_argument(play):
    code = "__global__ void k(int* a, float* b, unsigned* c, double d, bool e, long long* f) {}"
    write(play, code)
    for name, kind in (("a", "random"), ("b", "random"), ("c", "ones"), ("f", "empty")):
        play.get_by_label(f"contents of {name}").select_option(kind)
    play.locator("#pl-python").click()
    expect(play.locator("#pl-said")).to_contain_text("Python")
    copied = play.locator("#pl-copied").input_value()
    with_call = copied.replace("found = gpucore.watch(", "call = dict(kernel=", 1)
    names: dict = {}
    exec(with_call.replace("print(found)", ""), names)
    values, empty = given(code, play)
    assert names["call"]["empty"] == tuple(empty) == (5,)
    for own, native in list(zip(names["call"]["args"], values, strict=True))[:5]:
        assert np.asarray(own).dtype == np.asarray(native).dtype
        assert np.array_equal(own, native)
    assert names["call"]["args"][5].shape == values[5].shape


def given(code, play):
    """Return what the native executor makes of the page's arguments."""
    play.locator("#pl-file").wait_for()
    with play.expect_download() as saved:
        play.locator("#pl-file").click()
    line = saved.value.path().read_text(encoding="utf-8").splitlines()[0]
    return read_arguments(signature_of(code), re.findall(r"--arg (\S+)", line), 64)


def test_a_copy_as_cupy_is_a_program_with_a_plain_kernel(play):
    choose(play, STENCIL)
    play.locator("#pl-cupy").click()
    expect(play.locator("#pl-said")).to_contain_text("CuPy")
    tree = ast.parse(play.locator("#pl-copied").input_value())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    call = next(node for node in calls if getattr(node.func, "attr", "") == "RawKernel")
    code, name = (ast.literal_eval(one) for one in call.args)
    assert 'extern "C" __global__' in code and name == "stencil"
    values, _ = read_arguments(signature_of(code), [], 1)
    assert gpucore.watch(code, 1, 1, values, schedules=1).name == "stencil"


def test_a_saved_file_begins_with_the_command_that_watches_it(play, call, tmp_path):
    choose(play, STENCIL)
    with play.expect_download() as saved:
        play.locator("#pl-file").click()
    assert saved.value.suggested_filename == "03-stencil.cu"
    path = tmp_path / saved.value.suggested_filename
    saved.value.save_as(path)
    words = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("// warplens watch ")
    found = call("watch", path, *words.split()[1:])
    assert found.stdout.splitlines()[0] == run(play)
