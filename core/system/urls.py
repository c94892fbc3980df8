"""Routes of dictionaries, parameters and regions."""

from core.blade.router import BladeRouter
from core.system import views

router = BladeRouter()
router.register("blade-system/dict", views.SystemDictionaryViewSet, basename="dict")
router.register("blade-system/dict-biz", views.BusinessDictionaryViewSet, basename="dict-biz")
router.register("blade-system/param", views.ParameterViewSet, basename="param")
router.register("blade-system/region", views.RegionViewSet, basename="region")
