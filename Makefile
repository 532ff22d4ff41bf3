# Two targets do everything on a fresh Debian machine with Python 3.11: `make demo` and `make test`.

PYTHON ?= python3.11
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
SITE   := example-project/_site/index.html

.PHONY: demo test lint benchmarks dist clean

# The main job on the example project: build its data, run its blocks, render its pages.
demo: $(STAMP)
	$(BIN)/python example-project/build.py
	$(BIN)/famulus-notebook init --update example-project
	$(BIN)/famulus-notebook refresh example-project
	@echo "two verdicts fail and one block ends in error there on purpose (partner.fam, formen.fam)"
	@echo "open $(abspath $(SITE))"

# Everything that must hold: style, types, floors, Lua, and all tests.
test: $(STAMP) system lint
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder --durations=25

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

benchmarks: $(STAMP)
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[bench]'
	$(BIN)/python -m benchmarks

# The wheel for pip and the archive for quarto add.
dist: $(STAMP)
	$(BIN)/pip wheel --quiet --no-deps --wheel-dir dist .
	$(BIN)/python release/extension_archive.py dist

# Chromium and fonts for the tests that look at pages; nothing is installed where they are there already.
.PHONY: system
system:
	@sh .ci/system-packages

$(STAMP): pyproject.toml constraints.txt
	@test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[render,models,mcp,distributed,cards,lab,test]'
	$(BIN)/famulus-notebook kernel install --sys-prefix
	@touch $@

clean:
	rm -rf $(VENV) dist test-results example-project/_site example-project/_famulus example-project/data
