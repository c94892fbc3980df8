"""Routes of spare parts, their movements, and requests for them."""

from core.blade.router import BladeRouter
from core.spares import views

router = BladeRouter()
router.register("yuzhu-equip/spareinfo", views.SpareViewSet, basename="spareinfo")
router.register("yuzhu-equip/spareflow", views.MoveViewSet, basename="spareflow")
router.register("yuzhu-equip/spareuselog", views.UseLogViewSet, basename="spareuselog")
