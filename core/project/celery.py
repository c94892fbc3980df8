"""The worker's and beat's entry point; Celery only wakes up what the database already knows."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "core.project.settings")
app = Celery("xunwei")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(related_name="jobs")
app.conf.beat_scheduler = "celery.beat:Scheduler"  # in memory: a tick that is missed is followed by the next one
app.conf.beat_schedule = {
    "outbox": {"task": "scheduling.sweep_outbox", "schedule": 5.0, "options": {"expires": 5}},
    "timers": {"task": "timers.sweep", "schedule": 3.0, "options": {"expires": 3}},
    "schedules": {"task": "schedules.sweep", "schedule": 5.0, "options": {"expires": 5}},
    "calendars": {"task": "timers.renew", "schedule": 5.0, "options": {"expires": 5}},
    "operations": {"task": "operations.sweep", "schedule": 5.0, "options": {"expires": 5}},
    "sheets": {"task": "sheets.sweep", "schedule": 5.0, "options": {"expires": 5}},
    "old sheets": {"task": "sheets.prune", "schedule": 3600.0, "options": {"expires": 3600}},
    "prune": {"task": "audit.prune", "schedule": 3600.0, "options": {"expires": 3600}},
    "seal": {"task": "audit.seal", "schedule": 300.0, "options": {"expires": 300}},
    "verify": {"task": "audit.verify", "schedule": 5.0, "options": {"expires": 5}},
    "shift calendar": {"task": "shifts.cover", "schedule": 600.0, "options": {"expires": 600}},
    "inspection tasks": {"task": "rounds.generate", "schedule": 600.0, "options": {"expires": 600}},
    "missed inspections": {"task": "rounds.sweep", "schedule": 60.0, "options": {"expires": 60}},
    "queues": {"task": "queues.tidy", "schedule": 600.0, "options": {"expires": 600}},
    "heartbeat": {"task": "scheduling.heartbeat", "schedule": 2.0, "options": {"expires": 2}},
}
