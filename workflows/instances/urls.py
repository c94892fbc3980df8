"""Routes of history and diagram, and of following processes."""

from core.kernel.router import BladeRouter
from workflows.instances import follow_views, views

router = BladeRouter()
router.register("blade-flow/process", views.ProcessDoor, basename="process")
router.register("blade-flow/follow", follow_views.FollowDoor, basename="flow_follow")
