"""Routes of the logs."""

from core.audit import views
from core.blade.router import BladeRouter

router = BladeRouter()
router.register("blade-log/usual", views.UsualLogViewSet, basename="log-usual")
router.register("blade-log/api", views.CallLogViewSet, basename="log-api")
router.register("blade-log/error", views.ErrorLogViewSet, basename="log-error")
router.register("blade-log/sealcheck", views.SealCheckViewSet, basename="log-sealcheck")
