#!/bin/sh
# Backs the installation up to one file, or restores one: `make backup`, `make restore`. What is written and what is
# checked is said by `manage.py backup` and `manage.py restore`.
# usage: deploy/backup.sh backup [FILE] | restore [FILE] [--replace]
# From the environment: that of the installation, and BACKUPS, the folder of the backups (backups).
set -eu
cd "$(dirname "$0")/.."
folder=${BACKUPS:-backups}
data=${DATA_DIR:-var}

fail() { printf '%s\n' "$@" >&2; exit 1; }

[ -e "$data/keys" ] || [ "$1" = restore ] || fail "There is no installation in $data to back up: \
DATA_DIR has to name the folder that the server was started with (make run)."

case $1 in
backup)
    file=${2:-}
    if [ -z "$file" ]; then
        mkdir -p "$folder" && chmod 700 "$folder"
        file=$folder/xunwei-$(date +%F-%H%M%S).zip
    fi
    .venv/bin/python manage.py backup "$file"
    printf '%s\n' "Keep a copy on another machine, and $data/keys apart from it: a backup is of no use without them."
    ;;
restore)
    file=${2:-}
    if [ -z "$file" ]; then
        # shellcheck disable=SC2012  (our own names, which hold their time)
        newest=$(ls "$folder"/*.zip 2>/dev/null | sort | tail -n 1)
        fail "Say which backup: make restore FILE=${newest:-/where/it/lies/xunwei.zip}" \
            "$([ -n "$newest" ] && echo "That is the newest in $folder." || echo "There is none in $folder; BACKUPS names another folder.")"
    fi
    [ -f "$file" ] || fail "$file is not there."
    [ -d "$data/keys" ] || fail "$data/keys is not there: copy the keys of the backed-up installation to it first. \
Without them nobody could sign in."
    if ! .venv/bin/python manage.py restore "$file" ${3:+"$3"}; then
        [ -n "${3:-}" ] || printf '%s\n' "Where the data that are there may go: make restore FILE=$file REPLACE=1" >&2
        exit 1
    fi
    ;;
esac
