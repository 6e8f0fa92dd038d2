# `make` lists the verbs. `make demo` and `make test` do all the set-up they need, and can be run again.

SHELL := /bin/sh
.DEFAULT_GOAL := help
PYTHON3 ?= python3
PYTHON := .venv/bin/python
TOOLS := .make/tools-venv
CARGO := cargo
# Versions and hashes of every package that is installed; `make lock` renews them.
INSTALL := -m pip install --quiet --require-hashes --requirement
# The package itself: its dependencies and what builds it are installed already.
BUILD := PATH="$(CURDIR)/.venv/bin:$$PATH" $(PYTHON) -m pip install --quiet --no-deps --no-build-isolation --editable .
SOURCES := pyproject.toml $(wildcard rust/*.toml rust/*.lock rust/*/*.toml) $(shell find rust -name "*.rs" -not -path "rust/target/*")

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' Makefile

.PHONY: demo
demo: .make/package ## build, install and run a complete example
	@$(PYTHON) -m textbayes demo

# Hundreds of processes of the tests import what the first one has compiled.
test test-slow: export PYTHONDONTWRITEBYTECODE :=

.PHONY: test
test: .make/dev ## run the tests for every day
	$(CARGO) test --locked --quiet --manifest-path rust/Cargo.toml -p textbayes-core
	-@$(PYTHON) requirements/system.py .make/system
	$(PYTHON) -m pytest -n auto --dist loadfile --no-loadscope-reorder -m "not slow"

.PHONY: test-slow
test-slow: .make/dev ## run the slow tests, and Hypothesis with many examples
	-@$(PYTHON) requirements/system.py .make/system
	TEXTBAYES_EXAMPLES=many $(PYTHON) -m pytest -m "slow or hypothesis"
	$(MAKE) fuzz FUZZ_SECONDS=20

# FUZZ_SECONDS is the time for each of the targets in rust/core/tests/fuzz.rs.
.PHONY: fuzz
fuzz: FUZZ_SECONDS ?= 60
fuzz: ## try random texts and files on the core, FUZZ_SECONDS=60 for each target
	FUZZ_SECONDS=$(FUZZ_SECONDS) $(CARGO) test --release --quiet --locked --manifest-path rust/Cargo.toml -p textbayes-core --test fuzz

# Miri interprets the tests of everything that is unsafe or below it. It is part of nightly Rust.
MIRI_TESTS := column:: memory:: varint:: threads:: statistics::packed
.PHONY: miri
miri: ## check the unsafe code of the core with Miri, where it is installed
	@if $(CARGO) +nightly miri --version >/dev/null 2>&1; then \
		MIRIFLAGS=-Zmiri-disable-isolation $(CARGO) +nightly miri test --manifest-path rust/Cargo.toml -p textbayes-core --lib -- $(MIRI_TESTS); \
	else \
		echo "make miri: skipped, Miri is missing (rustup component add --toolchain nightly miri rust-src)"; \
	fi

.PHONY: check
check: .make/dev ## lint, format, types, layers, Rust lints and tests, audit
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	$(PYTHON) -c "from importlinter.cli import lint_imports_command; lint_imports_command()"
	$(CARGO) fmt --manifest-path rust/Cargo.toml --all --check
	$(CARGO) clippy --locked --quiet --manifest-path rust/Cargo.toml --workspace --all-targets -- -D warnings
	$(CARGO) test --locked --quiet --manifest-path rust/Cargo.toml -p textbayes-core
	@$(MAKE) --no-print-directory audit

.PHONY: audit
audit: .make/tools ## look for dependencies with known vulnerabilities, unknown sources or other licences
	@$(TOOLS)/bin/python requirements/audit.py

.PHONY: lock
lock: .make/tools ## renew the versions and hashes in requirements/ and rust/Cargo.lock
	@$(TOOLS)/bin/python requirements/lock.py
	$(CARGO) update --quiet --manifest-path rust/Cargo.toml

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
		$(PYTHON3) $(INSTALL) requirements/venv.txt --target .make/virtualenv && \
		PYTHONPATH=.make/virtualenv $(PYTHON3) -m virtualenv --quiet .venv; }
	@touch $@

.make/package: .make/venv $(SOURCES) requirements/run.txt
	$(PYTHON) $(INSTALL) requirements/run.txt
	$(BUILD)
	@touch $@

.make/dev: .make/venv $(SOURCES) requirements/dev.txt
	$(PYTHON) $(INSTALL) requirements/dev.txt
	$(BUILD)
	@touch $@ .make/package

.make/docs: .make/dev requirements/docs.txt
	$(PYTHON) $(INSTALL) requirements/docs.txt
	@touch $@

# Tools that look at dependencies, apart from the packages that the tests use.
.make/tools: .make/venv requirements/tools.txt
	$(PYTHON3) -m venv $(TOOLS) || PYTHONPATH=.make/virtualenv $(PYTHON3) -m virtualenv --quiet $(TOOLS)
	$(TOOLS)/bin/python $(INSTALL) requirements/tools.txt
	@touch $@
