"""The playground's page with real reports: its forms and findings."""

import re

import pytest
from playwright.sync_api import expect

from gpucore.watching.watch import signature_of
from support.play_page import choose, open_play, open_tab, run, write
from support.playing import answer, request_of
from support.rules import violations
from warplens.app.play.puzzles import KERNELS, PUZZLES
from warplens.app.widgets.bundle import bundle

STENCIL = next(puzzle for puzzle in PUZZLES if puzzle.name == "03-stencil")
PRINTS = """__global__ void say(const float* x, unsigned n) {
    if (threadIdx.x == 0) printf("n is %u, x[1] is %g\\n", n, x[1]);
}
"""


@pytest.mark.parametrize("puzzle", PUZZLES[1:12:5], ids=lambda puzzle: puzzle.name)
def test_a_puzzle_is_judged_and_its_solution_solves_it(play, puzzle):
    choose(play, puzzle)
    assert run(play) == native_verdict(puzzle, puzzle.start)
    expect(play.locator(".pl-goals li.bad")).to_have_count(len(puzzle.fails))
    play.get_by_text("Solution", exact=True).click()
    play.get_by_role("button", name="Put the solution into the editor").click()
    assert run(play) == native_verdict(puzzle, puzzle.solution)
    expect(play.locator(".pl-goals li.bad")).to_have_count(0)
    expect(play.locator(".pl-goals")).to_contain_text("Solved.")


def native_verdict(puzzle, code):
    """Return the first line that ``warplens watch`` prints."""
    report = answer(request_of(puzzle, code))
    found = report["races"], report["findings"]
    races, findings = (
        f"{len(some) or 'no'} {what}{'s' * (len(some) > 1)}"
        for some, what in zip(found, ("data race", "other finding"), strict=True)
    )
    results = {1: "one result"}.get(report["results"], f"{report['results']} different results")
    return f"{report['name']}: {races}{f', {findings}' * bool(found[1])}, {results} in 20 schedules"


def test_progress_stays_in_the_browser(play, play_address):
    choose(play, STENCIL)
    write(play, STENCIL.solution)
    run(play)
    solved = play.locator("#pl-puzzle option", has_text="✓")
    expect(solved).to_have_count(1)
    open_play(play, play_address)
    expect(solved).to_have_count(1)


def test_a_race_is_shown_with_both_sides_and_marked(play):
    choose(play, STENCIL)
    run(play)
    expect(play.locator(".pl-sides")).to_contain_text("global store by block 0, thread 1")
    expect(play.locator(".pl-sides .pl-line")).to_have_text(["line 6", "line 6"])
    expect(play.locator(".cm-lint-marker-error")).to_have_count(1)
    play.locator(".pl-sides .pl-line").first.click()
    expect(play.locator(".cm-activeLine")).to_contain_text("x[i - 1] + x[i] + x[i + 1]")


def test_memory_and_lanes_are_shown_by_line(play):
    choose(play, next(puzzle for puzzle in PUZZLES if puzzle.name == "09-coalescing"))
    run(play)
    open_tab(play, "Memory")
    row = play.locator(".pl-panel:not(.wv-closed) tbody tr").first
    expect(row.locator("td")).to_have_text(
        ["line 6", "global load", "32", "32.0", "4.0 would do", ""]
    )
    choose(play, next(puzzle for puzzle in PUZZLES if puzzle.name == "04-reduction"))
    write(play, PUZZLES[3].solution)
    run(play)
    open_tab(play, "Threads")
    expect(play.locator(".pl-panel:not(.wv-closed) tbody")).to_contain_text("of 32")
    expect(play.locator(".wl-now")).to_contain_text("% of the lanes are active on average")
    play.get_by_label("Warp", exact=True).select_option("block 0, warp 1")
    play.locator(".wl-scroll canvas").hover(position={"x": 60, "y": 30})
    first = re.compile(r"Lane 0, step 0: code of line \d, 32 of 32 lanes active\.")
    expect(play.locator(".wl-now")).to_have_text(first)


def test_a_compile_error_is_at_its_line(play):
    write(play, "__global__ void k(int* x) {\n    x[0] = nothing;\n}\n")
    assert "nothing" in run(play)
    expect(play.locator(".cm-lint-marker-error")).to_have_count(1)
    expect(play.locator(".cm-activeLine")).to_contain_text("nothing")


def test_a_wrong_field_is_marked_and_nothing_runs(play):
    field = play.get_by_label("Block")
    field.fill("0")
    expect(field).to_have_attribute("aria-invalid", "true")
    assert run(play) == "Correct the marked field first."
    expect(field).to_be_focused()
    field.fill("32")
    assert run(play).startswith("map: ")


def test_arguments_are_chosen_in_the_form(play):
    write(play, PRINTS)
    play.get_by_label("contents of x").select_option("list")
    field = play.get_by_label("numbers of x")
    field.fill("0.5, 2.5 7")
    field.press("Tab")
    number = play.get_by_label("value of n")
    number.fill("3")
    number.press("Tab")
    assert run(play) == "say: no data race, one result in 20 schedules"
    open_tab(play, "Output")
    expect(play.locator(".pl-output")).to_contain_text("n is 3, x[1] is 2.5")
    open_tab(play, "Results")
    expect(play.locator(".pl-values")).to_have_text("0.5 2.5 7")


def test_parameters_are_read_as_the_compiler_reads_them(page):
    page.goto("about:blank")
    odd = """// __global__ void no(int x) {}
    extern "C" __global__ void __launch_bounds__(64) k(const float* __restrict__ a, unsigned int n,
        float const *b, unsigned long long* const c, double d, /* const */ int *e, bool f,
        const int8_t g, size_t* h, char *const i) { }"""
    source = bundle(KERNELS.parent / "signature.js")
    script = f"(code) => {{ {source} return entry.kernelsOf(code); }}"
    for code in [odd, *(puzzle.start for puzzle in PUZZLES)]:
        (kernel,) = page.evaluate(script, code)
        native = signature_of(code).parameters
        assert [(one["type"], one["array"]) for one in kernel["parameters"]] == [
            (str(one.dtype), one.array) for one in native
        ]
        read_only = [one["constant"] for one in kernel["parameters"] if one["array"]]
        assert read_only == [one.read_only for one in native if one.array]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_everyone_can_use_it(play, theme, width):
    play.set_viewport_size({"width": width, "height": 900})
    play.emulate_media(color_scheme=theme)
    choose(play, PUZZLES[10])
    run(play)
    play.get_by_text("Hint", exact=True).click()
    play.get_by_text("Solution", exact=True).click()
    for name in ("Races", "Threads", "Memory", "Results", "Output"):
        open_tab(play, name)
        assert violations(play) == []
    assert play.evaluate("document.documentElement.scrollWidth") <= width


def test_the_keyboard_is_enough(play):
    play.locator(".cm-content").focus()
    play.keyboard.press("ControlOrMeta+Enter")
    play.locator("#pl-verdict.bad, #pl-verdict.good").wait_for()
    play.keyboard.press("Tab")  # leaves the editor
    assert not play.evaluate("document.activeElement.closest('.cm-editor')")
    play.get_by_role("tab", name="Races").focus()
    play.keyboard.press("ArrowRight")
    expect(play.get_by_role("tab", name="Threads")).to_be_focused()
    lanes = play.get_by_role("application", name="Lanes by steps")
    lanes.focus()
    play.keyboard.press("ArrowDown")  # the first key reads the first cell
    said = play.locator(".pl-steps").get_by_role("status")
    expect(said).to_contain_text("Lane 0, step 0: ")
    play.keyboard.press("ArrowDown")
    play.keyboard.press("ArrowRight")
    expect(said).to_contain_text("Lane 1, step 1: ")
    play.keyboard.press("End")
    play.keyboard.press("Enter")
    expect(play.locator(".cm-content")).to_be_focused()


def test_a_frame_shows_code_and_findings_alone(play, play_address):
    open_play(play, f"{play_address}?controls=0")
    for hidden in (".ws-top", "#pl-puzzles", "#pl-python"):
        expect(play.locator(hidden)).to_be_hidden()
    assert run(play).startswith("map: ")
