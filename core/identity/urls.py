"""Routes of sign-in, tenants, people, departments, posts and teams."""

from core.blade.router import BladeRouter
from core.identity import clients, departments, open_dialect, tenant_views, user_views, views

router = BladeRouter()
router.register("xunwei", views.SiteViewSet, basename="site")
router.register("equip-auth/oauth", views.OauthViewSet, basename="equip-auth")
router.register("blade-auth/oauth", views.OauthViewSet, basename="blade-auth")
router.register("blade-auth", open_dialect.OpenViewSet, basename="open-auth")
router.register("blade-user", views.PasswordViewSet, basename="own-password")
router.register("blade-system/user", views.PasswordViewSet, basename="open-own-password")
router.register("yuzhu-equip/common", views.TenantListViewSet, basename="tenant-list")
router.register("blade-user", user_views.UserViewSet, basename="user")
router.register("blade-system/user", user_views.UserViewSet, basename="open-user")
router.register("blade-system/dept", departments.DepartmentViewSet, basename="dept")
router.register("blade-system/post", departments.PostViewSet, basename="post")
router.register("blade-system/tenant", tenant_views.TenantViewSet, basename="tenant")
router.register("blade-system/client", clients.ClientViewSet, basename="client")
router.register("yuzhu-equip/repairteam", views.TeamViewSet, basename="repairteam")
