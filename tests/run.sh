#!/bin/sh
# Runs every test that this machine can run (`make test`). All parts run; the last line names what was skipped and why.
# From the environment: DATABASE_URL and REDIS_URL (else the usual loopback ports are tried), CHROMIUM, PYTEST_ARGS.
set -u
cd "$(dirname "$0")/.."
PY=.venv/bin/python
work=$(mktemp -d)
trap '$PY -m tests.databases drop "$work/postgres.database"; rm -rf "$work"' EXIT
postgres=${DATABASE_URL:-postgresql://postgres@127.0.0.1:5432/postgres}
redis=${REDIS_URL:-redis://127.0.0.1:6379/15}
# The shell without windows comes first: it needs less than half of the processor's time.
browser=${CHROMIUM:-$(command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || true)}
unset DATABASE_URL REDIS_URL
failed="" skipped="" times=""

part() { # $1: a name; the rest: the command
    name=$1 began=$(date +%s)
    shift
    printf '\n== %s\n' "$name"
    "$@" || failed="$failed, $name"
    times="$times, $name $(($(date +%s) - began)) s"
}
skip() { skipped="$skipped; $1"; }

# Pytest's closing lines say why a test was skipped; they are kept in the file $1.
suite() { # $1: a name; the rest: for pytest
    name_of_suite=$1
    shift
    # Where no database could be kept, each worker builds its own.
    KEPT_DATABASE="$work/$name_of_suite.database"
    [ -d "$KEPT_DATABASE" ] || KEPT_DATABASE=""
    export KEPT_DATABASE
    # shellcheck disable=SC2086  (PYTEST_ARGS are several words)
    { $PY -m pytest -q -rs -n 3 --dist loadgroup "$@" ${PYTEST_ARGS:-}; echo $? >"$work/code"; } 2>&1 | tee "$work/out"
    unset KEPT_DATABASE
    grep '^SKIPPED' "$work/out" | sed 's/^SKIPPED \[[0-9]*\] //' | sort >"$work/$name_of_suite"
    return "$(cat "$work/code")"
}
postgres_answers() {
    # The server counts: the database that DATABASE_URL names need not be there yet.
    $PY -c 'import sys, psycopg; from urllib.parse import urlsplit
psycopg.connect(urlsplit(sys.argv[1])._replace(path="/postgres").geturl(), connect_timeout=3)' "$postgres" 2>/dev/null
}
# A database of its own, so that two runs on one server do not meet; pytest makes test_<name> and drops it.
own_database() {
    $PY -c 'import sys; from urllib.parse import urlsplit
print(urlsplit(sys.argv[1])._replace(path=f"/xunwei_{sys.argv[2]}").geturl())' "$postgres" $$
}
redis_answers() {
    $PY -c 'import sys, redis; redis.Redis.from_url(sys.argv[1], socket_connect_timeout=3).ping()' "$redis" 2>/dev/null
}

# Built beside the first part, which leaves some of the processor idle: a database with the cast for each run of pytest,
# whose workers copy it (the first also compiles all tests, which each worker would do), and the demo plant that all
# browser tests share.
keep_database() { # $1: the name of a suite; the rest: for pytest, which runs one test
    name_of_suite=$1
    shift
    $PY -m pytest -q -n 0 --keep-database "$work/$name_of_suite.database" "$@"
}
keep_databases() {
    keep_database sqlite && [ -z "$own" ] || DATABASE_URL=$own keep_database postgres tests/core/kernel
}
own=""
postgres_answers && own=$(own_database)
keep_databases >"$work/databases.out" 2>&1 &
databases=$!
if [ -n "$browser" ]; then
    export CHROMIUM="$browser" PLANT="$work/plant"
    node tests/e2e/plant.mjs >"$work/plant.out" 2>&1 &
    plant=$!
fi

part "web" npm --prefix web run --silent test
if redis_answers; then
    export REDIS_URL="$redis"
else
    skip "Redis (nothing answers at ${redis##*@})"
fi
wait "$databases" || cat "$work/databases.out"
# Python's own test of a server begins with the plant too; where it could not be built, the browser's part says why.
[ -z "$browser" ] || wait "$plant" || unset PLANT
contract=tests/contract identity=tests/core/identity bench=tests/workflows/workbench
repair=tests/core/maintenance runtime=tests/workflows/runtime rounds=tests/core/rounds upkeep=tests/core/preventive
if [ -n "$own" ]; then
    # PostgreSQL is the stricter about what comes in, the one where statements cost a way, and the one with many writers
    # and a policy on each table: rules whose statements are the same on both are tried there. What the embedded database
    # does with them is seen in the browser's part, whose servers stand on it.
    left=""
    for path in $contract/test_hostile_input.py $contract/test_hostile_fields.py $contract/test_ends.py \
        $contract/test_statements.py $contract/test_changes.py tests/workflows/test_instances_machine.py $runtime \
        $bench/test_manager.py $bench/test_follow.py $bench/test_suspending.py $bench/test_moving.py \
        $bench/test_calls_and_messages.py $bench/test_times.py $bench/test_overview.py $identity/test_tokens.py \
        $identity/test_lockout.py $identity/test_tenants.py $identity/test_clients.py tests/core/desk/test_leave.py \
        tests/core/sheetjobs $repair/test_life.py $repair/test_story.py $repair/test_written.py \
        $repair/test_plate_reports.py tests/core/equipment/test_tags.py $rounds/test_life.py $rounds/test_scans.py \
        $rounds/test_findings.py $rounds/test_planning.py $rounds/test_asked.py $rounds/test_startup.py \
        $upkeep/test_orders.py $upkeep/test_own_model.py $upkeep/test_calendar.py $upkeep/test_dates.py \
        tests/core/metrics/test_home.py; do
        left="$left --without-database $path"
    done
    # shellcheck disable=SC2086  (the paths are several words)
    part "Python on SQLite" suite sqlite $left
    export DATABASE_URL="$own"
    # What never comes near a statement, or only with those that Django writes for it, is tried on one database only;
    # each noun's tables are written to here by test_changes. The wall of the queries is tried where it stands alone; the
    # one of PostgreSQL has tests of its own.
    part "Python on PostgreSQL" suite postgres --database-only --ignore=$contract/test_fuzz.py \
        --ignore=$contract/test_list_statements.py --ignore=$contract/test_nouns.py --ignore=$contract/test_shapes.py \
        --ignore=$contract/test_mass_assignment.py \
        --ignore=$contract/test_lists.py --ignore=$contract/test_paths.py --ignore=$contract/test_rights.py \
        --ignore=$contract/test_wall.py --ignore=$contract/test_sheets.py --ignore=tests/core/kernel/test_sheets.py \
        --ignore=$contract/test_selects.py --ignore=tests/core/scheduling/test_credentials.py \
        --ignore=$identity/test_captchas.py --ignore=$identity/test_departments.py --ignore=$identity/test_users.py \
        --ignore=$identity/test_forgeries.py --ignore=$identity/test_token_kinds.py --ignore=$identity/test_passwords.py \
        --ignore=$identity/test_open_dialect.py --ignore=$identity/test_error_reports.py \
        --ignore=$identity/test_public_calls.py --ignore=$identity/test_tickets.py --ignore=$repair/test_rules.py \
        --ignore=tests/core/access \
        --ignore=tests/core/cases/test_comments.py --ignore=tests/core/storage --ignore=tests/core/system \
        --ignore=$bench/test_gate.py --ignore=$bench/test_broken_models.py --ignore=$bench/test_upload.py \
        --ignore=$bench/test_drafts.py --ignore=$bench/test_dry_run.py --ignore=$bench/test_candidates.py \
        --ignore=tests/workflows/engine/test_hostile_models.py --ignore=tests/project/test_demo.py \
        --ignore=$rounds/test_schedule_machine.py --ignore=$rounds/test_stoppage_machine.py \
        --ignore=tests/core/shifts/test_plans.py --ignore=tests/core/inspection/test_routes.py \
        --ignore=tests/core/inspection/test_standards.py --ignore=tests/core/equipment/test_classes.py \
        --ignore=tests/core/equipment/test_card.py --ignore=tests/core/equipment/test_deadlines.py \
        --ignore=tests/core/desk/test_leave_records.py
    unset DATABASE_URL
    # Only what neither run could do was skipped.
    comm -12 "$work/sqlite" "$work/postgres" >"$work/skips"
else
    part "Python on SQLite" suite sqlite
    skip "Python on PostgreSQL (nothing answers at ${postgres##*@})"
    cp "$work/sqlite" "$work/skips"
fi
while read -r line; do skip "$line"; done <"$work/skips"

unset REDIS_URL
browser_tests() {
    [ -n "${PLANT:-}" ] || {
        cat "$work/plant.out"
        return 1
    }
    node tests/e2e/run.mjs
}
if [ -n "$browser" ]; then
    part "browser" browser_tests
else
    skip "browser (no chromium on the PATH; CHROMIUM names one)"
fi

printf '\nTimes: %s\n' "${times#, }"
[ -z "$failed" ] || printf 'Failed: %s\n' "${failed#, }"
[ -n "$skipped" ] || skipped="; nothing"
printf 'Skipped: %s\n' "${skipped#; }"
[ -z "$failed" ]
