# `make run` and `make test` are all that a fresh clone needs: Python 3.11 or newer, with venv.
# Everything is installed into .venv; nothing global but Debian's Chromium (see `chromium`).

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# The build backend comes from the lock too, so no isolated build environment is made.
INSTALL := $(PIP) install --quiet --constraint requirements.lock

# Where `make run` listens: every address of this machine, so that phones at the table reach it.
HOST ?= 0.0.0.0
PORT ?= 8000

# More options for pytest and for the benchmark: make test PYTEST_ARGS='-k night -x'
PYTEST_ARGS ?=
BENCH_ARGS ?=

# For tests/: which browser to start, and whether browser tests may skip when it is missing.
# With CI=true they may not.
export CHROMIUM ?= /usr/bin/chromium
export BROWSER_TESTS := $(if $(filter true 1,$(CI)),required,optional)

.PHONY: help run test fast check format bench chromium lock clean

help: ## Show this list.
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 18

run: $(VENV)/.run-stamp ## Install, then serve the assistant on the local network.
	$(BIN)/looper serve --host $(HOST) --port $(PORT)

test: $(VENV)/.dev-stamp chromium check ## Lint, check the types and run every test.
	$(BIN)/python -m pytest $(PYTEST_ARGS)

fast: $(VENV)/.dev-stamp ## Run the tests that are neither slow nor need a browser.
	$(BIN)/python -m pytest -m "not slow and not browser" -n 2 $(PYTEST_ARGS)

check: $(VENV)/.dev-stamp ## Lint and check the types.
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict engine assistant

format: $(VENV)/.dev-stamp ## Put the code into the form that `make check` asks for.
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(VENV)/.dev-stamp ## Measure the solver.
	$(BIN)/python -m assistant.lab.bench $(BENCH_ARGS)

chromium: ## Install Debian's Chromium for the browser tests, where that is possible.
	@if [ -x "$(CHROMIUM)" ]; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "Installing Debian's chromium for the browser tests."; \
	    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
	        --no-install-recommends chromium >/dev/null; } || true; \
	    reason="apt-get could not install it"; \
	else \
	    reason="that needs root and apt-get"; \
	fi; \
	if [ -x "$(CHROMIUM)" ]; then exit 0; fi; \
	echo "No browser at $(CHROMIUM), and none was installed: $$reason." >&2; \
	if [ "$(BROWSER_TESTS)" = required ]; then \
	    echo "With CI=true the browser tests must run, so this is an error." >&2; exit 1; \
	fi; \
	echo "The browser tests will be skipped." >&2

# The newest versions that pyproject.toml allows, from an environment of their own.
lock: ## Write requirements.lock anew.
	@scratch=$$(mktemp -d); trap 'rm -rf "$$scratch"' EXIT; \
	$(PYTHON) -m venv "$$scratch"; \
	"$$scratch/bin/python" -m pip install --quiet ".[dev]"; \
	{ sed '/^#/!d' requirements.lock; \
	  "$$scratch/bin/python" -m pip freeze --exclude tragedy-looper-assistant; } \
	  > "$$scratch/requirements.lock"; \
	cp "$$scratch/requirements.lock" requirements.lock

clean: ## Remove the environment, build results and caches.
	rm -rf $(VENV) build dist test-results .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find engine assistant tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "$(PYTHON) is too old: Python 3.11 or newer is needed (make PYTHON=...)." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run-stamp: pyproject.toml requirements.lock | $(BIN)/python
	$(INSTALL) hatchling
	$(INSTALL) --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev-stamp: pyproject.toml requirements.lock | $(BIN)/python
	$(INSTALL) hatchling
	$(INSTALL) --no-build-isolation --editable '.[dev]'
	@touch $@ $(VENV)/.run-stamp
