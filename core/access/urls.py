"""Routes of menus, roles, top menus and scopes."""

from core.access import views
from core.blade.router import BladeRouter

router = BladeRouter()
router.register("blade-system/menu", views.MenuViewSet, basename="menu")
router.register("blade-system/role", views.RoleViewSet, basename="role")
router.register("blade-system/topmenu", views.TopMenuViewSet, basename="topmenu")
router.register("blade-system/data-scope", views.DataScopeViewSet, basename="data-scope")
router.register("blade-system/api-scope", views.ApiScopeViewSet, basename="api-scope")
