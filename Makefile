# What can be done here. Every target brings what it needs up to date first; the steps are in deploy/*.sh.

.DEFAULT_GOAL := help
PY := .venv/bin/python
FUZZ := $(addprefix tests/contract/,test_fuzz.py test_ends.py test_hostile_fields.py test_hostile_input.py test_paths.py)
SETUP := @sh deploy/setup.sh
# Some dozens of Python programs are started here: each would compile all sources anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run dev backup restore quick test check fmt api lock licences prove bench shots doctor clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' Makefile

run: ## set everything up and serve it on PORT (8000); Ctrl+C stops it
	$(SETUP) python node catalogue contract console
	@exec $(PY) manage.py serve

dev: ## as run, for building: the console and the server follow every change of a source
	$(SETUP) python-dev node catalogue contract
	@exec $(PY) manage.py serve --reload

backup: ## write database and files to backups/, beside the running server; FILE=… names another file, BACKUPS=… a folder
	$(SETUP) python
	@sh deploy/backup.sh backup "$(FILE)"

restore: ## put the backup FILE=… in the place of an empty installation, the server stopped; REPLACE=1 removes what is there
	$(SETUP) python
	@sh deploy/backup.sh restore "$(FILE)" $(if $(REPLACE),--replace)

quick: ## in a minute, what the change since main may have broken: style, types, texts, rights, wall, touched nouns and tests
	$(SETUP) python-dev node catalogue contract
	@$(PY) -m tests.quick

test: ## all tests: web, Python on SQLite and PostgreSQL, browser; says what was skipped
	$(SETUP) python-dev node catalogue contract console
	@sh tests/run.sh

check: ## formatting, types, arrows, locks; what CI runs before the tests
	$(SETUP) python-dev node catalogue contract
	@sh tests/check.sh

fmt: ## format Python and TypeScript, and mend what can be mended by machine
	$(SETUP) python-dev node
	@$(PY) -m ruff check --fix-only --quiet .
	@$(PY) -m ruff format --quiet .
	@cd web && npm run --silent format

api: ## write the OpenAPI document and the TypeScript types made from it, where the Python has changed
	$(SETUP) python-dev node catalogue contract

lock: ## write deploy/requirements/*.txt from *.in (needs uv)
	@sh deploy/setup.sh lock

licences: ## write docs/licences.md and docs/sbom.json from the locks and what is installed
	$(SETUP) python-dev node
	@$(PY) deploy/licences.py

prove: ## the long proofs: kill -9 under load, one winner, 2,000 rounds; all tests and the fuzzed document on both databases
	$(SETUP) python-dev node catalogue contract console
	@$(PY) -m tests.prove.kill --database sqlite
	@$(PY) -m tests.prove.kill --database postgresql
	@$(PY) -m tests.prove.kill --of maintenance --database sqlite
	@$(PY) -m tests.prove.kill --of maintenance --database postgresql
	@$(PY) -m tests.prove.claims
	@$(PY) -m tests.prove.mixed
	@$(PY) -m tests.prove.handed
	@$(PY) -m tests.prove.race
	@$(PY) -m tests.prove.timers
	@$(PY) -m tests.prove.jobs
	@$(PY) -m tests.prove.tasks
	@$(PY) -m tests.prove.ledger --database sqlite
	@$(PY) -m tests.prove.ledger --database postgresql
	@$(PY) -m tests.prove.fair --database sqlite
	@$(PY) -m tests.prove.fair --database postgresql
	@$(PY) -m tests.prove.sign_in --database sqlite
	@$(PY) -m tests.prove.sign_in --database postgresql
	@$(PY) -m tests.prove.front_door --database sqlite
	@$(PY) -m tests.prove.front_door --database postgresql
	@$(PY) -m tests.prove.neighbours --database sqlite
	@$(PY) -m tests.prove.neighbours --database postgresql
	@$(PY) -m tests.prove.sheets --database sqlite
	@$(PY) -m tests.prove.sheets --database postgresql
	@$(PY) -m tests.prove.depth
	@$(PY) -m tests.prove.walks
	@$(PY) -m tests.prove.forecast
	@$(PY) -m tests.prove.restore --database sqlite
	@$(PY) -m tests.prove.restore --database postgresql
	@DEMO_DAYS=all $(PY) -m pytest -q -n 0 --timeout=1800 tests/project/test_demo_days.py
	@TAMPERINGS=200 $(PY) -m pytest -q --timeout=3600 tests/core/audit/test_seals.py
	@[ -n "$$FLOWABLE_MODELS" ] || echo "elsewhere and traces are skipped: FLOWABLE_MODELS names no folder"
	@[ -z "$$FLOWABLE_MODELS" ] || $(PY) -m tests.prove.elsewhere
	@[ -z "$$FLOWABLE_MODELS" ] || $(PY) -m tests.prove.traces
	@FOLLOWED=10000 $(PY) -m pytest -q -s --timeout=3600 tests/workflows/workbench/test_follow_many.py
	@MACHINE_EXAMPLES=200 MACHINE_STEPS=40 $(PY) -m pytest -q --timeout=3600 tests/workflows/test_instances_machine.py
	@GRANT_EXAMPLES=5000 GRANT_STEPS=10 $(PY) -m pytest -q -s --timeout=14400 tests/core/access/test_grant_sequences.py
	@EDIT_ROWS=50 $(PY) -m pytest -q --timeout=3600 tests/contract/test_changes.py -k nothing_is_lost
	@HOSTILE=all $(PY) -m pytest -q --timeout=1800 tests/workflows/engine/test_hostile_models.py
	@SENT_BACK_WALKS=500 $(PY) -m pytest -q --timeout=7200 tests/workflows/engine/test_sending_back_walks.py
	@COUNTERSIGNS=100 DATABASE_URL=$${DATABASE_URL:-postgresql://postgres@127.0.0.1:5432/xunwei_signers} \
		$(PY) -m pytest -q -n 0 --timeout=1800 tests/workflows/runtime/test_signers.py -k moment
	@EXTREMES=2000 $(PY) -m pytest -q -n 0 --timeout=3600 tests/workflows/engine/test_engine_effort.py -k "made_up or large"
	@STEP_COST=1 DATABASE_URL=$${DATABASE_URL:-postgresql://postgres@127.0.0.1:5432/xunwei_cost} \
		$(PY) -m pytest -q -s -n 0 --timeout=3600 tests/workflows/runtime/test_step_cost.py
	@BROKEN_MODELS=all $(PY) -m pytest -q --timeout=1800 tests/workflows/workbench/test_broken_models.py
	@LIFE_EXAMPLES=100 LIFE_STEPS=25 $(PY) -m pytest -q --timeout=3600 tests/core/maintenance/test_life.py
	@$(PY) -m pytest -q -n 2
	@DATABASE_URL=$${DATABASE_URL:-postgresql://postgres@127.0.0.1:5432/xunwei_all} $(PY) -m pytest -q -n 2 --database-only
	@FUZZ_EXAMPLES=300 $(PY) -m pytest -q -n 2 --timeout=1800 $(FUZZ) tests/contract/test_lists.py
	@FUZZ_EXAMPLES=300 DATABASE_URL=$${DATABASE_URL:-postgresql://postgres@127.0.0.1:5432/xunwei_fuzz} \
		$(PY) -m pytest -q -n 2 --timeout=1800 $(FUZZ)
	@LANGUAGES=all node --test --test-concurrency=2 $(addprefix tests/e2e/,countersign.test.mjs tailored.test.mjs \
		screens-zh.test.mjs)

bench: ## lists and steps beside their bare statements, on both databases, and the designer; asserts nothing
	$(SETUP) python-dev node catalogue contract console
	@$(PY) -m tests.bench --database sqlite
	@$(PY) -m tests.bench --database postgresql
	@$(PY) -m tests.bench --database postgresql --only inbox
	@$(PY) -m tests.bench --database postgresql --only records
	@node tests/bench/designer.mjs

shots: ## pictures of a running server's pages; see web/scripts/shots.mjs for SHOTS_…
	$(SETUP) node
	@cd web && npm run --silent shots

doctor: ## say what this machine lacks and how to get it
	@sh deploy/setup.sh doctor

clean: ## remove what was built, not the data in DATA_DIR
	rm -rf .venv web/node_modules web/dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find core workflows tests -name __pycache__ -prune -exec rm -rf {} +
	find core/locale -name '*.mo' -delete
