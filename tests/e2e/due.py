"""Let the next start by time of a process lie a minute back, as if the clock had moved on.

Run on the plant's DATA_DIR: `python -m tests.e2e.due KEY`.
"""

from __future__ import annotations

import os
import sys
from datetime import timedelta

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "core.project.settings")
django.setup()

from core.kernel import clock  # noqa: E402
from workflows.runtime.tables.timers.models import Schedule  # noqa: E402

if __name__ == "__main__":
    past = clock.now() - timedelta(minutes=1)
    changed = Schedule.objects.filter(key=sys.argv[1], is_general=False).update(occurrence=past, due_time=past)
    sys.exit(0 if changed else 1)
