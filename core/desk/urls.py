"""Routes of messages."""

from core.desk import views
from core.kernel.router import BladeRouter

router = BladeRouter()
router.register("blade-desk/message", views.MessageViewSet, basename="message")
