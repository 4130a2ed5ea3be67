# `make demo` and `make test` are all the set-up there is: each makes .venv when it is missing,
# installs what it needs into it, and is quick when nothing has changed.

# `make PYTHON=python3.13 ...` does the same with another Python, in .venv-3.13: neither set-up
# disturbs the other. Without a word it is the first one that is new enough.
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

# Byte code is kept, whatever the environment says: without it every process of the tests compiles all
# modules anew.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test all-tests quick quick-tests oldest training coverage lint docs pictures zensical bench studies \
	compiled dist fuzz mutants clean

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

# What plays is installed alone first, so that a demo does not wait for the tools of the tests. It is
# compiled as a wheel would be: programs start quickly also where no byte code is kept.
$(STAMPS)/play: $(STAMPS)/venv pyproject.toml
	@echo "Installing tabletop and its games into $(VENV) ..."
	@$(PIP) install --editable '.[all]'
	@$(BIN)/python -m compileall -q src
	@touch $@

$(STAMPS)/dev: $(STAMPS)/play
	@echo "Installing the tools of the tests into $(VENV) ..."
	@$(PIP) install --editable '.[dev]'
	@touch $@

# What cannot be installed here is not measured.
$(STAMPS)/bench: $(STAMPS)/dev
	-$(PIP) install --editable '.[bench]'
	-$(PIP) install open_spiel
	@touch $@

demo: $(STAMPS)/play  ## play a whole seeded game of each kind and verify its replay
	@$(BIN)/python examples/demo.py

# They are wider than the pages that show parts of them: see examples/ruff.toml.
WIDE := $(patsubst %,examples/%.py,caverns flotsam go harbour hearts herons masks nettles peal vacant_chair)

lint: $(STAMPS)/dev  ## ruff, mypy --strict and the layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/ruff format --check --line-length 100 $(WIDE)
	$(BIN)/mypy
	$(BIN)/lint-imports

# It is for every change: on every core, without coverage, and with fewer made-up examples. mypy, which
# has one core, runs beside the tests, here and in `make test`.
quick: $(STAMPS)/dev  ## lint, and the tests that start no other process
	@$(MAKE) --no-print-directory -j2 lint quick-tests

quick-tests: $(STAMPS)/dev
	$(BIN)/python -m pytest --quiet --numprocesses auto --hypothesis-profile quick -m 'not slow'

test: $(STAMPS)/dev  ## every check there is, but for the coverage
	@$(MAKE) --no-print-directory -j2 lint all-tests

# One of them builds the documentation; what that fetches is fetched before, as a test has two minutes. A
# worker that has run out of tests takes some of another's: those in a browser stand together, and mostly wait.
# PROFILE=thorough draws more examples for each property.
all-tests: $(STAMPS)/dev
	-@$(BIN)/python -m tools.in_page >/dev/null
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal $(PROFILE:%=--hypothesis-profile %)

# The versions of what `pyproject.toml` names are the oldest that it allows.
oldest: $(STAMPS)/dev  ## the quick tests with the oldest versions of other libraries
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(VENV)-oldest
	$(BIN)/uv pip install --quiet --python $(VENV)-oldest/bin/python --resolution lowest-direct \
		--editable '.[all,dev]'
	$(VENV)-oldest/bin/python -m pytest --quiet --numprocesses auto --hypothesis-profile quick -m 'not slow'

# PyTorch is a file that pip's settings name (find-links): an index may have that of gigabytes for other processors.
# TORCH=torch takes it all the same.
TORCH ?= --no-index torch==2.13.0
TRAIN_PIP := $(VENV)-train/bin/python -m pip --disable-pip-version-check --quiet
SITE := import sysconfig; print(sysconfig.get_path("purelib"))

$(STAMPS)/train: $(STAMPS)/dev
	@echo "Installing what trains bots into $(VENV)-train ..."
	@$(BIN)/python -m venv --clear $(VENV)-train
	@echo "import site; site.addsitedir('$$($(abspath $(BIN))/python -c '$(SITE)')')" \
		>"$$($(VENV)-train/bin/python -c '$(SITE)')/tools_of_the_tests.pth"
	@$(TRAIN_PIP) install --no-deps $(TORCH)
	@$(TRAIN_PIP) install torch 'stable-baselines3>=2.9.2,<3' 'sb3-contrib>=2.9.2,<3' dm-tree
	@touch $@

training: $(STAMPS)/train  ## the tests of training, in an environment of its own with PyTorch
	$(VENV)-train/bin/python -m pytest --quiet --numprocesses auto tests/train

# Tests take four times as long while lines are counted. So they are those of `make quick`, and the slow ones
# of the rooms that need sockets, terminals and processes. Those in a browser are not: a server thread
# that begins while another is being traced may fail to.
COUNTED := $(addprefix tests/,tabletop/bots tabletop/terminal tabletop/web lcr programs/test_graphics.py \
	tabletop/cli/test_compile.py tabletop/cli/test_join.py tabletop/cli/test_join_bots.py)
COUNT := $(BIN)/python -m pytest --quiet --numprocesses auto --dist worksteal \
	--hypothesis-profile quick -o faulthandler_timeout=600 --cov

coverage: $(STAMPS)/dev  ## how much of src/ the tests reach: 95 % at least
	$(COUNT) --cov-report= --cov-fail-under=0 -m 'not slow'
	$(COUNT) --cov-append --cov-report term -m slow $(COUNTED)

# Not --quiet: it hides warnings from --strict as well.
docs: $(STAMPS)/dev  ## build the documentation into site/; TRY=no needs no network
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "Open $(CURDIR)/site/index.html"

pictures: $(STAMPS)/dev  ## draw the pictures in docs/ anew; those of pages need a Chromium
	$(BIN)/python -m tools.gallery
	$(BIN)/python -m tests.browser.screenshots docs

zensical: $(STAMPS)/dev  ## build the same pages with Zensical into build/zensical/
	$(BIN)/python -m zensical build --strict --config-file zensical.yml

bench: $(STAMPS)/bench  ## measure the speed, beside others measured in the same minute
	$(BIN)/python -m benchmarks

# How many matches each study has. 100,000 of each take some four hours of one core, and nearly all of that is
# Constructor's; what was broken off goes on.
MATCHES ?= 100000

# The matches are kept in studies/, the reports in docs/studies/.
studies: $(STAMPS)/dev  ## play very many matches of each game, and report on them in docs/studies; MATCHES=100000
	@for study in lcr=random sorcery=duelist sorcery-2017=duelist constructor=builder \
			tools/anywhere.py=anywhere; do \
		game=$${study%=*}; name=$$(basename $$game .py); \
		$(BIN)/tabletop simulate $$game -n $(MATCHES) --bots $${study#*=} -o studies/$$name --resume && \
		$(BIN)/tabletop report studies/$$name -o docs/studies/$$name.md && \
		sed -i 's|$(CURDIR)/||g' docs/studies/$$name.md || exit; \
	done

# `python -m tools.compiled test` runs the whole suite on that wheel; .ci/run does.
compiled: $(STAMPS)/dev  ## build the accelerated wheel into dist/; needs a C compiler
	$(BIN)/python -m tools.compiled

$(STAMPS)/release: $(STAMPS)/dev
	@$(PIP) install --editable '.[release]'
	@touch $@

# `python -m tools.try_wheel` installs the wheel into empty environments, of every Python; .ci/run does.
dist: $(STAMPS)/release  ## build the files of a release into dist/, twice the same bytes, and check them
	$(BIN)/python -m tools.dist

# Where Atheris cannot be installed, Hypothesis makes the inputs alone.
$(STAMPS)/fuzz: $(STAMPS)/dev
	-$(PIP) install --editable '.[fuzz]'
	@touch $@

# All targets together take so long.
SECONDS ?= 60

fuzz: $(STAMPS)/fuzz  ## throw made-up input at all that comes from outside; SECONDS=60
	$(BIN)/python -m pytest tools/fuzz --quiet --numprocesses auto --seconds $(SECONDS) \
		-o faulthandler_timeout=$$(($(SECONDS) + 600))

$(STAMPS)/mutants: $(STAMPS)/dev
	@$(PIP) install --editable '.[mutants]'
	@touch $@

# Which ones, by module and with stars; all that `pyproject.toml` names take hours.
MUTANTS ?= tabletop.rng.*

# What is in mutants/ is kept: who runs it again goes on, with what has changed since.
mutants: $(STAMPS)/mutants  ## change single places of the source and see which ones no test notices; MUTANTS='tabletop.rng.*'
	@mkdir -p mutants && echo '*' >mutants/.gitignore
	$(BIN)/python -m mutmut run '$(MUTANTS)'
	@$(BIN)/python -m mutmut results | grep -v 'not checked' || echo "Every change was noticed."

clean:  ## remove all that was made
	rm -rf .venv .venv-* build dist site mutants tools/fuzz/findings .cache .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	rm -rf src/*.egg-info
