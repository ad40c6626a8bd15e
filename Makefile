# make run and make test do all set-up on a machine with Python 3.11+, pip and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: install run test check bench golden lock clean

run: $(STAMP)
	@$(BIN)/assay demo
	@$(BIN)/assay serve

test: check
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile --ignore tests/browser $(PYTEST_ARGS)
	$(BIN)/python -m pytest tests/browser $(PYTEST_ARGS)

check: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

bench: $(STAMP)
	$(BIN)/python -m tests.bench

# Writes the golden report of the tests and docs/report.schema.json anew, after a change of the report.
golden: $(STAMP)
	$(BIN)/python -m tests.golden.write_report

install: $(STAMP)

$(STAMP): requirements-dev.lock requirements-llm.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Assay needs Python 3.11 or newer, not " + sys.version.split()[0]) if sys.version_info < (3, 11) else 0'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-llm.lock
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index -e .
	@touch $@

# Only for those who change the dependencies; needs uv.
lock:
	uv pip compile pyproject.toml --generate-hashes --no-emit-index-url --no-header --universal --python-version 3.11 -o requirements.lock
	uv pip compile pyproject.toml --extra dev -c requirements.lock --generate-hashes --no-emit-index-url --no-header --universal --python-version 3.11 -o requirements-dev.lock

clean:
	rm -rf $(VENV) build *.egg-info
