# Two commands: `make run` starts the app, `make test` checks everything. Both install what they need.
PYTHON ?= python3
PORT ?= 8501
# the build of PyTorch, cpu or cuda: without a word, cuda where there is an NVIDIA driver
TORCH ?=
TORCH_CPU ?= https://download.pytorch.org/whl/cpu
VENV := .venv
BIN := $(VENV)/bin
# where PYTHONDONTWRITEBYTECODE is set, as in many containers, each of some 80 processes would compile the code again
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder
# pytest's own assert, which explains what failed, doubles the time until the first test: failed tests get it afterwards
EXPLAIN := --last-failed --last-failed-no-failures none
LIVE = $(shell $(BIN)/python -m model recipes --live)

.PHONY: run class test test-all tests test-tools lint format bench docs live screenshots checkpoints clean

run: $(VENV)/run.done
	$(BIN)/streamlit run app.py --server.port $(PORT)

class: $(VENV)/class.done
	sh scripts/servers.sh haproxy
	$(BIN)/python -m hosting --port $(PORT)

test: test-tools
	$(MAKE) --no-print-directory -j2 lint tests

# also what takes long and has a faster test beside it
test-all: test-tools
	$(MAKE) --no-print-directory -j2 lint tests CASES='-m "not full"'

tests:
	$(PYTEST) $(CASES) --assert=plain || { $(PYTEST) $(CASES) $(EXPLAIN); exit 1; }

test-tools: $(VENV)/dev.done
	sh scripts/chromium.sh $(BIN)/python
	OPTIONAL=1 sh scripts/servers.sh haproxy initdb

lint: $(VENV)/dev.done
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/oxlint

format: $(VENV)/dev.done
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/bench.done
	sh scripts/chromium.sh $(BIN)/python
	$(BIN)/python -m benchmarks

docs: $(VENV)/docs.done
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

live: $(VENV)/run.done
	$(BIN)/python -m model live $(LIVE) --out build/live --scorm

screenshots: $(VENV)/dev.done
	sh scripts/chromium.sh $(BIN)/python
	$(BIN)/python -m scripts.screenshots

checkpoints: $(VENV)/run.done
	$(BIN)/python -m model recipes > $(VENV)/recipes
	while read -r command; do $(BIN)/$$command < /dev/null || exit 1; done < $(VENV)/recipes

$(VENV)/run.done: requirements.txt
	$(PYTHON) -m venv $(VENV)
	TORCH=$(TORCH) TORCH_CPU=$(TORCH_CPU) sh scripts/pytorch.sh $(BIN)/python
	$(BIN)/python -m pip install --quiet --requirement requirements.txt
	touch $@

$(VENV)/class.done: requirements-class.txt $(VENV)/run.done
	$(BIN)/python -m pip install --quiet --requirement requirements-class.txt
	touch $@

$(VENV)/dev.done: requirements-dev.txt requirements-ray.txt requirements-class.txt requirements-docs.txt $(VENV)/run.done
	$(BIN)/python -m pip install --quiet --requirement requirements-dev.txt
	touch $@

$(VENV)/docs.done: requirements-docs.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --requirement requirements-docs.txt
	touch $@

$(VENV)/bench.done: requirements-bench.txt $(VENV)/dev.done
	$(BIN)/python -m pip install --quiet --requirement requirements-bench.txt
	touch $@

clean:
	rm -rf $(VENV)
