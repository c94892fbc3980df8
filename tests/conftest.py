"""Prepare every test run: own data folder, no captcha, no broker, no network, cheap passwords, a shuffled order."""

from __future__ import annotations

import atexit
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from tests.cast import Cast

# The settings read the environment when they are imported, so it is prepared first, and Django is named here: were it
# named in pyproject.toml, pytest-django would import the settings before this file, and with the real data folder.
if "core.project.settings" in sys.modules:
    raise pytest.UsageError("Do not set DJANGO_SETTINGS_MODULE for pytest: tests/conftest.py does it.")
_DATA_DIR = tempfile.mkdtemp(prefix="xunwei-test-")
atexit.register(shutil.rmtree, _DATA_DIR, ignore_errors=True)
if os.environ.get("KEPT_DATABASE"):
    # What the kept rows are hashed and sealed with.
    shutil.copytree(Path(os.environ["KEPT_DATABASE"], "keys"), Path(_DATA_DIR, "keys"))
os.environ.update(
    DATA_DIR=_DATA_DIR, CAPTCHA_MODE="off", DEMO_PASSWORD="", DJANGO_SETTINGS_MODULE="core.project.settings"
)


_LOOPBACK = {"127.0.0.1", "::1", "localhost", "0.0.0.0", "::", "", None}
_DATABASE_FIXTURES = {"db", "transactional_db", "django_db_setup", "database_url"}
"""A test comes to a database through one of these: `cast` asks for `db`, a server of its own for the last."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare what the run on one of two databases leaves to the other, and the order of the tests."""
    # The workers of pytest-xdist inherit the environment, and have to find the same order as this process.
    order = os.environ.setdefault("TEST_ORDER", str(random.randrange(1, 10_000)))
    parser.addoption("--database-only", action="store_true", help="leave out tests that ask for no database")
    parser.addoption(
        "--without-database", action="append", default=[], metavar="PATH",
        help="of this file or folder, leave out tests that ask for a database",
    )  # fmt: skip
    parser.addoption("--keep-database", metavar="FOLDER", help="run one test, and keep its database with the cast")
    parser.addoption("--nouns", default="", metavar="PATH,…", help="of the contract, only the cases of these nouns")
    parser.addoption(
        "--shuffle", default=order, metavar="SEED",
        help="order of the tests; the same seed gives the same order, 0 that of the files",
    )  # fmt: skip


def pytest_report_header(config: pytest.Config) -> str:
    """Return the line that says how to get the same order again."""
    return f"order: --shuffle {config.getoption('--shuffle')}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle the files, and the tests in each, so that none depends on what ran before it.

    The tests of a file stay together, because they share its fixtures. With --database-only, keep only those whose
    fixtures or mark show that they touch a database; with --without-database, the others of the places named; with
    --nouns, those of the nouns named.
    """
    seed = int(config.getoption("--shuffle"))
    if seed:
        shuffle = random.Random(seed).shuffle
        files = [list(tests) for _path, tests in groupby(items, key=lambda item: item.path)]
        shuffle(files)
        for tests in files:
            shuffle(tests)
        items[:] = [test for tests in files for test in tests]
    if config.getoption("--database-only"):
        _keep(config, items, _touches_the_database)
    if left := [config.rootpath / path for path in config.getoption("--without-database")]:
        stays = {item for item in items if not any(item.path.is_relative_to(path) for path in left)}
        _keep(config, items, lambda item: item in stays or not _touches_the_database(item))
    if config.getoption("--keep-database"):
        needs = next(item for item in items if "db" in getattr(item, "fixturenames", ()))
        _keep(config, items, lambda item: item is needs)
    if nouns := config.getoption("--nouns"):
        _keep(config, items, lambda item: _is_about(item, nouns.split(",")))


def _keep(config: pytest.Config, items: list[pytest.Item], wanted: Callable[[pytest.Item], bool]) -> None:
    config.hook.pytest_deselected(items=[item for item in items if not wanted(item)])
    items[:] = [item for item in items if wanted(item)]


def _touches_the_database(item: pytest.Item) -> bool:
    """Return whether a test may go otherwise on another database."""
    if item.get_closest_marker("same_on_both") is not None:
        return False
    fixtures = _DATABASE_FIXTURES.intersection(getattr(item, "fixturenames", ()))
    return bool(fixtures) or item.get_closest_marker("django_db") is not None


def _is_about(item: pytest.Item, paths: list[str]) -> bool:
    """Return whether a case is of one of these nouns, or of a call of theirs."""
    values = item.callspec.params.values() if isinstance(item, pytest.Function) and hasattr(item, "callspec") else ()
    return any(
        str(getattr(value, "path", value)) == path or str(getattr(value, "path", value)).startswith(f"{path}/")
        for value in values
        for path in paths
    )


def pytest_configure(config: pytest.Config) -> None:
    """Bring the English texts up to date, and load the settings before pytest-django looks whether there are any."""
    config.addinivalue_line("markers", "same_on_both: asks for a database, and does not depend on which")
    if not hasattr(config, "workerinput"):
        # A test would otherwise read the sentences of yesterday.
        subprocess.run(["sh", "deploy/setup.sh", "catalogue"], cwd=Path(__file__).parent.parent, check=True)
    if config.pluginmanager.hasplugin("django"):
        from django.conf import settings

        assert str(settings.DATA_DIR) == os.path.realpath(_DATA_DIR)
        settings.INSTALLED_APPS.append("tests.toolroom")
        settings.ROOT_URLCONF = "tests.toolroom.urls"
        database: dict[str, Any] = settings.DATABASES["default"]
        if database["ENGINE"].endswith("sqlite3"):
            # A file, as in an installation: in memory the second writer is refused instead of waiting its turn.
            database["TEST"] = {"NAME": str(Path(_DATA_DIR, "test.sqlite3"))}
            from core.database.sqlite3 import base

            base.LONG_SECONDS = float("inf")  # each test is one long write here
        if database["ENGINE"].endswith("postgresql"):
            # Two runs at once on one server must not meet.
            database["TEST"] = {"NAME": f"test_xunwei_{os.getpid()}"}


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart() -> None:
    """Let the workers of pytest-xdist, which inherit the environment, begin as this process did."""
    os.environ.pop("DJANGO_SETTINGS_MODULE", None)


@pytest.fixture(scope="session", autouse=True)
def _no_network() -> Iterator[None]:
    """Refuse every connection but those to this machine, and to the Redis server that the environment names."""
    allowed = _LOOPBACK | {urlsplit(os.environ.get("REDIS_URL", "")).hostname}
    connect, resolve = socket.socket.connect, socket.getaddrinfo

    def check(host: object) -> None:
        if (host.decode() if isinstance(host, bytes) else host) not in allowed:
            raise RuntimeError(f"a test was about to reach {host}: tests stay on this machine")

    def guarded_connect(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX:
            check(address[0])
        connect(self, address)

    def guarded_resolve(host: Any, *arguments: Any, **more: Any) -> Any:
        check(host)
        return resolve(host, *arguments, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded_connect)
        patch.setattr(socket, "getaddrinfo", guarded_resolve)
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_outside_world(request: pytest.FixtureRequest) -> Iterator[None]:
    """Cache and broker inside the process, passwords hashed at the least cost."""
    if not request.config.pluginmanager.hasplugin("django"):
        yield  # tests of the engine alone may run without Django
        return
    from django.test import override_settings

    from core.identity.passwords import Argon2
    from core.project.celery import app
    from tests import cast, every_answer

    every_answer.watch(lambda: every_answer.passwords(cast.PASSWORD))
    Argon2.time_cost, Argon2.memory_cost = 1, 8
    app.conf.broker_url = "memory://"
    memory = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    # Every test's client would read the folder of the console anew, which takes longer than what it is asked.
    with override_settings(CACHES=memory, LOG_THREAD=False, WHITENOISE_ROOT=None):
        yield


@pytest.fixture(autouse=True)
def _no_language_is_left() -> Iterator[None]:
    """A request leaves its language to the thread, and the next test would read the last one's."""
    from django.utils import translation

    yield
    translation.deactivate()


@pytest.fixture(scope="session")
def _web_login(request: pytest.FixtureRequest, django_db_blocker: Any) -> Iterator[dict[str, str]]:
    """Make the login that serves, as in production: it owns nothing and bypasses nothing. SQLite has no logins."""
    from tests import logins

    if os.environ.get("KEPT_DATABASE"):
        yield {}  # the kept database has one
        return
    with django_db_blocker.unblock():
        login = logins.make()
    yield login
    if not request.config.getoption("--keep-database"):
        with django_db_blocker.unblock():
            logins.drop(login)


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest, _web_login: dict[str, str], django_db_modify_db_settings: None,
    django_db_blocker: Any, _no_outside_world: None,
) -> Iterator[None]:  # fmt: skip
    """The test database with the cast in it, once; what a test stores in it is taken back when the test ends.

    The owner of the tables has made it; from here on the tests, and the installation of the cast, are the login that
    serves.
    """
    from django.test import TransactionTestCase

    from tests import cast, databases, logins

    kept = os.environ.get("KEPT_DATABASE")
    if not kept:
        request.getfixturevalue("django_db_setup")  # pytest-django's, which this one overrides
    try:
        with django_db_blocker.unblock():
            if kept:
                logins.serve_as(databases.copy(Path(kept)))
            else:
                logins.grant(_web_login)
                logins.serve_as(_web_login)
                cast.install()
            if folder := request.config.getoption("--keep-database"):
                logins.own_again()
                databases.keep(Path(folder), _web_login)
                from tests.prove import fuzz  # most runs need nothing of it

                fuzz.keep_document(Path(folder))
                logins.serve_as(_web_login)
            cast.remember()
        # How a test with transactions of its own ends.
        TransactionTestCase._fixture_teardown = lambda _self: cast.put_back()  # type: ignore[attr-defined]
        yield
    finally:
        with django_db_blocker.unblock():
            logins.own_again()
            if kept:
                databases.drop_copy()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    """Forget rights that the test has changed."""
    yield
    if item.config.pluginmanager.hasplugin("django"):
        from tests import cast

        cast.forget_changed_rights()


@pytest.fixture
def cast(db: None) -> Cast:
    """The people and machines of tenants A and B."""
    from tests import cast

    return cast.Cast()
