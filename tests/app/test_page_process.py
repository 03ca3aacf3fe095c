"""A real page process: what it answers, what leaves it, and how its memory and threads stay."""

import psutil
import pytest

from support.page_process import PageProcess
from support.waiting import PATIENCE
from warplens.app.pages import views

MEBIBYTE = 1 << 20
#: Runs before the first measurement, and runs between both, with --soak and without.
WARM_UP, RUNS, FEWER_RUNS = 4, 20, 8


#: The family whose page is tested without --soak; no other page held more after its runs.
ONE_OF_ALL = "bipartite"


@pytest.mark.slow
@pytest.mark.parametrize("family", views())
def test_runs_leave_a_page_process_where_it_was(family, request):
    soak = request.config.getoption("--soak")
    if family != ONE_OF_ALL and not soak:
        pytest.skip("with --soak only")
    runs = RUNS if soak else FEWER_RUNS
    with PageProcess(family) as page:
        process = psutil.Process(page.pid)
        for number in range(WARM_UP + runs):
            if number == WARM_UP:
                before, widgets = settled(page, process)
            page.run()
            assert page.error == ""
        after, left = settled(page, process)
        print(f"{family}: {before / MEBIBYTE:.0f} MiB, then {after / MEBIBYTE:.0f} MiB")
        assert after - before < runs * 2.5 * MEBIBYTE
        assert left <= widgets


def settled(page, process):
    """Return the memory that only this process holds, and the number of its widgets, at rest."""
    page.settle()
    return process.memory_full_info().uss, open_widgets(page)


def open_widgets(page):
    """Return how many widgets the page process has opened and not closed."""
    kinds = [message["msg_type"] for message in page.heard]
    return kinds.count("comm_open") - kinds.count("comm_close")


def test_forged_messages_lead_to_errors_without_paths_and_to_nothing_else():
    with PageProcess("matching") as page:
        graphs = page.find(description="Graph")
        before = dict(page.models[graphs])
        for index in (99, None, "x", 10**30):
            page.set(graphs, index=index)
        page.set(graphs, _options_labels=["one"])
        page.send("comm_msg", {"comm_id": graphs, "data": None})
        page.send("comm_open", {"comm_id": "x", "target_name": "jupyter.widget", "data": {}})
        for kind in ("execute_request", "inspect_request", "complete_request", "history_request"):
            page.send(kind, {"code": "1/0", "cursor_pos": 1, "silent": False})
        page.ask_for_states()
        page.wait_for(lambda: any(method(message) == "update_states" for message in page.heard))
        assert "cannot make a widget" in page.error
        assert page.models[graphs] == before
        kinds = {message["msg_type"] for message in page.heard}
        assert kinds <= {"status", "execute_input", "display_data", "comm_open", "comm_msg"}
        texts = str([message["content"] for message in page.heard])
        assert "Traceback" not in texts
        assert "site-packages" not in texts
        page.run()


def method(message):
    data = message["content"].get("data")
    return data.get("method") if isinstance(data, dict) else None


@pytest.mark.slow
def test_a_flood_of_changes_and_clicks_adds_neither_threads_nor_memory():
    with PageProcess("matching") as page:
        process = psutil.Process(page.pid)
        button, family = page.find(description="Run"), page.find(description="Family")
        page.run()
        page.settle()
        threads, memory = process.num_threads(), process.memory_full_info().uss
        for number in range(1500):
            page.set(family, index=number % 3)
            page.click(button)
        # An answer to a last request means that all messages have been taken or dropped.
        assert page.client.kernel_info(reply=True, timeout=PATIENCE)
        # The last run and its cards have threads of their own until they end.
        page.wait_for(lambda: process.num_threads() <= threads + 2)
        assert process.memory_full_info().uss - memory < 50 * MEBIBYTE
