# Everything a person or a machine needs to do here. `make help` lists it.
SHELL := /bin/sh
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help run test torture check bench clean lock packages pictures dist

help: ## list what can be made
	@grep -E '^[a-z]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 10

run: .venv/run ## start the service on 127.0.0.1:8000 with an embedded database
	@FRONTDESK_WEBHOOK_ALLOW_PRIVATE=$${FRONTDESK_WEBHOOK_ALLOW_PRIVATE:-on} FRONTDESK_SIGN_UP=$${FRONTDESK_SIGN_UP:-on} exec $(BIN)/frontdesk serve --sandbox

# Four processes for two cores: tests also wait, for programs that start and for other processes.
# They all import the same files, so the first one stores them compiled, whatever the environment says.
# The order is random. FRONTDESK_TEST_ORDER=123456 repeats the order of a seed that a run wrote, FRONTDESK_TEST_ORDER=files
# keeps that of the files.
test: .venv/dev ## run the whole test suite
	@$(BIN)/python tests/prepare.py
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 4 --dist worksteal

torture: .venv/dev ## run the long form of the tests that have one (hundreds of repetitions)
	@$(BIN)/python tests/prepare.py --torture
	@FRONTDESK_TEST_LONG=$${FRONTDESK_TEST_LONG:-600} $(BIN)/python -m pytest -m torture

check: .venv/dev node_modules client-ts/src/schema.ts ## format, lint, types, the direction of imports, the published descriptions, SQL and templates
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/frontdesk changelog --check
	@$(BIN)/node node_modules/.bin/biome check --error-on-warnings
	@$(BIN)/node node_modules/.bin/tsc
	@$(BIN)/node node_modules/.bin/tsc -p client-ts --noEmit
	@$(BIN)/python -m pytest --noconftest --no-header -q tests/architecture/test_sql.py \
		tests/architecture/test_migrations.py tests/architecture/test_templates.py

bench: .venv/dev ## measure against the references of bench/ (see bench/README.md)
	@$(BIN)/python -m bench

# The service offers the TypeScript client, and has no compiler of its own.
packages: client-ts/src/schema.ts client-ts/node_modules ## compile the TypeScript client and copy the examples into frontdesk/packages
	@$(BIN)/node client-ts/node_modules/.bin/tsc -p client-ts
	@rm -rf frontdesk/packages/typescript
	@mkdir frontdesk/packages/typescript
	@cp client-ts/dist/* client-ts/package.json client-ts/README.md frontdesk/packages/typescript
	@rm frontdesk/packages/typescript/schema.*
	@$(BIN)/python -m release.examples

pictures: .venv/dev ## take the pictures of the guides again
	@GUIDE_PICTURES=on $(BIN)/python -m pytest -q --timeout 1200 -k "mouse or new_owner" tests/ui/test_a_day_in_a_browser.py \
		tests/ui/setup/test_new_business_in_a_browser.py

dist: .venv/dev ## build what is released from the last commit into dist/ (docs/releasing.md)
	@$(BIN)/python -m release

clean: ## take away what was built; data in .frontdesk stays
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis node_modules build dist client-ts/node_modules client-ts/dist client-ts/src/schema.ts

lock: .venv/dev ## write requirements/*.txt and package-lock.json anew, with newer versions
	@for set in run dev moto generator; do (cd requirements && ../$(BIN)/pip-compile -q --upgrade --generate-hashes --allow-unsafe \
		--no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-header --strip-extras \
		-o $$set.txt $$set.in) || exit 1; done
	@$(BIN)/npm update --silent --package-lock-only
	@cd client-ts && ../$(BIN)/npm update --silent --package-lock-only
	@$(BIN)/python -c "import json, pathlib; file = pathlib.Path('package-lock.json'); lock = json.loads(file.read_text()); \
		[package.pop('funding', None) for package in lock['packages'].values()]; \
		file.write_text(json.dumps(lock, indent=2, ensure_ascii=False) + chr(10))"

.venv/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Frontdesk needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "$(PYTHON) cannot make virtual environments: on Debian and Ubuntu, apt-get install python3-venv" >&2; exit 2; }
	@echo "making .venv and installing the locked packages; this happens once" >&2
	@$(PYTHON) -m venv .venv
	@touch $@

.venv/run: requirements/run.txt pyproject.toml client/pyproject.toml | .venv/python
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.txt
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable client --editable .
	@touch $@

.venv/dev: requirements/dev.txt .venv/run
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

# The types of the TypeScript client are made from the description, which is why they are not stored.
client-ts/src/schema.ts: $(wildcard frontdesk/apis/openapi/versions/*/open-api.json) frontdesk/packages/schema_types.py .venv/dev
	@$(BIN)/frontdesk openapi open-api --typescript > $@

client-ts/node_modules: client-ts/package-lock.json .venv/dev
	@cd client-ts && ../$(BIN)/npm ci --silent --ignore-scripts
	@touch $@

# Node comes with requirements/dev.txt; what checks the scripts and style sheets comes from npm's registry.
node_modules: package-lock.json .venv/dev
	@$(BIN)/npm ci --silent
	@touch $@
