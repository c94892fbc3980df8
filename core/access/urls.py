"""Routes of menus."""

from core.access import views
from core.kernel.router import BladeRouter

router = BladeRouter()
router.register("blade-system/menu", views.MenuDoor, basename="menu")
