"""Routes of shift plans."""

from core.blade.router import BladeRouter
from core.shifts import views

router = BladeRouter()
router.register("yuzhu-equip/configinfo", views.PlanViewSet, basename="configinfo")
