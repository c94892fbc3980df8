"""One file that holds an installation: a consistent picture of the database, the uploaded files, and a manifest.

The manifest, which is written last, has the digest and the number of rows of everything else. Keys are not in it, only
their fingerprints: a backup that is stolen is of no use without them, and no backup restores them. This module may
write SQL: whole tables are copied.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sqlite3
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import orjson
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from core.audit import seals
from core.database.owner import as_owner
from core.identity.models import Tenant
from core.kernel.models import TenantModel
from core.storage.models import Attachment

FORMAT = 1
KEYS = ("pepper", "link", "credentials")
"""Without the first no password is right, without the second no link that was given out, without the third no secret of
a connection credential can be read; all are in DATA_DIR/keys."""
_MANIFEST, _DATABASE, _TABLES, _FILES = "manifest.json", "database.sqlite3", "tables/", "files/"
_CHUNK = 1 << 20
_ALONE_SECONDS = 5.0
_STORED = re.compile(r"[0-9A-Za-z]{1,12}/[0-9a-z]{1,2}/[0-9A-Za-z.]{1,80}")
_APPLIED = "django_migrations"

Manifest = dict[str, Any]


class Refused(Exception):
    """The backup cannot be made or restored; the sentence says why and what to do."""


@dataclass
class _Writer:
    """The file in the making."""

    archive: zipfile.ZipFile
    manifest: Manifest

    @contextmanager
    def member(self, name: str) -> Iterator[_Digested]:
        """Open a member for writing; its digest comes into the manifest."""
        about = zipfile.ZipInfo(name, datetime.now(UTC).timetuple()[:6])
        about.compress_type = zipfile.ZIP_DEFLATED
        with self.archive.open(about, "w", force_zip64=True) as file:
            digested = _Digested(file)
            yield digested
        self.manifest["members"][name] = {"sha256": digested.sha256.hexdigest(), "size": digested.size}


class _Digested:
    """A file that counts and digests what is written to it."""

    def __init__(self, file: IO[bytes]):
        self.file, self.sha256, self.size = file, hashlib.sha256(), 0

    def write(self, data: bytes | memoryview) -> None:
        """Write to the file."""
        self.file.write(data)
        self.sha256.update(data)
        self.size += len(data)


def fingerprints() -> dict[str, str]:
    """Return what tells the keys of this DATA_DIR from others', and nothing of them."""
    found = {}
    for name in KEYS:
        key = (Path(settings.DATA_DIR) / "keys" / name).read_bytes()
        found[name] = hashlib.sha256(b"xunwei backup " + name.encode() + key).hexdigest()[:16]
    return found


def write(target: Path) -> Manifest:
    """Write the backup and return its manifest. Raises Refused."""
    if target.exists():
        raise Refused(f"{target} is there already; give the name of a new file.")
    if not target.parent.is_dir():
        raise Refused(f"The folder {target.parent} is not there.")
    if not _has_tenants():
        place = "the database of DATABASE_URL" if connection.vendor == "postgresql" else settings.DATA_DIR
        raise Refused(
            f"No installation is found in {place}: DATA_DIR and DATABASE_URL have to be those of the server (make run)."
        )
    part = target.with_name(f".{target.name}.part")
    manifest: Manifest = {
        "format": FORMAT,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "database": connection.vendor,
        "keys": fingerprints(),
        # Read before the picture of the database is taken: what they name is in it.
        "heads": seals.kept_heads(),
        "members": {},
        "tables": {},
        "missing": [],
    }
    part.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
                writer = _Writer(archive, manifest)
                named = _copy_sqlite(writer, part) if connection.vendor == "sqlite" else _copy_postgresql(writer)
                _copy_files(writer, named)
                archive.writestr(_MANIFEST, orjson.dumps(manifest, option=orjson.OPT_SORT_KEYS))
            file.flush()
            os.fsync(file.fileno())
        part.rename(target)
    finally:
        part.unlink(missing_ok=True)
    return manifest


def _copy_sqlite(writer: _Writer, part: Path) -> set[str]:
    """Copy the database by SQLite's own backup, which waits for nobody; return the files that its rows name."""
    copy = part.with_suffix(".sqlite3")
    copy.unlink(missing_ok=True)
    os.close(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        with closing(sqlite3.connect(copy)) as into:
            with closing(sqlite3.connect(connection.settings_dict["NAME"])) as source:
                source.backup(into)
            into.execute("PRAGMA journal_mode=DELETE")
            tables = [name for (name,) in into.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for table in sorted(tables):
                (rows,) = into.execute(f'SELECT count(*) FROM "{table}"').fetchone()
                writer.manifest["tables"][table] = {"rows": rows}
            writer.manifest["migrations"] = into.execute(f"SELECT app, name FROM {_APPLIED} ORDER BY id").fetchall()
            named = into.execute(f"SELECT tenant_id, name FROM {_attachments()} WHERE NOT is_deleted").fetchall()
        with copy.open("rb") as file, writer.member(_DATABASE) as member:
            shutil.copyfileobj(file, member, _CHUNK)
    finally:
        copy.unlink(missing_ok=True)
    return {_stored_as(*one) for one in named}


def _copy_postgresql(writer: _Writer) -> set[str]:
    """Copy all tables as they are at one moment; return the files that their rows name.

    The policies are for the owner too, so that the rows of tenants come tenant by tenant.
    """
    of_tenants = {model._meta.db_table for model in apps.get_models() if issubclass(model, TenantModel)}
    named: set[str] = set()
    with as_owner(), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        _wait_as_long_as_it_takes(cursor)
        cursor.execute(f"SELECT app, name FROM {_APPLIED} ORDER BY id")
        writer.manifest["migrations"] = cursor.fetchall()
        tenants = list(Tenant._base_manager.order_by("tenant_id").values_list("tenant_id", flat=True))
        for table in sorted(connection.introspection.table_names(cursor)):
            if table == _APPLIED:
                continue
            columns = [one.name for one in connection.introspection.get_table_description(cursor, table)]
            rows, chosen = 0, ", ".join(map(connection.ops.quote_name, columns))
            with writer.member(f"{_TABLES}{table}") as member:
                for tenant in tenants if table in of_tenants else [""]:
                    cursor.execute("SELECT set_config('xunwei.tenant', %s, true)", [tenant])
                    only = " WHERE tenant_id = %s" if tenant else ""
                    text = f"COPY (SELECT {chosen} FROM {table}{only} ORDER BY 1) TO STDOUT"
                    with cursor.copy(text, [tenant] if tenant else None) as data:
                        for chunk in data:
                            member.write(chunk)
                    rows += cursor.rowcount
            writer.manifest["tables"][table] = {"rows": rows, "columns": columns}
        for tenant in tenants:
            cursor.execute("SELECT set_config('xunwei.tenant', %s, true)", [tenant])
            cursor.execute(
                f"SELECT tenant_id, name FROM {_attachments()} WHERE NOT is_deleted AND tenant_id = %s", [tenant]
            )
            named |= {_stored_as(*one) for one in cursor.fetchall()}
    return named


def _wait_as_long_as_it_takes(cursor: Any) -> None:
    for limit in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
        cursor.execute(f"SET LOCAL {limit} = 0")


def _attachments() -> str:
    return str(Attachment._meta.db_table)


def _stored_as(tenant_id: str, name: str) -> str:
    return f"{tenant_id}/{name[:2]}/{name}"


def _copy_files(writer: _Writer, named: set[str]) -> None:
    """Copy the uploaded files; those that rows name and that are not there are said in the manifest."""
    root = Path(settings.FILES_DIR)
    found = sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())
    writer.archive.compresslevel = 0  # pictures are packed already
    for name in found:
        try:
            file = (root / name).open("rb")
        except FileNotFoundError:  # removed by its uploader at this moment
            continue
        with file, writer.member(f"{_FILES}{name}") as member:
            shutil.copyfileobj(file, member, _CHUNK)
    writer.manifest["missing"] = sorted(name for name in named if f"{_FILES}{name}" not in writer.manifest["members"])


def restore(source: Path, replace: bool) -> Manifest:
    """Put the backup in the place of an empty database and an empty folder of files; return its manifest.

    With `replace` whatever is there goes. Everything is checked before the first change; on PostgreSQL the rows come
    in one transaction, on SQLite as one file. Raises Refused.
    """
    try:
        with zipfile.ZipFile(source) as archive:
            manifest = _checked(archive)
            root = Path(settings.FILES_DIR)
            if not replace and (_has_tenants() or any(path.is_file() for path in root.rglob("*"))):
                raise Refused(
                    f"There are data already, in the database or in {root}. A restore is for an empty installation; "
                    "--replace removes what is there."
                )
            fresh = Path(tempfile.mkdtemp(prefix="files.", dir=settings.DATA_DIR))
            try:
                _unpack_files(archive, manifest, fresh)
                if connection.vendor == "sqlite":
                    _restore_sqlite(archive, manifest)
                else:
                    _restore_postgresql(archive, manifest)
                former = root.with_name("files.replaced")
                shutil.rmtree(former, ignore_errors=True)
                if root.exists():
                    root.rename(former)
                fresh.rename(root)
                shutil.rmtree(former, ignore_errors=True)
            finally:
                shutil.rmtree(fresh, ignore_errors=True)
    except (OSError, zipfile.BadZipFile, KeyError, ValueError) as error:
        raise Refused(f"{source} is no whole backup: {error}") from None
    call_command("migrate", verbosity=0, interactive=False)
    seals.keep_heads(manifest["heads"])
    return manifest


def _checked(archive: zipfile.ZipFile) -> Manifest:
    """Return the manifest of a backup that may be restored here. Raises Refused."""
    if _MANIFEST not in archive.namelist():
        raise Refused(f"{archive.filename} is no backup, or was cut off while it was written.")
    manifest: Manifest = orjson.loads(archive.read(_MANIFEST))
    if manifest["format"] != FORMAT:
        raise Refused(f"The backup has format {manifest['format']}; this version reads format {FORMAT}.")
    if manifest["database"] != connection.vendor:
        raise Refused(
            f"The backup is of {manifest['database']}, and DATABASE_URL asks for {connection.vendor}: "
            "a backup is restored into the same kind of database."
        )
    own = fingerprints()
    if wrong := [name for name in KEYS if own[name] != manifest["keys"].get(name, own[name])]:
        raise Refused(
            f"The keys are not those of the backup ({', '.join(wrong)}): passwords, links or secrets would be lost. "
            f"Copy the folder keys/ of the former installation to {settings.DATA_DIR}/keys and restore again."
        )
    if lacking := set(manifest["members"]) - set(archive.namelist()):
        raise Refused(f"The backup lacks {len(lacking)} of its members, such as {min(lacking)}.")
    if unknown := {(app, name) for app, name in manifest["migrations"]} - set(_known_migrations()):
        raise Refused(f"The backup is of a newer version, with migrations unknown here, such as {min(unknown)}.")
    return manifest


def _known_migrations() -> list[tuple[str, str]]:
    return list(MigrationExecutor(None).loader.disk_migrations)


def _has_tenants() -> bool:
    if connection.vendor == "sqlite" and not Path(connection.settings_dict["NAME"]).exists():
        return False  # and the question would make the file
    try:
        return Tenant._base_manager.exists()
    except DatabaseError:  # no tables yet
        return False


def _read(archive: zipfile.ZipFile, manifest: Manifest, name: str) -> Iterator[bytes]:
    """Yield a member by chunks; raises Refused at its end where it is not what was written."""
    sha256 = hashlib.sha256()
    with archive.open(name) as member:
        while chunk := member.read(_CHUNK):
            sha256.update(chunk)
            yield chunk
    if sha256.hexdigest() != manifest["members"][name]["sha256"]:
        raise Refused(f"{name} in the backup is not what was written.")


def _unpack_files(archive: zipfile.ZipFile, manifest: Manifest, folder: Path) -> None:
    for name in manifest["members"]:
        if not name.startswith(_FILES):
            continue
        stored = name.removeprefix(_FILES)
        if not _STORED.fullmatch(stored) or ".." in stored:
            raise Refused(f"{name} in the backup is no name that a stored file has.")
        path = folder / stored
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            for chunk in _read(archive, manifest, name):
                file.write(chunk)


def _restore_sqlite(archive: zipfile.ZipFile, manifest: Manifest) -> None:
    path = Path(connection.settings_dict["NAME"])
    fresh = path.with_name(f"{path.name}.restored")
    fresh.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            for chunk in _read(archive, manifest, _DATABASE):
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        connection.close()
        for kept in ("-wal", "-shm"):
            path.with_name(path.name + kept).unlink(missing_ok=True)
        fresh.rename(path)
    finally:
        fresh.unlink(missing_ok=True)


def _restore_postgresql(archive: zipfile.ZipFile, manifest: Manifest) -> None:
    """Build the tables as they were then, empty, and fill them, all in one transaction; policies come afterwards."""
    with as_owner():
        _wait_until_alone()
        _fill(archive, manifest)


def _wait_until_alone() -> None:
    """Raises Refused while others are connected; the server needs a moment to let a former connection go."""
    end = time.monotonic() + _ALONE_SECONDS
    while True:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
            others = cursor.fetchone()[0]
        if not others:
            return
        if time.monotonic() > end:
            raise Refused(f"{others} others are connected to the database. Stop the servers first.")
        time.sleep(0.1)


def _fill(archive: zipfile.ZipFile, manifest: Manifest) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        _wait_as_long_as_it_takes(cursor)
        if there := connection.introspection.table_names(cursor):
            cursor.execute(f"DROP TABLE {', '.join(map(connection.ops.quote_name, there))} CASCADE")
        executor = MigrationExecutor(connection)
        executor.migrate([(app, name) for app, name in manifest["migrations"]])
        names = ", ".join(map(connection.ops.quote_name, manifest["tables"]))
        cursor.execute(f"TRUNCATE {names} CASCADE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")  # migrations leave some of them immediate
        for table, about in manifest["tables"].items():
            columns = ", ".join(map(connection.ops.quote_name, about["columns"]))
            with cursor.copy(f"COPY {connection.ops.quote_name(table)} ({columns}) FROM STDIN") as data:
                for chunk in _read(archive, manifest, f"{_TABLES}{table}"):
                    data.write(chunk)
            if cursor.rowcount != about["rows"]:
                raise Refused(f"{table}: {cursor.rowcount} rows came in place of {about['rows']}.")
        for statement in connection.ops.sequence_reset_sql(no_style(), apps.get_models(include_auto_created=True)):
            cursor.execute(statement)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
