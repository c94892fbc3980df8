"""Routes of the queues."""

from core.blade.router import BladeRouter
from core.scheduling import views

router = BladeRouter()
router.register("blade-system/queue", views.QueueViewSet, basename="queue")
