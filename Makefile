.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup demo lint test bench fmt golden lock clean

# The first Python that starts and is new enough; override with `make PYTHON=...`.
PYTHON ?= $(firstword $(foreach python,python3 python3.11 python3.12 python3.13 python3.14,$(shell \
	$(python) -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $(python))))
BIN := .venv/bin
STAMP := .venv/installed
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check --no-input

# The pyright wheel carries its own pinned copy; it need not look for a newer one.
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

help: ## Show the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 10

setup: $(STAMP) ## Make .venv with the locked dependencies and fairdeal itself

$(STAMP): requirements.lock pyproject.toml
	@test -n '$(PYTHON)' || { echo 'Python 3.11 or newer is needed' >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(PIP) install --require-hashes -r requirements.lock
	$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

demo: setup ## Play, show and audit one whole match
	$(BIN)/fairdeal demo

lint: setup ## Check style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pyright --pythonpath $(BIN)/python

test: lint ## Everything CI runs: lint, then the tests
	$(BIN)/pytest -n auto --dist worksteal

bench: setup ## Measure speed beside bare references; needs an idle machine and a quarter of an hour
	$(PIP) install chess
	$(BIN)/python -m tests.bench.bench_rules
	$(BIN)/python -m tests.bench.bench_poker
	$(BIN)/python -m tests.bench.bench_replay
	$(BIN)/python -m tests.bench.bench_services

fmt: setup ## Format, and fix what can be fixed
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format

golden: setup ## Make the golden logs anew; read the diff
	$(BIN)/python -m tests.games.golden

lock: setup ## Resolve requirements.lock anew (installs uv into .venv)
	$(PIP) install uv
	$(BIN)/uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --upgrade --generate-hashes \
		--no-header --quiet --output-file requirements.lock

clean: ## Remove .venv, caches and build output
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis dist build
	find schemas services replay tests -name __pycache__ -prune -exec rm -rf {} +
