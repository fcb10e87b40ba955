# Every target makes what it needs: the virtual environment, the package, its extras.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2

.PHONY: install demo serve test lint docs bench reproduce clean
.DEFAULT_GOAL := install

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# One stamp per set of extras: a second run finds it newer than pyproject.toml and starts at once.
$(VENV)/stamp-base: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/stamp-%: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[$*]'
	@touch $@

install: $(VENV)/stamp-base

demo: $(VENV)/stamp-base
	@$(BIN)/bayesift demo

# The pages to work in, over a stream of docstrings; another workspace: .venv/bin/bayesift serve news.db
serve: $(VENV)/stamp-service
	@$(BIN)/bayesift serve --demo

lint: $(VENV)/stamp-dev
	$(BIN)/ruff check --quiet --output-format concise src tests benchmarks examples docs
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# Doctests are collected from src by pytest (see pyproject.toml).
test: lint
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

# The pages of this version in out/docs/VERSION, and a start page that leads to the newest version there.
docs: $(VENV)/stamp-docs
	$(BIN)/python docs/build.py out/docs

bench: $(VENV)/stamp-bench
	@mkdir -p out
	@for question in benchmarks/[a-z]*.py; do \
	  echo "== $$question"; \
	  $(BIN)/python $$question --json out/$$(basename $$question .py).json || exit 1; \
	done

reproduce: $(VENV)/stamp-bench
	$(BIN)/bayesift reproduce --all --docs docs --readme README.md

clean:
	rm -rf $(VENV) build dist out .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
