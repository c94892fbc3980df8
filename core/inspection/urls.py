"""Routes of check standards, inspection routes and their points."""

from core.blade.router import BladeRouter
from core.inspection import views

router = BladeRouter()
router.register("yuzhu-equip/inspectConfig", views.StandardViewSet, basename="inspectconfig")
router.register("yuzhu-equip/inspectgroup", views.RouteViewSet, basename="inspectgroup")
router.register("yuzhu-equip/inspectpoint", views.PointViewSet, basename="inspectpoint")
