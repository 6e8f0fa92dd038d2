# `make` lists the verbs. `make demo` and `make test` do all the set-up they need, and can be run again.

SHELL := /bin/sh
.DEFAULT_GOAL := help
PYTHON3 ?= python3
PYTHON := .venv/bin/python
CARGO := cargo
SOURCES := pyproject.toml $(wildcard rust/*.toml rust/*.lock rust/*/*.toml) $(shell find rust -name "*.rs" -not -path "rust/target/*")

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' Makefile

.PHONY: demo
demo: .make/package ## build, install and run a complete example
	@$(PYTHON) -m textbayes demo

.PHONY: test
test: .make/dev ## run the fast tests
	$(CARGO) test --quiet --manifest-path rust/Cargo.toml -p textbayes-core
	$(PYTHON) -m pytest -n auto --dist worksteal -m "not slow"

.PHONY: test-slow
test-slow: .make/dev ## run the slow tests
	$(PYTHON) -m pytest -m slow

.PHONY: check
check: .make/dev ## lint, format, types, layers, Rust lints and tests
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	$(PYTHON) -c "from importlinter.cli import lint_imports_command; lint_imports_command()"
	$(CARGO) fmt --manifest-path rust/Cargo.toml --all --check
	$(CARGO) clippy --quiet --manifest-path rust/Cargo.toml --workspace --all-targets -- -D warnings
	$(CARGO) test --quiet --manifest-path rust/Cargo.toml -p textbayes-core

.PHONY: bench
bench: .make/dev ## run the benchmarks
	$(PYTHON) benchmarks/text_counting.py
	$(PYTHON) benchmarks/classifiers.py
	$(PYTHON) benchmarks/leave_one_out.py
	$(PYTHON) benchmarks/scale.py
	$(PYTHON) benchmarks/mixture.py
	$(PYTHON) benchmarks/linear_svm.py

.PHONY: papers
papers: .make/package ## reproduce the tables of the papers: papers.html and papers.json
	$(PYTHON) -m textbayes papers report

.PHONY: docs
docs: .make/docs ## build the documentation in site/
	$(PYTHON) -m mkdocs build --strict

.PHONY: format
format: .make/dev ## format Python and Rust
	$(PYTHON) -m ruff check --fix-only --quiet .
	$(PYTHON) -m ruff format --quiet .
	$(CARGO) fmt --manifest-path rust/Cargo.toml --all

.PHONY: clean
clean: ## remove everything that was built
	rm -rf .venv .make rust/target site dist
	find src -name '*.so' -delete

# The environment. A Python without the venv module (Debian packages it apart) gets virtualenv instead.
.make/venv:
	@command -v cargo >/dev/null || { echo "textbayes has a Rust core: install Rust 1.85 or later (rustup.rs), then run make again." >&2; exit 1; }
	@$(PYTHON3) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "textbayes needs Python 3.11 or later: make PYTHON3=python3.12 ..." >&2; exit 1; }
	@mkdir -p .make
	$(PYTHON3) -m venv .venv || { \
		$(PYTHON3) -m pip install --quiet --target .make/virtualenv virtualenv && \
		PYTHONPATH=.make/virtualenv $(PYTHON3) -m virtualenv --quiet .venv; }
	$(PYTHON) -m pip install --quiet --upgrade pip
	@touch $@

.make/package: .make/venv $(SOURCES)
	$(PYTHON) -m pip install --quiet --editable .
	@touch $@

.make/dev: .make/venv $(SOURCES)
	$(PYTHON) -m pip install --quiet --editable '.[dev]'
	@touch $@ .make/package

.make/docs: .make/venv $(SOURCES)
	$(PYTHON) -m pip install --quiet --editable '.[dev,docs]'
	@touch $@
