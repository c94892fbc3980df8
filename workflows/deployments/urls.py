"""Routes of drafts and deployed models."""

from core.kernel.router import BladeRouter
from workflows.deployments import manager_views, model_views

router = BladeRouter()
router.register("blade-flow/model", model_views.ModelDoor, basename="flow_model")
router.register("blade-flow/manager", manager_views.ManagerDoor, basename="flow_manager")
