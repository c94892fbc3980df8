"""Prepares every test run: a data folder of its own, no captcha, no broker, cheap passwords, and the cast installed."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.cast import Cast

# The settings read the environment when they are imported, so it is prepared first, and Django is named here: were it
# named in pyproject.toml, pytest-django would import the settings before this file, and with the real data folder.
if "core.project.settings" in sys.modules:
    raise pytest.UsageError("Do not set DJANGO_SETTINGS_MODULE for pytest: tests/conftest.py does it.")
_DATA_DIR = tempfile.mkdtemp(prefix="xunwei-test-")
atexit.register(shutil.rmtree, _DATA_DIR, ignore_errors=True)
os.environ.update(
    DATA_DIR=_DATA_DIR, CAPTCHA_MODE="off", DEMO_PASSWORD="", DJANGO_SETTINGS_MODULE="core.project.settings"
)


_DATABASE_FIXTURES = {"db", "transactional_db", "django_db_setup", "database_url"}
"""A test comes to a database through one of these: `cast` asks for `db`, a server of its own for the last."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """What the run on the second database leaves out; tests/run.sh gives it."""
    parser.addoption("--database-only", action="store_true", help="leave out tests that ask for no database")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With --database-only, keep what the fixtures or the mark of a test show to touch a database."""
    if not config.getoption("--database-only"):
        return

    def touches(item: pytest.Item) -> bool:
        fixtures = _DATABASE_FIXTURES.intersection(getattr(item, "fixturenames", ()))
        return bool(fixtures) or item.get_closest_marker("django_db") is not None

    config.hook.pytest_deselected(items=[item for item in items if not touches(item)])
    items[:] = [item for item in items if touches(item)]


def pytest_configure(config: pytest.Config) -> None:
    """Load the settings now, before pytest-django looks whether there are any."""
    if config.pluginmanager.hasplugin("django"):
        from django.conf import settings

        assert str(settings.DATA_DIR) == os.path.realpath(_DATA_DIR)
        database = settings.DATABASES["default"]
        if database["ENGINE"].endswith("sqlite3"):
            # A file, as in an installation: in memory the second writer is refused instead of waiting its turn.
            database["TEST"] = {"NAME": os.path.join(_DATA_DIR, "test.sqlite3")}
        if settings.DATABASES["default"]["ENGINE"].endswith("postgresql"):
            # Two runs at once on one server must not meet.
            settings.DATABASES["default"]["TEST"] = {"NAME": f"test_xunwei_{os.getpid()}"}


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart() -> None:
    """Let the workers of pytest-xdist, which inherit the environment, begin as this process did."""
    os.environ.pop("DJANGO_SETTINGS_MODULE", None)


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
def django_db_setup(django_db_setup: None, django_db_blocker: Any, _no_outside_world: None) -> None:
    """The test database with the cast in it, once; each test then runs in a transaction that is taken back."""
    from tests import cast

    with django_db_blocker.unblock():
        cast.install()


@pytest.fixture
def cast(db: None) -> Cast:
    """The people and machines of tenants A and B."""
    from tests import cast

    # A test with real transactions empties all tables when it ends.
    if not cast.is_installed():
        cast.install()
    return cast.Cast()
