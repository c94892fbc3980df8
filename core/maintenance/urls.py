"""Routes of repair orders."""

from core.blade.router import BladeRouter
from core.maintenance import plate_views, views
from core.maintenance.reports.views import RepairReportViewSet

router = BladeRouter()
router.register("yuzhu-equip/repairorder", views.RepairOrderViewSet, basename="repairorder")
router.register("yuzhu-equip/repairorder", RepairReportViewSet, basename="repair-reports")
router.register("yuzhu-equip/repairorderdetail", views.RepairLineViewSet, basename="repairorderdetail")
router.register("yuzhu-equip/user", views.MachineUsersViewSet, basename="machine-users")
router.register("yuzhu-equip/scan", plate_views.PlateReportViewSet, basename="scan")
