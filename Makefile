# Every task of the project; `make` alone lists them. The steps that prepare the checkout are in deploy/setup.sh.
.DEFAULT_GOAL := help
.PHONY: help dev-venv run test check format types arrows api-check locks web-check shots api fmt lock doctor clean
SHELL := /bin/sh
SETUP := sh deploy/setup.sh
BIN := .venv/bin
# What reads the settings without being the server gets a data folder of its own, so that it never touches var/.
ASIDE := env -u DATABASE_URL -u REDIS_URL DATA_DIR=.make/data

help: ## List the tasks
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

run: ## Set up what is missing and start everything; PORT, DATA_DIR, DATABASE_URL … see README.md
	@$(SETUP) venv run
	@$(SETUP) dist
	@$(SETUP) catalogue
	@exec $(BIN)/python manage.py serve

dev-venv:
	@$(SETUP) venv dev
	@$(SETUP) catalogue
	@mkdir -p .make

test: dev-venv ## Run every test that this machine can run; the last line names what was skipped
	@$(SETUP) dist
	@sh tests/run.sh

check: format types arrows locks api-check web-check ## Check form, types, arrows between packages, locks and generated files
	@echo 'check: all well'

format: dev-venv
	@echo 'ruff …'
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check . || { echo 'Run `make fmt`.'; exit 1; }

types: dev-venv
	@echo 'mypy …'
	@$(ASIDE) $(BIN)/mypy --no-error-summary

arrows: dev-venv
	@echo 'import-linter …'
	@$(BIN)/lint-imports --cache-dir .make/arrows --no-logo > .make/arrows.txt || { cat .make/arrows.txt; exit 1; }

locks:
	@echo 'locks …'
	@! grep -Hn '://' deploy/requirements/*.txt || { echo 'A lock file names a host; use `make lock`.'; exit 1; }
	@! grep -Hn '"resolved"' web/package-lock.json || { echo 'web/package-lock.json names a host; see web/.npmrc.'; exit 1; }

api-check: dev-venv
	@echo 'OpenAPI document and types …'
	@$(SETUP) npm
	@$(ASIDE) $(BIN)/python manage.py spectacular --format openapi-json --file .make/schema.json
	@cmp .make/schema.json web/src/api/schema.json || { echo 'The calls have changed: run `make api`.'; exit 1; }
	@cp web/src/api/schema.d.ts .make/schema.d.ts
	@cd web && npm run --silent api > ../.make/api.txt
	@cmp .make/schema.d.ts web/src/api/schema.d.ts || { echo 'The types were not current; they are now.'; exit 1; }

web-check:
	@$(SETUP) npm
	@echo 'biome and tsc …'
	@cd web && npm run --silent check

api: dev-venv ## Regenerate the OpenAPI document and the console's types
	@$(SETUP) npm
	@$(ASIDE) $(BIN)/python manage.py spectacular --format openapi-json --file web/src/api/schema.json
	@cd web && npm run --silent api

shots: ## Take pictures of the console of a running server (SHOTS_URL, SHOTS_ACCOUNT … see web/scripts/shots.mjs)
	@$(SETUP) npm
	@cd web && npm run --silent shots

fmt: dev-venv ## Format all sources
	@$(BIN)/ruff check --quiet --fix . ; $(BIN)/ruff format --quiet .
	@$(SETUP) npm
	@cd web && npm run --silent format

lock: ## Renew the Python locks from deploy/requirements/*.in; needs uv
	@command -v uv > /dev/null || { echo 'xunwei: uv is needed to renew the locks: pip install uv'; exit 1; }
	@cd deploy/requirements && for set in run dev; do \
	  echo "Locking $$set.in …"; \
	  uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
	    --no-annotate $$set.in -o $$set.txt || exit 1; \
	done

doctor: ## Say what is missing on this machine and how to repair it
	@$(SETUP) doctor

clean: ## Remove what was built or installed; the data in var/ stays
	rm -rf .venv .make .mypy_cache .ruff_cache .pytest_cache web/node_modules web/dist core/locale/*/LC_MESSAGES/*.mo
	find core workflows tests -name __pycache__ -prune -exec rm -rf {} +
