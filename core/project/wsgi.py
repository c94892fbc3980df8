"""The web server's entry point."""

import gc
import os
import sys
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "core.project.settings")
application = get_wsgi_application()
import_module(settings.ROOT_URLCONF)
# Who works long in one thread lets the others of the process in after a millisecond, at each of their statements.
sys.setswitchinterval(0.001)
# What is loaded by now stays: looked through again and again, it would cost some request a tenth of a second each time.
gc.collect()
gc.freeze()
