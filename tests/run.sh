#!/bin/sh
# Runs every test that this machine can run: `make test`. Fails when a part fails; the last line names what was skipped and why.
# From the environment: DATABASE_URL and REDIS_URL (else the standard loopback ports are tried), CHROMIUM, PYTEST_ARGS.
set -u
cd "$(dirname "$0")/.."

setup() { sh deploy/setup.sh "$@"; }
postgres=${DATABASE_URL:-postgresql://postgres@127.0.0.1:5432/postgres}
redis=${REDIS_URL:-redis://127.0.0.1:6379/15}
unset DATABASE_URL REDIS_URL
failed='' skipped='' times=''

# part NAME COMMAND …: runs the command, whatever became of the parts before it.
part() {
    name=$1 began=$(date +%s)
    shift
    printf '\n== %s\n' "$name"
    "$@" || failed="$failed${failed:+, }$name"
    times="$times${times:+, }$name $(($(date +%s) - began)) s"
}
skip() { skipped="$skipped${skipped:+, }$1"; }

# shellcheck disable=SC2086  (PYTEST_ARGS are several words)
part 'pytest on SQLite' .venv/bin/python -m pytest -q ${PYTEST_ARGS:-}

if setup answers "$postgres"; then
    # A database name of its own, so that two runs on one server do not meet; pytest makes test_<name> and drops it.
    path=${postgres#*://*/}
    query=${path#"${path%%\?*}"}
    set -- "DATABASE_URL=${postgres%/"$path"}/xunwei_$$$query"
    if setup answers "$redis"; then set -- "$@" "REDIS_URL=$redis"; else skip 'Redis (nothing answers at REDIS_URL or 127.0.0.1:6379)'; fi
    # shellcheck disable=SC2086
    part 'pytest on PostgreSQL' env "$@" .venv/bin/python -m pytest -q ${PYTEST_ARGS:-}
else
    skip 'PostgreSQL and Redis (nothing answers at DATABASE_URL or 127.0.0.1:5432)'
fi

if [ -d tests/e2e ]; then
    if CHROMIUM=$(setup chromium); then
        part 'browser tests' env CHROMIUM="$CHROMIUM" node --test tests/e2e/
    else
        skip 'browser tests (no Chromium is on PATH or named by CHROMIUM)'
    fi
fi

part 'web unit tests' npm --prefix web run --silent test

printf '\nTimes: %s.\n' "$times"
[ -z "$failed" ] || printf 'Failed: %s.\n' "$failed"
printf 'Skipped: %s.\n' "${skipped:-nothing}"
[ -z "$failed" ]
