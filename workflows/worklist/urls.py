"""Routes of the queues."""

from core.kernel.router import BladeRouter
from workflows.worklist import views

router = BladeRouter()
router.register("blade-flow/work", views.WorkDoor, basename="work")
