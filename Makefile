# No setup is needed before `make demo` or `make test`. Each target creates .venv if it is missing and
# installs what it needs. Nothing is installed again if nothing has changed.

# `make PYTHON=python3.13 ...` uses another Python, in the separate environment .venv-3.13. By default,
# the first Python that is new enough is used.
ifdef PYTHON
VENV := .venv-$(or $(shell '$(PYTHON)' -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null),none)
else
VENV := .venv
endif
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for python in python3 python3.15 python3.14 python3.13 python3.12 python3.11 python; do \
	if $$python -c '$(NEW_ENOUGH)' >/dev/null 2>&1; then echo $$python; break; fi; done)

BIN := $(VENV)/bin
STAMPS := $(VENV)/.stamps
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

# Keep byte code, even if the environment disables it. Otherwise every test process compiles all modules
# again.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test all-tests quick quick-tests oldest training coverage lint docs regenerate pictures zensical bench \
	studies matrix compiled wheels dist fuzz mutants clean

help:  ## show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):[^#]*## /  make \1\t/' | expand -t 18

$(STAMPS)/venv:
	@'$(or $(PYTHON),false)' -c '$(NEW_ENOUGH)' 2>/dev/null || { echo >&2 \
		"tabletop needs Python 3.11 or newer: $(if $(PYTHON),$(PYTHON) is not,none was found here)." \
		"Name one with: make PYTHON=/path/to/python3 ..."; exit 2; }
	@echo "Making $(VENV) with $(PYTHON) ..."
	@'$(PYTHON)' -m venv --clear $(VENV)
	@mkdir -p $(STAMPS)
	@touch $@

# The games are installed first, so that a demo does not wait for the test tools. Byte code is compiled
# at once, so that programs start quickly even if Python does not write byte code.
$(STAMPS)/play: $(STAMPS)/venv pyproject.toml
	@echo "Installing tabletop and its games into $(VENV) ..."
	@$(PIP) install --editable '.[all]'
	@$(BIN)/python -m compileall -q src
	@touch $@

$(STAMPS)/dev: $(STAMPS)/play
	@echo "Installing the development tools into $(VENV) ..."
	@$(PIP) install --editable '.[dev]'
	@touch $@

# Libraries that cannot be installed are left out of the benchmarks.
$(STAMPS)/bench: $(STAMPS)/dev
	-$(PIP) install --editable '.[bench]'
	-$(PIP) install open_spiel
	@touch $@

demo: $(STAMPS)/play  ## play a whole seeded game of each kind and verify its replay
	@$(BIN)/python examples/demo.py

# Examples with a line length of 100; see examples/ruff.toml.
WIDE := $(patsubst %,examples/%.py,beacons caverns chess deck_builder flotsam go harbour hearts herons masks nettles peal vacant_chair)

lint: $(STAMPS)/dev  ## run ruff, mypy --strict and import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/ruff format --check --line-length 100 $(WIDE)
	$(BIN)/mypy
	$(BIN)/lint-imports

# For every change: on all cores, without coverage, and with fewer Hypothesis examples. mypy uses only one
# core, so it runs in parallel with the tests, here and in `make test`.
quick: $(STAMPS)/dev  ## run lint and the tests that start no other process
	@$(MAKE) --no-print-directory -j2 lint quick-tests

QUICK := -m 'not slow and not matrix'

quick-tests: $(STAMPS)/dev
	$(BIN)/python -m pytest --quiet --numprocesses auto --hypothesis-profile quick $(QUICK)

test: $(STAMPS)/dev  ## run lint and all tests that a change can break
	@$(MAKE) --no-print-directory -j2 lint all-tests

# Compile the tests once. Otherwise every worker of the first run compiles all of them.
$(STAMPS)/collected: $(STAMPS)/dev
	-@$(BIN)/python -m pytest --collect-only --quiet >/dev/null
	@touch $@

# A test that builds the documentation needs downloads. They are done before, because a test may take only two
# minutes. With worksteal, idle workers take over tests of other workers, because the slow browser tests are all
# in one place.
all-tests: $(STAMPS)/collected
	-@$(BIN)/python -m tools.in_page >/dev/null
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal -m 'not matrix'

matrix: $(STAMPS)/dev  ## run the tests that repeat others with other tools, browsers and games
	$(BIN)/python -m pytest --quiet --numprocesses auto --dist worksteal -m matrix

# The oldest versions of the dependencies that `pyproject.toml` allows. The tests of Sorcery, Constructor and the
# examples are left out, because their rules reach the dependencies only through `tabletop`.
OF_DEPENDENCIES := $(addprefix tests/,tabletop lcr project)

oldest: $(STAMPS)/dev  ## run the quick tests of the framework with the oldest versions of the dependencies
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(VENV)-oldest
	$(BIN)/uv pip install --quiet --python $(VENV)-oldest/bin/python --resolution lowest-direct \
		--editable '.[all,dev]'
	$(VENV)-oldest/bin/python -m pytest --quiet --numprocesses auto --hypothesis-profile quick $(QUICK) \
		$(OF_DEPENDENCIES)

# PyTorch is installed from the find-links of the pip settings, because an index may have only builds for GPUs with
# gigabytes. TORCH=torch installs it from the index.
TORCH ?= --no-index torch==2.13.0
TRAIN_PIP := $(VENV)-train/bin/python -m pip --disable-pip-version-check --quiet
SITE := import sysconfig; print(sysconfig.get_path("purelib"))

$(STAMPS)/train: $(STAMPS)/dev
	@echo "Installing the training libraries into $(VENV)-train ..."
	@$(BIN)/python -m venv --clear $(VENV)-train
	@echo "import site; site.addsitedir('$$($(abspath $(BIN))/python -c '$(SITE)')')" \
		>"$$($(VENV)-train/bin/python -c '$(SITE)')/tools_of_the_tests.pth"
	@$(TRAIN_PIP) install --no-deps $(TORCH)
	@$(TRAIN_PIP) install torch 'stable-baselines3>=2.9.2,<3' 'sb3-contrib>=2.9.2,<3' dm-tree
	@touch $@

training: $(STAMPS)/train  ## run the tests of training, in a separate environment with PyTorch
	$(VENV)-train/bin/python -m pytest --quiet --numprocesses auto tests/train

# Tests take twice as long with coverage. So only the tests of `make quick` are measured, and the slow
# tests of packages that need sockets, terminals and processes. Browser tests are left out, because a server
# thread may fail to start while another thread is traced.
COUNTED := $(addprefix tests/,tabletop/bots tabletop/envs tabletop/table tabletop/terminal tabletop/web lcr \
	programs/test_graphics.py programs/test_same_match.py tabletop/studies/test_intervals.py tabletop/cli/test_join.py \
	tabletop/cli/test_join_bots.py tabletop/cli/test_tournament_of_models.py)
COUNT := $(BIN)/python -m pytest --quiet --numprocesses auto --dist worksteal \
	--hypothesis-profile quick -o faulthandler_timeout=600 --cov

coverage: $(STAMPS)/dev  ## measure the test coverage of src/, which must be at least 95 %
	$(COUNT) --cov-report= --cov-fail-under=0 $(QUICK)
	$(COUNT) --cov-append --cov-report term -m 'slow and not matrix' $(COUNTED)

# Without --quiet, which also hides the warnings of --strict.
docs: $(STAMPS)/dev  ## build the documentation into site/ (TRY=no: without the network)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "Open $(CURDIR)/site/index.html"

regenerate: $(STAMPS)/dev  ## rewrite message types, the protocol session, conversations and transcripts
	$(BIN)/python -m tools.message_types
	$(BIN)/python -m tools.protocol_session
	$(BIN)/python -m tests.tabletop.web.test_conversations
	$(BIN)/python -m tests.programs.test_terminal_transcripts

pictures: $(STAMPS)/dev  ## redraw the pictures in docs/ (the screenshots need Chromium)
	$(BIN)/python -m tools.gallery
	$(BIN)/python -m tests.browser.screenshots docs

zensical: $(STAMPS)/dev  ## build the same pages with Zensical into build/zensical/
	$(BIN)/python -m zensical build --strict --config-file zensical.yml

bench: $(STAMPS)/bench  ## run the benchmarks, in comparison with other libraries
	$(BIN)/python -m benchmarks

# Matches per study. 100,000 take about four hours of one core, nearly all of them for Constructor. An
# interrupted study is resumed.
MATCHES ?= 100000

# The matches are stored in studies/, the reports in docs/studies/.
studies: $(STAMPS)/dev  ## play many matches of each game, and write the reports in docs/studies (MATCHES=100000)
	@for study in lcr=random sorcery=duelist sorcery-2017=duelist constructor=builder \
			tools/anywhere.py=anywhere; do \
		game=$${study%=*}; name=$$(basename $$game .py); \
		$(BIN)/tabletop simulate $$game -n $(MATCHES) --bots $${study#*=} -o studies/$$name --resume && \
		$(BIN)/tabletop report studies/$$name -o docs/studies/$$name.md && \
		sed -i 's|$(CURDIR)/||g' docs/studies/$$name.md || exit; \
	done

compiled: $(STAMPS)/dev  ## build a compiled wheel into dist/ and test it (needs a C compiler)
	$(BIN)/python -m tools.compiled

# cibuildwheel needs Docker on Linux, and downloads the Pythons.
wheels: $(STAMPS)/dev  ## build compiled wheels for all Pythons of this system into dist/
	$(BIN)/uv tool run 'cibuildwheel>=4,<5' --output-dir dist

$(STAMPS)/release: $(STAMPS)/dev
	@$(PIP) install --editable '.[release]'
	@touch $@

# `python -m tools.try_wheel` tests the wheel in empty environments of every Python, as .ci/run does.
dist: $(STAMPS)/release  ## build the release files into dist/, reproducibly, and check them
	$(BIN)/python -m tools.dist

# If Atheris cannot be installed, only Hypothesis generates inputs.
$(STAMPS)/fuzz: $(STAMPS)/dev
	-$(PIP) install --editable '.[fuzz]'
	@touch $@

# Total time of all targets in seconds.
SECONDS ?= 60

fuzz: $(STAMPS)/fuzz  ## fuzz all functions that read external input (SECONDS=60)
	$(BIN)/python -m pytest tools/fuzz --quiet --numprocesses auto --seconds $(SECONDS) \
		-o faulthandler_timeout=$$(($(SECONDS) + 600))

$(STAMPS)/mutants: $(STAMPS)/dev
	@$(PIP) install --editable '.[mutants]'
	@touch $@

# The modules to mutate, as a pattern. All modules in `pyproject.toml` take hours.
MUTANTS ?= tabletop.rng.*

# Results are kept in mutants/, so that the next run tests only what has changed.
mutants: $(STAMPS)/mutants  ## run mutation tests (MUTANTS='tabletop.rng.*')
	@mkdir -p mutants && echo '*' >mutants/.gitignore
	$(BIN)/python -m mutmut run '$(MUTANTS)'
	@$(BIN)/python -m mutmut results | grep -v 'not checked' || echo "The tests detect every mutation."

clean:  ## remove all generated files
	rm -rf .venv .venv-* build dist site mutants tools/fuzz/findings .cache .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	rm -rf src/*.egg-info
