"""Routes of messages, notices, saved views and leave."""

from core.blade.router import BladeRouter
from core.desk import views
from core.desk.leave.views import LeaveRecordViewSet, LeaveViewSet
from core.desk.saved_views import SavedViewViewSet

router = BladeRouter()
router.register("blade-desk/message", views.MessageViewSet, basename="message")
router.register("blade-desk/notice", views.NoticeViewSet, basename="notice")
router.register("blade-desk/view", SavedViewViewSet, basename="saved-view")
router.register("blade-desk/process/leave", LeaveViewSet, basename="leave")
router.register("blade-desk/leaverecord", LeaveRecordViewSet, basename="leaverecord")
