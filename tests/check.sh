#!/bin/sh
# Checks what needs no running program: formatting, types, arrows between packages, locks.
# All checks run; the last line names those that failed. See `make check`.
set -u
cd "$(dirname "$0")/.."
BIN=.venv/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=""
unset DATABASE_URL REDIS_URL

# All begin at once and take turns on the processor; what they say is told in their order below.
count=0
check() { # $1: a name; the rest: the command, quiet unless it fails
    count=$((count + 1))
    echo "$1" >"$work/$count.name"
    shift
    { "$@" >"$work/$count.out" 2>&1 || touch "$work/$count.failed"; } &
}
told() {
    wait
    for n in $(seq $count); do
        if [ -f "$work/$n.failed" ]; then
            printf '  FAILED  %s\n' "$(cat "$work/$n.name")"
            head -n 40 "$work/$n.out" | sed 's/^/          /'
            failed="$failed, $(cat "$work/$n.name")"
        else
            printf '  ok      %s\n' "$(cat "$work/$n.name")"
        fi
    done
}

migrations() { DATA_DIR=$work/migrations $BIN/python manage.py makemigrations --check --dry-run; }
# From the commit on at which the rule was made; a checkout without that history has nothing to look at.
# The first word is a verb that says what the commit does: neither "Adds", "Added", "Adding" nor an article.
subjects() {
    since=b0fa5d0
    git merge-base --is-ancestor $since HEAD 2>/dev/null || return 0
    git log --no-merges --format=%s $since..HEAD >"$work/subjects"
    form='^[A-Za-z0-9_./-]+(, [A-Za-z0-9_./-]+)*: [A-Z][^ ]* .*[^.]$'
    first=': (A|An|The|[A-Za-z]*([^s]s|[^e]ed|[a-z]{2}ing)) '
    ! { awk 'length($0) > 72' "$work/subjects"; grep -vE "$form" "$work/subjects"; grep -E "$first" "$work/subjects"; } |
        sort -u | grep .
}
small_kernel() { lines=$(cat core/kernel/*.py | wc -l); [ "$lines" -le 1500 ] || { echo "core/kernel has $lines lines"; false; }; }
locks() { ! grep -n '://' deploy/requirements/*.txt && ! grep -n '"resolved"' web/package-lock.json; }

check "Python style (ruff check)" $BIN/ruff check .
check "Python format (ruff format)" $BIN/ruff format --check .
check "Python types (mypy)" env DATA_DIR="$work/types" $BIN/mypy
check "arrows between packages (import-linter)" $BIN/lint-imports
check "migrations fit the models" migrations
check "web style and types (biome, tsc)" env NO_COLOR=1 npm --prefix web run --silent check
check "terms of the glossary" $BIN/python -m tests.words
check "commit subjects say what changes (area: Verb …, at most 72 characters)" subjects
check "locks hold no address" locks
check "the kernel has at most 1,500 lines" small_kernel
check "licences and the bill of materials are listed (else: make licences)" $BIN/python deploy/licences.py --check
told

[ -z "$failed" ] && echo "All checks passed." && exit 0
printf 'Failed: %s\n' "${failed#, }"
exit 1
