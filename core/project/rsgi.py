"""The web server's entry point: the front door, and the WSGI application behind it."""

from core.project.wsgi import application as behind  # isort: skip  It sets Django up.

from collections.abc import Callable
from typing import Any

from django.conf import settings

from core.project.front import lines
from core.project.front.gateway import Gateway
from core.project.front.rates import Counters, Rate
from core.project.front.reception import Reception


def front(application: Callable[..., Any]) -> Gateway:
    """Return the front door before a WSGI application, as the environment asks for it."""
    run = settings.DATA_DIR / "run"
    return Gateway(
        application,
        threads=settings.ENV.threads,
        reception=Reception(run / "bodies"),
        counters=Counters(run / "calls", settings.SECRET_KEY.encode()),
        rates={name: Rate(*limit) for name, limit in settings.ENV.limits.items()},
    )


lines.make_room()
application = front(behind)
