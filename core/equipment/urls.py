"""Routes of machine classes, machines, their readings and stoppages, and fault words."""

from core.blade.router import BladeRouter
from core.equipment import plate_sheets, stoppage_calls, tag_sheets, tags, views

router = BladeRouter()
router.register("yuzhu-equip/inspecttype", views.MachineClassViewSet, basename="inspecttype")
router.register("yuzhu-equip/inspectmachine", views.MachineViewSet, basename="inspectmachine")
router.register("yuzhu-equip/meterreading", views.MeterReadingViewSet, basename="meterreading")
router.register("yuzhu-equip/equiptags", tags.TagViewSet, basename="equiptags")
router.register("yuzhu-equip/failurecode", tag_sheets.WordViewSet, basename="failurecode")
router.register("yuzhu-equip/equipplate", plate_sheets.PlateViewSet, basename="equipplate")
router.register("yuzhu-equip/inspectrestlog", stoppage_calls.LogViewSet, basename="inspectrestlog")
