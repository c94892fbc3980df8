"""Routes of the queues and of connection credentials."""

from core.blade.router import BladeRouter
from core.scheduling import credential_views, views

router = BladeRouter()
router.register("blade-system/queue", views.QueueViewSet, basename="queue")
router.register("blade-system/credential", credential_views.CredentialViewSet, basename="credential")
