"""Routes of dictionaries, parameters, regions, holidays and required fields."""

from core.blade.router import BladeRouter
from core.system import holiday_views, required_views, views

router = BladeRouter()
router.register("blade-system/dict", views.SystemDictionaryViewSet, basename="dict")
router.register("blade-system/dict-biz", views.BusinessDictionaryViewSet, basename="dict-biz")
router.register("blade-system/param", views.ParameterViewSet, basename="param")
router.register("blade-system/region", views.RegionViewSet, basename="region")
router.register("yuzhu-equip/holiday", holiday_views.HolidayViewSet, basename="holiday")
router.register("yuzhu-equip/required", required_views.RequiredViewSet, basename="required")
