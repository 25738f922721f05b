# Two commands do everything: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
SECONDS ?= 30
# The tests of `make test`; `.ci/run` adds the long ones.
MARKS ?= not real_data and not long
# The suite starts hundreds of interpreters; without bytecode each would compile all its imports.
export PYTHONDONTWRITEBYTECODE :=
# Number of test processes: more than cores, because tests wait for servers and clocks. The
# groups and their order are those of tests/conftest.py.
PROCESSES ?= 3
PYTEST := $(BIN)/pytest -n $(PROCESSES) --dist loadgroup --no-loadscope-reorder

.PHONY: setup demo test quick check unit long soak real bench fuzz mutants docs screenshots wheel lock clean

setup: $(STAMP)

$(STAMP): requirements.lock pyproject.toml
	@./scripts/make-venv $(PYTHON) $(VENV)
	@touch $(STAMP)

demo: setup
	@./scripts/install-chromium
	@$(BIN)/benchloom demo --workspace demo-output

# All checks except the long tests, for people and CI alike. The linters run in parallel with the tests, which spend half
# of their time waiting for servers and clocks.
test: setup
	@$(MAKE) --no-print-directory -j 2 check unit

# The checks and the quickest tests, to run while you write code.
quick: check
	$(PYTEST) tests -m "not slow and not long"

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/deptry .

unit: setup
	@./scripts/install-chromium
	@./scripts/install-minisign
	$(PYTEST) tests -m "$(MARKS)"

# Tests that need many processes and take seconds each: schedules, deployments, clusters, kills,
# hundreds of forgeries, whole rebuilds. `.ci/run` runs them with the tests of `make test`. Only files
# that contain the mark are collected, because collecting all files would take as long as the tests.
long: setup
	@./scripts/install-chromium
	@./scripts/install-minisign
	$(PYTEST) $$(grep -rl mark.long tests --include='test_*.py') -m "long and not real_data"

# All tests, with all samples of repeated tests: more kills, longer limits, more mutants.
soak: export SOAK_TESTS := 1
soak: MARKS := not real_data
soak: unit

# The tests that read the real inputs beside the project; skipped if there are none.
real: setup
	$(PYTEST) $$(grep -rl mark.real_data tests --include='test_*.py') -m real_data

bench: setup
	@$(BIN)/python -m benchmarks

# Mutants of every kind of input, SECONDS for each; findings are kept in fuzz-findings.
fuzz: setup
	@$(BIN)/python -m tests.fuzz --seconds $(SECONDS)

# Plant 200 small faults in the core, one at a time, and count how many the tests detect.
mutants: setup
	@$(BIN)/python -m tests.mutants

# The site of documents, in docs-output; its tests are part of `make test`.
docs: setup
	@$(BIN)/python -m docs

# Screenshots of every page of the demo, light and dark, for desktops and phones; needs chromium.
screenshots: demo
	@$(BIN)/python -m tests.gallery demo-output/releases/0.1.0 screenshots

# The wheel, in dist; leftovers of an earlier build are not packed.
wheel: setup
	rm -rf build dist
	$(BIN)/pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .
	rm -rf build

# The lock names no index and no host.
lock: setup
	$(BIN)/uv pip compile pyproject.toml --all-extras --group weights --universal --generate-hashes \
		--no-emit-index-url --no-emit-find-links --no-annotate --no-header --python-version 3.11 -o requirements.lock

clean:
	rm -rf $(VENV) build dist demo-output bench-output docs-output screenshots mutants
