"""Random cases: each test takes the fixture ``fuzz`` and checks cases until its time is over.

``--fuzz-seconds`` and ``--fuzz-seed`` choose how many and which.  A failure says with which seed
its case is made again.
"""

import pytest

from support.fuzzing import Fuzz


@pytest.fixture
def fuzz(request):
    """Return what runs the cases."""
    return Fuzz(request.config.getoption("--fuzz-seconds"), request.config.getoption("--fuzz-seed"))
