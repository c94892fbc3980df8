"""Routes of history and diagram."""

from core.kernel.router import BladeRouter
from workflows.instances import views

router = BladeRouter()
router.register("blade-flow/process", views.ProcessDoor, basename="process")
router.register("blade-flow/follow", views.FollowDoor, basename="flow_follow")
