# `make demo` and `make test` are all the set-up there is: each makes .venv when it is missing,
# installs what it needs into it, and is quick when nothing has changed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/.stamps
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.DEFAULT_GOAL := help
.PHONY: help demo test lint docs bench clean

help:  ## show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):[^#]*## /  make \1\t/' | expand -t 18

$(STAMPS)/venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "tabletop needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Choose another with: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	@mkdir -p $(STAMPS)
	@touch $@

# What plays is installed alone first, so that a demo does not wait for the tools of the tests.
$(STAMPS)/play: $(STAMPS)/venv pyproject.toml
	$(PIP) install --editable '.[all]'
	@touch $@

$(STAMPS)/dev: $(STAMPS)/play
	$(PIP) install --editable '.[dev]'
	@touch $@

$(STAMPS)/bench: $(STAMPS)/dev
	-$(PIP) install --editable '.[bench]'
	-$(PIP) install open_spiel
	@touch $@

demo: $(STAMPS)/play  ## play a whole seeded game of each kind and verify its replay
	@$(BIN)/python examples/demo.py

lint: $(STAMPS)/dev  ## ruff, mypy --strict and the layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint docs  ## every check there is
	$(BIN)/python -m pytest --numprocesses auto --cov --cov-report term

docs: $(STAMPS)/dev  ## build the documentation; a warning is an error
	$(BIN)/mkdocs build --strict --quiet

bench: $(STAMPS)/bench  ## measure the speed, beside others measured in the same minute
	$(BIN)/python -m benchmarks

clean:  ## remove all that was made
	rm -rf $(VENV) build dist site .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	rm -rf src/*.egg-info
