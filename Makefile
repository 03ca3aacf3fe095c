# The main commands are "make app" and "make test". They need Python 3.11 or newer and a C++ compiler;
# everything else is installed into the project's own virtual environment.

VENV ?= .venv
# The first Python in PATH that is new enough; "make PYTHON=/path/to/python app" names another.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
    "$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; \
    done)
BIN = $(VENV)/bin
# Modules are compiled once, not again by each of the many processes of the server and of the tests.
export PYTHONDONTWRITEBYTECODE =
# More arguments for the command: make app ARGS="--port 9000", make test ARGS="-k suitor".
ARGS ?=

.PHONY: help app test lint check lowest wasm docs bench audit clean python

help:
	@echo "make app    install and serve the web app, print its address"
	@echo "make test   install and run all checks and tests, in a real browser too"
	@echo "make lint   check style and types only"
	@echo "make lowest run a part of the tests with the oldest packages that pyproject.toml allows"
	@echo "make wasm   build the kernels for WebAssembly and run them there (Node is needed)"
	@echo "make docs   build the documentation, a folder for each version, in build/docs"
	@echo "make bench  measure the algorithms on this machine's best device"
	@echo "make audit  look up known vulnerabilities of the installed packages (needs the network)"
	@echo "make clean  remove the environment and everything built"

app: python
	@$(PYTHON) tools/environment.py $(VENV) app
	@$(BIN)/warplens serve $(ARGS)

test: lint
	@$(BIN)/python tools/chromium.py
	$(BIN)/python -m pytest -n 3 $(ARGS)

# Style and types are checked while the library is compiled.
lint: python
	@$(PYTHON) tools/environment.py $(VENV) app peers test -- $(MAKE) --no-print-directory check

# Without cache: it would miss errors that a new or removed module causes in its importers.
check:
	$(BIN)/ruff check --no-cache .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Where packages of different versions would show: files, commands, NetworkX, a family, a page.
LOWEST = build/lowest
LOWEST_TESTS = tests/io tests/problems tests/cli tests/test_networkx_backend.py tests/test_tools.py \
    tests/test_compare.py tests/families/redblue tests/app tests/browser/test_page.py

lowest: python
	@$(PYTHON) tools/environment.py --lowest $(LOWEST) app test
	@$(LOWEST)/bin/python tools/chromium.py
	$(LOWEST)/bin/python -m pytest -n 3 -m "not slow" $(LOWEST_TESTS) $(ARGS)

# Apart from the tests: the first time, the compiler's own libraries take more than a minute, and
# those of the playground minutes and 60 MB.
wasm: python
	@$(PYTHON) tools/environment.py $(VENV) app test wasm
	@$(BIN)/python tools/wasm.py
	@$(BIN)/python tools/chromium.py
	$(BIN)/python -m pytest -n 0 --engine tests/simt/wasm tests/browser/test_engine.py \
	    tests/browser/test_same_truth.py tests/browser/test_play_engine.py $(ARGS)

# Warnings are errors, and every link inside the pages is checked. External links need the network:
# make docs ARGS="-b linkcheck".
docs: python
	@$(PYTHON) tools/environment.py $(VENV) app docs
	@$(BIN)/python tools/docs.py $(ARGS)

bench: python
	@$(PYTHON) tools/environment.py $(VENV) peers
	@$(BIN)/warplens bench --output build/bench $(ARGS)

# No part of the tests: the answer changes without any change here.
audit: python
	@$(PYTHON) tools/environment.py $(VENV) app peers maintain
	@$(BIN)/python tools/audit.py $(ARGS)

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis test-results

python:
	@test -n "$(PYTHON)" || { echo "warplens: Python 3.11 or newer is needed and was not found;" \
	    "install it, or name it: make PYTHON=/path/to/python3.12 ..." >&2; exit 1; }
