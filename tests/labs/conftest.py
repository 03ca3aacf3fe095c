"""Labs compile kernels: without a fit compiler those tests say so and are skipped."""

import pytest

from gpucore.errors import MissingDependency
from warpscope.labs.kit import compiler as labs_compiler


@pytest.fixture(scope="session")
def compiler():
    try:
        return labs_compiler.compiler()
    except MissingDependency as error:
        pytest.skip(str(error))
