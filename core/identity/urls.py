"""Routes of sign-in, departments and teams."""

from core.identity import views
from core.kernel.router import BladeRouter

router = BladeRouter()
router.register("xunwei", views.SiteDoor, basename="site")
router.register("equip-auth/oauth", views.OauthDoor, basename="equip-auth")
router.register("blade-auth/oauth", views.OauthDoor, basename="blade-auth")
router.register("blade-system/dept", views.DepartmentDoor, basename="dept")
router.register("yuzhu-equip/repairteam", views.TeamDoor, basename="repairteam")
