# What people and CI call. `make run` and `make test` set up all they need.

HOST ?= 127.0.0.1
PORT ?= 8000
PYTHON := .venv/bin/python
NAMES := python3.11 python3.12 python3.13 python3.14 python3
# A distribution's own is built with optimization; one that was built by hand often is not, and takes a tenth longer.
BASE := $(shell for python in $(addprefix /usr/bin/,$(NAMES)) $(NAMES); do \
	$$python -c 'import ensurepip, sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null && \
	echo $$python && break; done)
MISSING = $(error Python 3.11 to 3.14 is missing. Run: sudo apt-get install python3 python3-venv)
SETUP := @$(or $(BASE),$(shell command -v python3),$(MISSING)) setup
PYTEST := $(PYTHON) -m pytest --numprocesses 2 --durations 25
SYSTEM := browser or processes
ELSEWHERE := $(SYSTEM) or proof or service(only=True)

# Compiled mathematics is kept under the digest of its sources: the next run of this checkout compiles nothing again.
export NUMBA_CACHE_DIR ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/rules-submission-portal
unexport PYTHONDONTWRITEBYTECODE  # else every process compiles Django and all else again, which takes seconds

.PHONY: run test test-service test-system moments check mutants bench crosscheck soak figures drill cluster collection lock

run:  ## the portal with its demo, on http://127.0.0.1:8000; `make run EMPTY=1` begins without filings
	$(SETUP) run
	@$(PYTHON) manage.py $(if $(EMPTY),prepare,demo_history)
	@exec $(PYTHON) manage.py serve --demo --host $(HOST) --port $(PORT)

test:  ## the suite in one process or two, on the embedded defaults
	$(SETUP) test
	@$(PYTEST) -m "not ($(ELSEWHERE))" $(ARGS)

test-service:  ## what depends on the database or the broker, on PostgreSQL and Redis of its own
	$(SETUP) service
	@$(PYTHON) setup/services.py $(PYTEST) -m service $(or $(ARGS),tests/browser tests/portal tests/submissions)

# Those that PostgreSQL can change run there only: a whole portal is not started twice for the same. Browsers and portals
# wait for each other, so two cores have time for a third test.
test-system:  ## the whole portal: used in a browser, started and killed
	$(SETUP) test
	@$(PYTEST) --numprocesses 3 -m "($(SYSTEM)) and not service" $(or $(ARGS),tests/browser tests/portal)

moments:  ## the suite at eight moments of a shifted clock
	$(SETUP) cluster
	@$(PYTHON) -m tests.moments $(PYTEST) -m "not ($(ELSEWHERE))" $(ARGS)

check:  ## style, spelling, types, layers, migrations, known vulnerabilities
	$(SETUP) test
	@$(PYTHON) setup/check.py

mutants:  ## changes each line of permissions, jobs, workflow and judge: a test must notice, or tests/mutants.toml says why not
	$(SETUP) test
	@PATH="$(CURDIR)/.venv/bin:$$PATH" $(PYTHON) setup/mutants.py $(ARGS)

bench:  ## how fast, beside comparable programs
	$(SETUP) test
	@$(PYTHON) -m bench

crosscheck:  ## every wager simulated beside its exact figure, and the Board's figures beside ours, into tests/recorded/
	$(SETUP) test
	@mkdir -p var
	@for page in crosscheck published; do \
		$(PYTHON) -m games $$page > var/$$page.md && mv var/$$page.md tests/recorded/$$page.md || exit 1; done

# The proofs, each recorded in `tests/proofs.toml` if it passes; a stale one alone: `make soak ARGS=tests/…/test_….py`.
# Then 20 filings while workers and broker are killed at random; 10,000 random steps; layouts and API at random; bulk in
# full; more checklists in the browser; 20 configurations of each chapter on pages, in the API and in bulk; 500 forged
# documents; every chapter filed by generated clients. Last, faults made on purpose, which the evidence of a filing must
# find: an hour.
soak:  ## the proofs, and the long variants of tests
	$(SETUP) test
	@$(PYTHON) -m tests.proofs $(ARGS)
	@$(if $(ARGS),,PORTAL_SOAK=20 $(PYTHON) -m pytest tests/portal/test_kills.py tests/portal/test_full_disk.py \
		tests/submissions/test_random_walks.py \
		tests/games/invented tests/submissions/test_invented_chapters.py \
		tests/submissions/documents/test_forgeries.py \
		tests/submissions/layouts/test_reference_drawing.py tests/submissions/layouts/held_set \
		tests/submissions/layouts/probes tests/submissions/layouts/test_paper_pdf.py \
		tests/submissions/layouts/recognition/test_limits.py \
		tests/submissions/one_truth/test_one_truth.py \
		tests/portal/one_portal/test_bulk_kills.py tests/submissions/bulk/test_five_thousand.py \
		tests/submissions/api/test_schemathesis.py tests/submissions/api/test_generated_clients.py \
		tests/submissions/api/test_row_streams.py tests/submissions/api/test_stream_memory.py \
		tests/submissions/api/test_same_words.py \
		tests/games/test_worst_configurations.py tests/games/test_shipped_figures.py \
		tests/submissions/audit/test_changed_history.py \
		tests/browser/test_chapters.py tests/browser/test_whole_path.py tests/browser/test_reference_drawing.py)
	@$(if $(ARGS),,$(PYTHON) -m games faults)

figures:  ## the exact figures that are shipped, computed again where the rules or the mathematics have changed
	$(SETUP) run
	@$(PYTHON) -m games.runs.write_figures

drill:  ## a backup under load, restored elsewhere, compared and continued: on SQLite, and on PostgreSQL of its own
	$(SETUP) service
	@$(PYTHON) -m bench restore
	@$(PYTHON) setup/services.py $(PYTHON) -m bench restore

# CLUSTER_FILINGS=20 for fewer filings, CLUSTER_SEED for the same faults again.
cluster:  ## two machines file and sign 200 times while all they stand on is killed, stopped and cut at random
	$(SETUP) cluster
	@$(PYTHON) setup/services.py $(PYTHON) -m bench.cluster $(ARGS)

# docs/api-first-hour.md has the same command for those who have no copy of this project.
collection:  ## a Postman collection of the API, from its description, into var/
	$(SETUP) test
	@mkdir -p var
	@PATH="$(CURDIR)/.venv/bin:$$PATH" node_modules/.bin/openapi2postmanv2 --spec tests/recorded/openapi.yaml \
		--output var/rules-portal.postman_collection.json \
		--options folderStrategy=Tags,parametersResolution=Example,enableOptionalParameters=false

lock:  ## compile the lock files again
	$(SETUP) test
	@for name in requirements requirements-dev setup/node; do \
		$(PYTHON) -m uv pip compile --quiet --generate-hashes --no-header \
			--python-version 3.11 $$name.in --output-file $$name.txt; done
