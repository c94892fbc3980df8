"""Routes of dictionaries, parameters, regions and holidays."""

from core.blade.router import BladeRouter
from core.system import holiday_views, views

router = BladeRouter()
router.register("blade-system/dict", views.SystemDictionaryViewSet, basename="dict")
router.register("blade-system/dict-biz", views.BusinessDictionaryViewSet, basename="dict-biz")
router.register("blade-system/param", views.ParameterViewSet, basename="param")
router.register("blade-system/region", views.RegionViewSet, basename="region")
router.register("yuzhu-equip/holiday", holiday_views.HolidayViewSet, basename="holiday")
