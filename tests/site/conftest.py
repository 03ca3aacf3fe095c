import psutil
import pytest

from support.serving import Server
from support.visitor import Visitor


@pytest.fixture(scope="module")
def server(tmp_path_factory, request):
    """A server for strangers: few places, lost pages end soon, 1,024 open files."""
    options = getattr(request.module, "OPTIONS", ())
    running = Server(tmp_path_factory.mktemp("site"), "--pool", "0", *options, files=1024)
    yield running
    assert running.stop() == 0, running.output
    assert "Traceback" not in running.output, running.output


@pytest.fixture
def visitor(server):
    """A visitor whose pages are closed at the end."""
    visitor, opened = Visitor(server), []
    opens = visitor.open

    def open_and_note(page="matching"):
        opened.append(opens(page))
        return opened[-1]

    visitor.open = open_and_note
    yield visitor
    for kernel in opened:
        visitor.close(kernel)


@pytest.fixture
def process(server):
    """The server's process, as psutil sees it."""
    return psutil.Process(server.process.pid)
