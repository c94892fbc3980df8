#!/bin/sh
# Checks what needs no running program: formatting, types, arrows between packages, generated files, locks.
# All checks run; the last line names those that failed. See `make check`.
set -u
cd "$(dirname "$0")/.."
BIN=.venv/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=""
unset DATABASE_URL REDIS_URL

check() { # $1: a name; the rest: the command, quiet unless it fails
    name=$1
    shift
    if "$@" >"$work/out" 2>&1; then
        printf '  ok      %s\n' "$name"
    else
        printf '  FAILED  %s\n' "$name"
        head -n 40 "$work/out" | sed 's/^/          /'
        failed="$failed, $name"
    fi
}

# The generated files are made anew elsewhere and compared, so that an uncommitted tree can be checked too.
openapi() {
    DATA_DIR=$work/data $BIN/python manage.py spectacular --format openapi-json --file "$work/schema.json" &&
        diff web/src/api/schema.json "$work/schema.json"
}
types() {
    (cd web && npx --no-install openapi-typescript src/api/schema.json -o "$work/schema.d.ts" \
        --default-non-nullable=false) &&
        diff web/src/api/schema.d.ts "$work/schema.d.ts" &&
        (cd web && node scripts/nouns.mjs src/api/schema.json "$work/nouns") &&
        diff -r web/src/api/nouns "$work/nouns"
}
migrations() { DATA_DIR=$work/data $BIN/python manage.py makemigrations --check --dry-run; }
locks() { ! grep -n '://' deploy/requirements/*.txt && ! grep -n '"resolved"' web/package-lock.json; }

check "Python style (ruff check)" $BIN/ruff check .
check "Python format (ruff format)" $BIN/ruff format --check .
check "Python types (mypy)" env DATA_DIR="$work/data" $BIN/mypy
check "arrows between packages (import-linter)" $BIN/lint-imports
check "migrations fit the models" migrations
check "web style and types (biome, tsc)" env NO_COLOR=1 npm --prefix web run --silent check
check "OpenAPI document is up to date (else: make api)" openapi
check "TypeScript types are up to date (else: make api)" types
check "locks hold no address" locks
check "licences are listed (else: make licences)" $BIN/python deploy/licences.py --check

[ -z "$failed" ] && echo "All checks passed." && exit 0
printf 'Failed: %s\n' "${failed#, }"
exit 1
