"""Routes of deployed models."""

from core.kernel.router import BladeRouter
from workflows.deployments import views

router = BladeRouter()
router.register("blade-flow/manager", views.ManagerDoor, basename="flow_manager")
