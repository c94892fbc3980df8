#!/bin/sh
# Prepares the checkout: `sh deploy/setup.sh STEP …`, called by the Makefile. Each step does nothing when its result is current.
#   venv run|dev   .venv with the locked Python packages to run, or also to test and check
#   npm            web/node_modules as the lock says
#   dist           web/dist, the built console
#   catalogue      the English texts, compiled
#   doctor         says what is missing on this machine and how to repair it
set -eu
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*"; }
fail() { printf 'xunwei: %s\n' "$*" >&2; exit 1; }
# One number for the contents and names of all files below the paths given.
sum() { find "$@" -type f -exec cksum {} + | LC_ALL=C sort -k 3 | cksum; }
# True when the stamp file $1 holds the text $2.
current() { [ "$(cat "$1" 2>/dev/null)" = "$2" ]; }

NEW_ENOUGH='import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'
find_python() {
    # Each one is tried, not only looked up: a version manager's placeholder exists without a Python behind it.
    for python in ${PYTHON:-} python3.11 python3 python3.12 python3.13; do
        if "$python" -c "$NEW_ENOUGH" >/dev/null 2>&1; then
            say "$python"
            return
        fi
    done
    return 1
}
NO_PYTHON='Python 3.11 or newer with its venv module is needed. On Debian: apt install python3 python3-venv; or set PYTHON.'

node_is_new_enough() {
    command -v npm >/dev/null && node -e 'const [a, b] = process.versions.node.split(".");
        process.exit(a > 20 || (a == 20 && b >= 20) ? 0 : 1)' 2>/dev/null
}
NO_NODE='Node.js 20.20 or newer with npm is needed to build the console; install it and see that node and npm are on PATH.'

# Says the browser's path. The end-to-end tests use it.
find_chromium() {
    for browser in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
        [ -n "$browser" ] && command -v "$browser" && return
    done
    return 1
}

step_venv() {
    set=${1:-run}
    run_lock=$(cksum <deploy/requirements/run.txt)
    dev_lock=$(cksum <deploy/requirements/dev.txt)
    if ! .venv/bin/python -c "$NEW_ENOUGH" 2>/dev/null; then
        python=$(find_python) || fail "$NO_PYTHON"
        say "Making .venv with $("$python" --version) …"
        rm -rf .venv
        "$python" -m venv .venv
    fi
    # dev.txt contains run.txt, so whoever has dev has run too.
    current .venv/.run "$run_lock" && { [ "$set" = run ] || current .venv/.dev "$dev_lock"; } && return
    say "Installing the Python packages of deploy/requirements/$set.txt …"
    rm -f .venv/.run .venv/.dev
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps \
        -r "deploy/requirements/$set.txt" || fail 'pip could not install the packages; its lines above say why.'
    [ "$set" = run ] || say "$dev_lock" >.venv/.dev
    say "$run_lock" >.venv/.run
}

step_npm() {
    node_is_new_enough || fail "$NO_NODE"
    lock=$(cat web/package.json web/package-lock.json | cksum)
    current web/node_modules/.installed "$lock" && return
    say 'Installing the packages of web/package-lock.json …'
    (cd web && npm ci --no-audit --no-fund --loglevel=error) ||
        fail 'npm could not install the packages; its lines above say why.'
    say "$lock" >web/node_modules/.installed
}

step_dist() {
    # The stamp lies inside: vite empties the folder, so that nobody's build goes by a stamp that is not its own.
    sources=$(cd web && sum src public index.html package.json package-lock.json tsconfig.json vite.config.ts)
    current web/dist/.sources "$sources" && return
    step_npm
    say 'Building the console …'
    (cd web && npm run --silent build -- --logLevel warn) || fail 'The console could not be built; the lines above say why.'
    say "$sources" >web/dist/.sources
}

step_catalogue() {
    for catalogue in core/locale/*/LC_MESSAGES/django.po; do
        compiled=${catalogue%.po}.mo
        [ -n "$(find "$catalogue" -newer "$compiled" 2>/dev/null || say missing)" ] || continue
        say "Compiling $catalogue …"
        .venv/bin/pybabel --quiet compile -i "$catalogue" -o "$compiled"
    done
}

step_doctor() {
    healthy=yes
    need() { if [ "$1" = yes ]; then say "  yes  $2"; else say "   NO  $2 $3"; healthy=no; fi; }
    offer() { if [ "$1" = yes ]; then say "  yes  $2"; else say "   no  $2 $3"; fi; }
    try() { if "$@" >/dev/null 2>&1; then say yes; else say no; fi; }
    say 'Needed to run:'
    need "$(try find_python)" 'Python 3.11 or newer.' "$NO_PYTHON"
    need "$(try node_is_new_enough)" 'Node.js 20.20 or newer with npm.' "$NO_NODE"
    offer "$(try current .venv/.run "$(cksum <deploy/requirements/run.txt)")" 'Python packages installed.' 'make run does it.'
    offer "$(try test -f web/dist/index.html)" 'Console built.' 'make run does it.'
    say 'Used by the tests when there:'
    offer "$(try find_chromium)" 'Chromium.' 'Browser tests are skipped without it. On Debian: apt install chromium fonts-noto-cjk'
    offer "$(try answers "${DATABASE_URL:-//127.0.0.1:5432}")" 'PostgreSQL.' 'Tests run on SQLite only without it. On Debian: apt install postgresql'
    offer "$(try answers "${REDIS_URL:-//127.0.0.1:6379}")" 'Redis.' 'The server starts its own broker without it.'
    [ "$healthy" = yes ] || fail 'something that is needed is missing.'
}

# True when a server listens at the host and port of the address given.
answers() {
    python=$(find_python) || return
    "$python" -c '
import socket, sys, urllib.parse
url = urllib.parse.urlsplit(sys.argv[1])
port = url.port or (6379 if url.scheme.startswith("redis") else 5432)
socket.create_connection((url.hostname or "127.0.0.1", port), timeout=2).close()' "$1" 2>/dev/null
}

step=${1:-doctor}
shift || true
case $step in
venv | npm | dist | catalogue | doctor) "step_$step" "$@" ;;
chromium) find_chromium ;;
answers) answers "$@" ;;
*) fail "there is no step called $step" ;;
esac
