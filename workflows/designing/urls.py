"""Routes of the designer's questions, beside those of the drafts."""

from core.kernel.router import BladeRouter
from workflows.designing import views

router = BladeRouter()
router.register("blade-flow/model", views.DesignDoor, basename="flow_design")
