"""Routes of messages and notices."""

from core.desk import views
from core.kernel.router import BladeRouter

router = BladeRouter()
router.register("blade-desk/message", views.MessageViewSet, basename="message")
router.register("blade-desk/notice", views.NoticeViewSet, basename="notice")
