"""The environment: bad values are refused with a sentence, and keys are made once and kept private."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core.project import env


def test_an_empty_environment_means_a_small_installation_on_this_machine() -> None:
    asked = env.read({})
    assert (asked.host, asked.port, asked.workers, asked.database_url, asked.redis_url) == (
        "127.0.0.1",
        8000,
        1,
        "",
        "",
    )
    assert (asked.captcha_mode, asked.demo_password, asked.node_id, asked.debug) == ("slider", "", 0, False)
    assert asked.data_dir == env.ROOT / "var"
    assert asked.allowed_hosts == ("*",)


def test_limits_are_on_unless_told_otherwise() -> None:
    assert env.read({}).limits == {"person": (20, 60), "address": (100, 1000), "tenant": (100, 1000)}
    assert env.read({"LIMIT_PERSON": "0.5/7", "LIMIT_ADDRESS": "off", "LIMIT_TENANT": "off"}).limits == {
        "person": (0.5, 7)
    }


def test_postgresql_gets_two_web_workers_unless_told_otherwise() -> None:
    assert env.read({"DATABASE_URL": "postgresql://db/xunwei"}).workers == 2
    assert env.read({"DATABASE_URL": "postgresql://db/xunwei", "WEB_WORKERS": "5"}).workers == 5


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("PORT", "http", "xunwei: PORT='http' must be a whole number from 1 to 65535."),
        ("PORT", "65536", "xunwei: PORT='65536' must be a whole number from 1 to 65535."),
        ("PORT", "-1", "xunwei: PORT='-1' must be a whole number from 1 to 65535."),
        ("NODE_ID", "32", "xunwei: NODE_ID='32' must be a whole number from 0 to 31."),
        ("WEB_WORKERS", "0", "xunwei: WEB_WORKERS='0' must be a whole number from 1 to 64."),
        ("WEB_THREADS", "0", "xunwei: WEB_THREADS='0' must be a whole number from 1 to 64."),
        ("LIMIT_PERSON", "20", "xunwei: LIMIT_PERSON='20' must be calls a second and at once, as in 20/60, or off."),
        (
            "LIMIT_TENANT",
            "0/9",
            "xunwei: LIMIT_TENANT='0/9' must be calls a second and at once, as in 100/1000, or off.",
        ),
        ("CAPTCHA_MODE", "none", "xunwei: CAPTCHA_MODE='none' must be one of slider, image, off."),
        (
            "DATABASE_OWNER_URL",
            "postgresql://owner@db/xunwei",
            "xunwei: DATABASE_OWNER_URL must name the database of DATABASE_URL, with another login.",
        ),
        ("DATABASE_URL", "mysql://x/y", "xunwei: DATABASE_URL must begin with postgresql:// (or be empty for SQLite)."),
    ],
)
def test_a_bad_value_is_refused_with_a_sentence(name: str, value: str, sentence: str) -> None:
    with pytest.raises(env.BadEnvironment) as refusal:
        env.read({name: value})
    assert str(refusal.value) == sentence


def test_the_database_url_is_taken_apart() -> None:
    entry = env.database(env.read({"DATABASE_URL": "postgresql://us%40er:p%2Fw@db.example:6543/plant?sslmode=require"}))
    assert (entry["HOST"], entry["PORT"], entry["NAME"]) == ("db.example", "6543", "plant")
    assert (entry["USER"], entry["PASSWORD"]) == ("us@er", "p/w")
    assert entry["OPTIONS"] == {"sslmode": "require", "pool": {"min_size": 1, "max_size": 8, "timeout": 10}}


def test_the_owner_of_the_tables_is_another_login_of_the_same_database() -> None:
    web = {"DATABASE_URL": "postgresql://web:w@db/plant"}
    owner = env.owner(env.read({**web, "DATABASE_OWNER_URL": "postgresql://ow%40ner:p%2Fw@db:6543/plant"}))
    assert owner == {"USER": "ow@ner", "PASSWORD": "p/w", "HOST": "db", "PORT": "6543"}
    assert env.owner(env.read(web)) == {}
    for url in ("postgresql://web:w@db/plant", "postgresql://owner@db/other", "sqlite:///plant"):
        with pytest.raises(env.BadEnvironment):
            env.read({**web, "DATABASE_OWNER_URL": url})


def test_every_thread_finds_a_connection_and_so_does_health(tmp_path: Path) -> None:
    web = {"DATA_DIR": str(tmp_path), "DATABASE_URL": "postgresql://xunwei:x@db/xunwei"}
    pools: list[Any] = [env.database(env.read({**web, **more}))["OPTIONS"] for more in ({}, {"WEB_THREADS": "64"})]
    assert [options["pool"]["max_size"] for options in pools] == [8, 68]


def test_without_a_database_url_the_data_folder_holds_an_sqlite_file(tmp_path: Path) -> None:
    entry = env.database(env.read({"DATA_DIR": str(tmp_path)}))
    assert (entry["ENGINE"], entry["NAME"]) == ("core.database.sqlite3", str(tmp_path / "xunwei.sqlite3"))


def test_a_key_is_made_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    data = tmp_path / "var"
    key = env.secret(data, "django")
    assert len(key) == 64
    assert env.secret(data, "django") == key
    assert env.secret(data, "token") != key
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in (data, data / "keys")] == [0o700, 0o700]
    assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in (data / "keys").iterdir()} == {
        "django": 0o600,
        "token": 0o600,
    }


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    env.secret(tmp_path, "django")
    (tmp_path / "keys" / "django").chmod(0o640)
    with pytest.raises(env.BadEnvironment, match=r"keys/django in DATA_DIR can be read by others; run chmod 600"):
        env.secret(tmp_path, "django")


def test_a_damaged_key_is_refused_and_not_replaced(tmp_path: Path) -> None:
    env.secret(tmp_path, "django")
    (tmp_path / "keys" / "django").write_text("short")
    with pytest.raises(env.BadEnvironment, match=r"keys/django in DATA_DIR is too short; restore it from a backup\.$"):
        env.secret(tmp_path, "django")
    assert (tmp_path / "keys" / "django").read_text() == "short"


def test_processes_that_start_at_once_share_one_key(tmp_path: Path) -> None:
    program = (
        "import sys, pathlib; from core.project import env; sys.stdin.read(); "
        "print(env.secret(pathlib.Path(sys.argv[1]), 'django'))"
    )
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path)],
            cwd=env.ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _number in range(6)
    ]
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.close()
        racer.stdin = None
    answers = [racer.communicate(timeout=60)[0].strip() for racer in racers]
    assert set(answers) == {(tmp_path / "keys" / "django").read_text()}
    assert [path.name for path in (tmp_path / "keys").iterdir()] == ["django"]


def test_a_statement_on_postgresql_has_an_end_where_the_environment_gives_it_one() -> None:
    url = "postgresql://u:p@h/d?options=-c%20work_mem%3D8MB"
    without, limited = (
        env.database(env.read({"DATABASE_URL": url, "STATEMENT_SECONDS": seconds})) for seconds in ("", "5")
    )
    assert [entry["OPTIONS"]["options"] for entry in (without, limited)] == [  # type: ignore[index]
        "-c work_mem=8MB",
        "-c statement_timeout=5s -c idle_in_transaction_session_timeout=60s -c work_mem=8MB",
    ]
