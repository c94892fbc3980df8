"""The product's URL table, and the store's calls."""

from django.urls import include, path

from core.blade.router import BladeRouter
from core.project import urls as product
from tests.toolroom import views

router = BladeRouter()
router.register("yuzhu-toolroom/toolmaker", views.ToolmakerViewSet, basename="toolmaker")
router.register("yuzhu-toolroom/tool", views.ToolViewSet, basename="tool")
router.register("yuzhu-toolroom/toolmove", views.ToolMoveViewSet, basename="toolmove")
router.register("yuzhu-toolroom/toolorder", views.ToolOrderViewSet, basename="toolorder")

urlpatterns = [path("api/", include(router.urls)), path("", include(router.urls)), *product.urlpatterns]
handler404 = product.handler404
handler500 = product.handler500
