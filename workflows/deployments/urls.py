"""Routes of drafts and deployed models."""

from core.kernel.router import BladeRouter
from workflows.deployments import views

router = BladeRouter()
router.register("blade-flow/model", views.ModelDoor, basename="flow_model")
router.register("blade-flow/manager", views.ManagerDoor, basename="flow_manager")
