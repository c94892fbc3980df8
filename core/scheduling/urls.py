"""Routes of the queues, of connection credentials and of scheduled jobs."""

from core.blade.router import BladeRouter
from core.scheduling import credential_views, job_calls, views

router = BladeRouter()
router.register("blade-system/queue", views.QueueViewSet, basename="queue")
router.register("blade-system/credential", credential_views.CredentialViewSet, basename="credential")
router.register("yuzhu-task/schedulejob", job_calls.JobViewSet, basename="schedulejob")
router.register("yuzhu-task/schedulelog", job_calls.JobLogViewSet, basename="schedulelog")
