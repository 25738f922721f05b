# Two commands do everything: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
SECONDS ?= 30

.PHONY: setup demo test check unit unit-flows unit-rest bench fuzz golden docs lock clean

setup: $(STAMP)

$(STAMP): requirements.lock pyproject.toml
	@./scripts/make-venv $(PYTHON) $(VENV)
	@touch $(STAMP)

demo: setup
	@./scripts/install-chromium
	@$(BIN)/benchloom demo --workspace demo-output

# Every check, for people and CI alike.
test: check unit

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/deptry .

unit: setup
	@./scripts/install-chromium
	@./scripts/install-minisign
	@$(MAKE) --no-print-directory -j2 unit-flows unit-rest

# Whole pipelines wait more than they compute, so two processes share the suite.
unit-flows:
	$(BIN)/pytest tests/flows tests/demo

unit-rest:
	$(BIN)/pytest tests --ignore=tests/flows --ignore=tests/demo

bench: setup
	@$(BIN)/python -m benchmarks

# Mutants of every kind of input, SECONDS for each; findings are kept in fuzz-findings.
fuzz: setup
	@$(BIN)/python -m tests.fuzz --seconds $(SECONDS)

# The digests of what decides the rows of each stage: renew them where a change of rows is meant.
golden: setup
	@$(BIN)/python -m tests.stage_keys

# The site of documents, in docs-output; its tests are part of `make test`.
docs: setup
	@$(BIN)/python -m docs

# The lock names no index and no host; needs uv on PATH.
lock:
	uv pip compile pyproject.toml --all-extras --universal --generate-hashes --no-emit-index-url \
		--no-emit-find-links --no-annotate --no-header --python-version 3.11 -o requirements.lock

clean:
	rm -rf $(VENV) demo-output bench-output docs-output
