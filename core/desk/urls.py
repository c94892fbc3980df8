"""Routes of messages, notices and leave."""

from core.desk import views
from core.desk.leave.views import LeaveDoor
from core.kernel.router import BladeRouter

router = BladeRouter()
router.register("blade-desk/message", views.MessageViewSet, basename="message")
router.register("blade-desk/notice", views.NoticeViewSet, basename="notice")
router.register("blade-desk/process/leave", LeaveDoor, basename="leave")
