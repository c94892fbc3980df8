"""Routes of machine classes, machines, their readings and fault words."""

from core.blade.router import BladeRouter
from core.equipment import tags, views

router = BladeRouter()
router.register("yuzhu-equip/inspecttype", views.MachineClassViewSet, basename="inspecttype")
router.register("yuzhu-equip/inspectmachine", views.MachineViewSet, basename="inspectmachine")
router.register("yuzhu-equip/meterreading", views.MeterReadingViewSet, basename="meterreading")
router.register("yuzhu-equip/equiptags", tags.TagViewSet, basename="equiptags")
