"""Routes of repair orders."""

from core.kernel.router import BladeRouter
from core.maintenance import views

router = BladeRouter()
router.register("yuzhu-equip/repairorder", views.RepairOrderViewSet, basename="repairorder")
router.register("yuzhu-equip/repairorderdetail", views.RepairLineViewSet, basename="repairorderdetail")
router.register("yuzhu-equip/user", views.MachineUsersDoor, basename="machine-users")
