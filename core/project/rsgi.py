"""The web server's entry point: the front door, and the WSGI application behind it."""

from core.project.wsgi import application as behind  # isort: skip  It sets Django up.

from django.conf import settings

from core.project.front.gateway import Gateway
from core.project.front.rates import Counters, Rate
from core.project.front.reception import Reception

application = Gateway(
    behind,
    threads=settings.ENV.threads,
    reception=Reception(settings.DATA_DIR / "run" / "bodies"),
    counters=Counters(settings.DATA_DIR / "run" / "calls", settings.SECRET_KEY.encode()),
    rates={name: Rate(*limit) for name, limit in settings.ENV.limits.items()},
)
