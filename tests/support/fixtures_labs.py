"""Fixtures of the labs, which compile kernels."""

import pytest


@pytest.fixture(scope="session")
def lab_compiler():
    """Return the compiler of the labs; without a suitable one the test is skipped."""
    from gpucore.errors import MissingDependency
    from gpucore.watching.compiling import compiler as labs_compiler

    try:
        return labs_compiler.compiler()
    except MissingDependency as error:
        pytest.skip(str(error))
