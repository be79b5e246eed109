# Everything a fresh machine needs is cargo, a C compiler and Python >= 3.11.
PYTHON ?= python3
PROFILE ?= ci
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(shell find crates python -name '*.rs' -o -name '*.py' -o -name '*.toml') Cargo.toml Cargo.lock pyproject.toml

.DEFAULT_GOAL := help

.PHONY: help
help:  ## Show this list.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(VENV)/.tools: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'maturin>=1.9,<2'
	$(BIN)/python -m pip install --quiet numpy scipy mpmath 'pytest>=9' hypothesis 'array-api-strict>=2.6,<3'
	@touch $@

$(VENV)/.dev: $(VENV)/.tools
	$(BIN)/python -m pip install --quiet ruff mypy
	@touch $@

$(VENV)/.bench: $(VENV)/.tools
	$(BIN)/python -m pip install --quiet jax==0.10.2
	@touch $@

$(VENV)/.built: $(VENV)/.tools $(SOURCES)
	VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/maturin develop --profile $(PROFILE) --quiet
	@touch $@

.PHONY: build
build: $(VENV)/.built  ## Build the extension module into a virtual environment.

.PHONY: demo
demo: build  ## One gradient step by step, then the 2-D Ising model by TRG.
	$(BIN)/python examples/ising_trg.py $(ARGS)

.PHONY: test
# The whole workspace, so that dependencies have the features that the extension gives them
# and are compiled once.
test: build  ## All tests: Rust, then Python with doctests.
	cargo test --workspace --profile $(PROFILE) --quiet
	$(BIN)/python -m pytest -q $(ARGS)

.PHONY: fmt
fmt: $(VENV)/.dev  ## Format all code.
	cargo fmt
	$(BIN)/ruff format .

.PHONY: lint
lint: build $(VENV)/.dev  ## Formatting, clippy, ruff, mypy, and stubs against the binary.
	cargo fmt --check
	cargo clippy --profile $(PROFILE) --workspace --all-targets -- -D warnings
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest tenferro_py._native

.PHONY: all
all: lint test  ## What must pass before a change lands.

.PHONY: bench
bench: build $(VENV)/.bench  ## Kernels by criterion, then the comparison with NumPy and JAX.
	cargo bench --workspace --quiet --profile $(PROFILE)
	$(BIN)/python benches/compare/run.py

.PHONY: wheel
wheel: $(VENV)/.tools  ## The wheel that ships, in dist/.
	$(BIN)/maturin build --release --out dist

.PHONY: clean
clean:  ## Remove what was built here.
	rm -rf $(VENV) dist target python/tenferro_py/*.so
