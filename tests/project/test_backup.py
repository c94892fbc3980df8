"""A backup holds an installation, and a restore gives it back whole or changes nothing. SQLite; PostgreSQL is proved
by `tests/prove/restore.py`."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import zipfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest
from django.conf import settings as given
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from core.audit import seals
from core.maintenance.models import Status
from core.project.management.commands.serve import only_one
from tests.cast import A, Cast
from tests.repairs import Story, at, photo

ROOT = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.skipif("connection.vendor != 'sqlite'", reason="tests/prove/restore.py restores PostgreSQL"),
    pytest.mark.django_db(transaction=True),
]


def _place(settings: Any, folder: Path) -> None:
    """Let the folder be DATA_DIR, with the keys of this run."""
    folder.mkdir()
    shutil.copytree(given.KEYS_DIR, folder / "keys", dirs_exist_ok=True)
    settings.DATA_DIR, settings.FILES_DIR = folder, folder / "files"


@pytest.fixture
def backed_up(cast: Cast, settings: Any, tmp_path: Path) -> tuple[Path, Story]:
    """An order with a picture that waits to be dispatched, sealed, and a backup of it all."""
    _place(settings, tmp_path / "former")
    with at("8:00"):
        story = Story(cast)
        photo(story, "operator")
    assert seals.seal_all(timedelta(days=-3650)) == 1
    file = tmp_path / "monday.zip"
    call_command("backup", str(file))
    return file, story


@pytest.fixture
def elsewhere(backed_up: tuple[Path, Story], settings: Any, tmp_path: Path) -> Any:
    """Another DATA_DIR, whose database is not there yet; the test's own comes back afterwards."""
    own = connection.settings_dict["NAME"]
    _place(settings, tmp_path / "new")
    connection.close()
    connection.settings_dict["NAME"] = str(tmp_path / "new" / "xunwei.sqlite3")
    yield tmp_path / "new"
    connection.close()
    connection.settings_dict["NAME"] = own


def _counts() -> dict[str, int]:
    with connection.cursor() as cursor:
        found = {}
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT count(*) FROM {table}")
            found[table] = cursor.fetchone()[0]
    return found


def _files(folder: Path) -> dict[str, bytes]:
    root = folder / "files"
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_what_was_backed_up_is_there_again_and_its_work_goes_on(
    backed_up: tuple[Path, Story], elsewhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, story = backed_up
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    call_command("restore", str(file))
    said = capsys.readouterr().out
    with zipfile.ZipFile(file) as archive:
        manifest = orjson.loads(archive.read("manifest.json"))
    counts = _counts()
    assert {table: about["rows"] for table, about in manifest["tables"].items() if table in counts} == counts
    assert "The audit log is whole: 1 batches of 2 entries." in said
    assert seals.kept_heads() == manifest["heads"] != {}
    assert len(_files(elsewhere)) == 1
    assert _files(elsewhere) == _files(file.parent / "former")
    assert manifest["missing"] == []
    for path in (*(elsewhere / "files").rglob("*.*"), elsewhere / "xunwei.sqlite3"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    with at("8:50"):
        story.send()
        assert story.write_line("repairer", "08:00", "08:30").code == 200
        story.act("repairer", "finish", **story.result())
        story.act("operator", "check", checkResult=1)
    assert story.detail()["status"] == Status.CLOSED


def _without_a_file(file: Path) -> None:
    _rewrite(file, lambda name, data: None if name.startswith("files/") else data)


def _with_another_row(file: Path) -> None:
    _rewrite(file, lambda name, data: data.replace("主轴异响".encode(), "主轴正常".encode()))


def _cut_off(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def _of_another_database(file: Path) -> None:
    _rewrite(file, lambda name, data: data.replace(b'"database":"sqlite"', b'"database":"postgresql"'))


def _of_a_newer_version(file: Path) -> None:
    _rewrite(file, lambda name, data: data.replace(b'["audit","0001_initial"]', b'["audit","0999_later"]'))


def _rewrite(file: Path, change: Callable[[str, bytes], bytes | None]) -> None:
    with zipfile.ZipFile(file) as archive:
        members = {name: change(name, archive.read(name)) for name in archive.namelist()}
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            if data is not None:
                archive.writestr(name, data)


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (_without_a_file, "lacks 1 of its members"), (_with_another_row, "database.sqlite3 in the backup is not what"),
        (_cut_off, "is no whole backup"), (_of_another_database, "The backup is of postgresql"),
        (_of_a_newer_version, "of a newer version"),
    ],
)  # fmt: skip
def test_a_damaged_backup_changes_nothing(
    backed_up: tuple[Path, Story], elsewhere: Path, spoil: Callable[[Path], None], sentence: str
) -> None:
    spoil(backed_up[0])
    with pytest.raises(CommandError, match=sentence):
        call_command("restore", str(backed_up[0]))
    assert sorted(path.name for path in elsewhere.iterdir() if path.name != "run") == ["keys"]


def test_another_key_a_running_server_and_data_that_are_there_stop_it(
    backed_up: tuple[Path, Story], elsewhere: Path
) -> None:
    file = backed_up[0]
    pepper = elsewhere / "keys" / "pepper"
    kept = pepper.read_text()
    pepper.write_text(kept[::-1])
    with pytest.raises(CommandError, match=r"not those of the backup \(pepper\).*Copy the folder keys/"):
        call_command("restore", str(file))
    pepper.write_text(kept)
    with only_one(elsewhere), pytest.raises(CommandError, match="already runs"):
        call_command("restore", str(file))
    assert sorted(path.name for path in elsewhere.iterdir() if path.name != "run") == ["keys"]
    call_command("restore", str(file))
    before = _counts()
    (elsewhere / "files" / A / "later").write_bytes(b"x")
    with pytest.raises(CommandError, match="There are data already"):
        call_command("restore", str(file))
    assert (_counts(), len(_files(elsewhere))) == (before, 2)
    call_command("restore", str(file), "--replace")
    assert (_counts(), len(_files(elsewhere))) == (before, 1)


def test_a_backup_is_not_written_over(backed_up: tuple[Path, Story]) -> None:
    before = backed_up[0].read_bytes()
    with pytest.raises(CommandError, match="is there already"):
        call_command("backup", str(backed_up[0]))
    assert backed_up[0].read_bytes() == before


def test_where_nothing_is_nothing_is_backed_up(elsewhere: Path, tmp_path: Path) -> None:
    file = tmp_path / "nothing.zip"
    with pytest.raises(CommandError, match=r"No installation is found in .*/new: DATA_DIR and DATABASE_URL have to be"):
        call_command("backup", str(file))
    assert not file.exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["restore"], "make restore FILE={folder}/xunwei-2026-11-24-020000.zip\nThat is the newest in {folder}."),
        (["restore", ""], "make restore FILE={folder}/xunwei-2026-11-24-020000.zip"),
        (["restore", "/nowhere.zip"], "/nowhere.zip is not there."),
        (["restore", "{folder}/xunwei-2026-11-24-020000.zip"], "{data}/keys is not there: copy the keys of the"),
        (["backup"], "There is no installation in {data} to back up"),
    ],
)
def test_make_says_what_is_missing(tmp_path: Path, given: list[str], said: str) -> None:
    places = {"folder": str(tmp_path / "copies"), "data": str(tmp_path / "data")}
    (tmp_path / "copies").mkdir()
    for day in ("2026-11-24", "2026-11-09"):
        (tmp_path / "copies" / f"xunwei-{day}-020000.zip").touch()
    done = subprocess.run(
        ["sh", str(ROOT / "deploy/backup.sh"), *(word.format(**places) for word in given)],
        env={**os.environ, "BACKUPS": places["folder"], "DATA_DIR": places["data"]}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert said.format(**places) in done.stderr
    assert not (tmp_path / "data").exists()
