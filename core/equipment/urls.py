"""Routes of machine classes, machines and fault words."""

from core.equipment import views
from core.kernel.router import BladeRouter

router = BladeRouter()
router.register("yuzhu-equip/inspecttype", views.MachineClassViewSet, basename="inspecttype")
router.register("yuzhu-equip/inspectmachine", views.MachineViewSet, basename="inspectmachine")
router.register("yuzhu-equip/equiptags", views.TagDoor, basename="equiptags")
