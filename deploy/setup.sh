#!/bin/sh
# Brings this checkout up to date, step by step; what is up to date already costs nothing.
# usage: deploy/setup.sh [python|python-dev] [node] [catalogue] [contract] [console] [lock] [doctor]
set -eu
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*"; }
fail() { say "$@" >&2; exit 1; }

# The first Python that is new enough, and really runs: a version manager's stand-in may exist without its version.
find_python() {
    for name in python3.11 python3 python3.12 python3.13 python3.14; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            say "$name"
            return
        fi
    done
    return 1
}

node_is_new_enough() {
    node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 20) ? 0 : 1)' 2>/dev/null
}

NO_PYTHON="Python 3.11 or later is needed. On Debian: apt install python3 python3-venv"
NO_VENV="This Python cannot make virtual environments. On Debian: apt install python3-venv"
NO_NODE="Node 20.20 or later with npm is needed (found: $(node --version 2>/dev/null || echo none)). See nodejs.org."

# A stamp holds the checksum of the lock it was installed from. The dev lock contains the run lock, so that it
# serves both; the two never fight over the environment. pip and setuptools are there only while packages are installed:
# nothing that runs needs them, and those that come with Python are old.
python_packages() { # $1: run or dev
    stamp=.venv/installed-$1
    sum=$(cksum <deploy/requirements/"$1".txt)
    if ! .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        found=$(find_python) || fail "$NO_PYTHON"
        "$found" -c 'import ensurepip' 2>/dev/null || fail "$NO_VENV"
        say "Making a Python environment in .venv …"
        rm -rf .venv
        "$found" -m venv --without-pip .venv
    fi
    [ "$(cat "$stamp" 2>/dev/null)" = "$sum" ] && return
    say "Installing the Python packages ($1) …"
    .venv/bin/python -m ensurepip >/dev/null 2>&1 || fail "$NO_VENV"
    .venv/bin/python -m pip install -qq --disable-pip-version-check --require-hashes --no-deps \
        -r deploy/requirements/"$1".txt || fail "The Python packages could not be installed; see above."
    .venv/bin/python -m pip uninstall -qq --yes setuptools pip
    say "$sum" >"$stamp"
    [ "$1" = run ] || cksum <deploy/requirements/run.txt >.venv/installed-run
}

# npm writes node_modules/.package-lock.json last, so that it is a stamp of a whole installation.
node_packages() {
    node_is_new_enough && command -v npm >/dev/null || fail "$NO_NODE"
    stamp=web/node_modules/.package-lock.json
    [ -f "$stamp" ] && [ -z "$(find web/package-lock.json web/package.json -newer "$stamp")" ] && return
    say "Installing the web packages …"
    (cd web && npm ci --silent --no-audit --no-fund) || fail "The web packages could not be installed; see above."
}

console() {
    built=web/dist/index.html.gz
    # Folders are looked at too: they change when a file in them is deleted.
    sources="web/src web/public web/index.html web/vite.config.ts web/scripts web/tsconfig.json web/package-lock.json"
    # shellcheck disable=SC2086
    [ -f "$built" ] && [ -z "$(find $sources -newer "$built" | head -n 1)" ] && return
    say "Building the console …"
    (cd web && npm run --silent build -- --logLevel warn) || fail "The console could not be built; see above."
    # The web server sends what lies compressed beside a file.
    .venv/bin/python -m whitenoise.compress --quiet --no-brotli web/dist
}

# The OpenAPI document and the TypeScript made from it. Files that come out as they were keep their time, so that
# the console is not built for nothing.
contract() {
    api=web/src/api stamp=web/src/api/contract.sum
    sum=$(find core workflows bpmn web/scripts -name '*.py' -o -name '*.toml' -o -name '*.po' -o -name nouns.mjs |
        LC_ALL=C sort | xargs cat | cksum)
    [ "$(cat $stamp 2>/dev/null)" = "$sum" ] && [ -f $api/schema.d.ts ] && return
    say "Writing the OpenAPI document and its types …"
    work=$(mktemp -d)
    DATA_DIR=$work/data .venv/bin/python manage.py spectacular --fail-on-warn --format openapi-json --file "$work/schema.json" &&
        (cd web && npx --no-install openapi-typescript "$work/schema.json" -o "$work/schema.d.ts" \
            --default-non-nullable=false >/dev/null && node scripts/nouns.mjs "$work/schema.json" "$work") ||
        fail "The OpenAPI document could not be written; see above."
    mkdir -p $api/nouns $api/cases
    for old in "$api"/nouns/*.ts "$api"/cases/*.ts; do
        [ -f "$work/${old#"$api/"}" ] || rm -f "$old"
    done
    for new in "$work"/schema.json "$work"/schema.d.ts "$work"/nouns/*.ts "$work"/cases/*.ts; do
        to=$api/${new#"$work"/}
        cmp -s "$new" "$to" || cp "$new" "$to"
    done
    rm -rf "$work"
    say "$sum" >$stamp
}

catalogue() {
    texts=core/locale/en/LC_MESSAGES/django
    [ -f "$texts.mo" ] && [ -z "$(find "$texts.po" -newer "$texts.mo")" ] && return
    say "Compiling the English texts …"
    .venv/bin/pybabel --quiet compile --domain django --directory core/locale --locale en
}

lock() {
    command -v uv >/dev/null || fail "uv is needed to write the locks. See docs.astral.sh/uv."
    # No header, no annotations, no index: the locks hold names, versions and hashes only, and no address.
    write="uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header"
    cd deploy/requirements
    say "Locking run.txt and dev.txt in deploy/requirements …"
    $write --no-annotate run.in -o run.txt
    $write --no-annotate dev.in --constraint run.txt -o dev.txt
}

doctor() {
    well=yes
    ok() { say "  ok       $1"; }
    lacks() { say "  missing  $1"; well=no; }
    may() { say "  without  $1"; }
    say "Needed:"
    if found=$(find_python); then
        ok "$("$found" --version) ($found)"
        "$found" -c 'import ensurepip' 2>/dev/null && ok "venv" || lacks "$NO_VENV"
    else
        lacks "$NO_PYTHON"
    fi
    node_is_new_enough && command -v npm >/dev/null && ok "Node $(node --version), npm $(npm --version)" || lacks "$NO_NODE"
    [ "$(uname -s)" = Linux ] && ok "Linux" || lacks "Linux: serve, which watches its children, runs there only."
    data=${DATA_DIR:-var}
    mkdir -p "$data" 2>/dev/null && [ -w "$data" ] && ok "DATA_DIR $data can be written" || lacks "DATA_DIR $data cannot be written."
    say "Used where they are there:"
    browser=${CHROMIUM:-$(command -v chromium-headless-shell || command -v chromium || true)}
    [ -n "$browser" ] && ok "$browser for the browser tests" || may "chromium: the browser tests are skipped. apt install chromium"
    fc-list :lang=zh 2>/dev/null | grep -q . && ok "a Chinese font" || may "a Chinese font: pictures show boxes. apt install fonts-noto-cjk"
    command -v valkey-server >/dev/null || command -v redis-server >/dev/null && ok "a broker on the PATH" || may "valkey-server or redis-server: the one among the Python packages serves."
    answers 5432 && ok "PostgreSQL on port 5432" || may "PostgreSQL on port 5432: the tests run on SQLite only."
    answers 6379 && ok "Redis on port 6379" || may "Redis on port 6379: the test with an outside broker is skipped."
    [ $well = yes ] || fail "Something is missing; see above."
}

answers() { # whether something listens on this loopback port
    "$(find_python || echo false)" -c "import socket, sys; socket.create_connection(('127.0.0.1', $1), 1)" 2>/dev/null
}

# Packages of both kinds are installed beside each other; every other step needs them and waits.
installing=""
installed() {
    for one in $installing; do wait "$one"; done
    installing=""
}

for step in "$@"; do
    case $step in
        python) python_packages run & ;;
        python-dev) python_packages dev & ;;
        node) node_packages & ;;
        contract | console | catalogue | lock | doctor)
            installed
            $step
            continue
            ;;
        *) fail "deploy/setup.sh knows no step $step." ;;
    esac
    installing="$installing $!"
done
installed
