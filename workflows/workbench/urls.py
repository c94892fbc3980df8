"""Routes of drafts, of deployed models, of the designer's questions and of the follow screen."""

from core.blade.router import BladeRouter
from workflows.workbench.designer import views as designer_views
from workflows.workbench.follow import message_views
from workflows.workbench.follow import views as follow_views
from workflows.workbench.publishing import manager_views, model_views, schedule_views

router = BladeRouter()
router.register("blade-flow/model", model_views.ModelViewSet, basename="flow_model")
router.register("blade-flow/manager", manager_views.ManagerViewSet, basename="flow_manager")
router.register("blade-flow/model", designer_views.DesignViewSet, basename="flow_design")
router.register("blade-flow/schedule", schedule_views.ScheduleViewSet, basename="flow_schedule")
router.register("blade-flow/message", message_views.MessageViewSet, basename="flow_message")
router.register("blade-flow/follow", follow_views.FollowViewSet, basename="flow_follow")
