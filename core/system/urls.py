"""Routes of dictionaries, parameters, regions, holidays, required and extra fields."""

from core.blade.router import BladeRouter
from core.system import extra_views, holiday_views, release_views, required_views, views

router = BladeRouter()
router.register("blade-system/dict", views.SystemDictionaryViewSet, basename="dict")
router.register("blade-system/dict-biz", views.BusinessDictionaryViewSet, basename="dict-biz")
router.register("blade-system/param", views.ParameterViewSet, basename="param")
router.register("blade-system/region", views.RegionViewSet, basename="region")
router.register("yuzhu-equip/extfield", extra_views.ExtraFieldViewSet, basename="extfield")
router.register("yuzhu-equip/holiday", holiday_views.HolidayViewSet, basename="holiday")
router.register("yuzhu-equip/required", required_views.RequiredViewSet, basename="required")
router.register("yuzhu-equip/systemHistory", release_views.SystemHistoryViewSet, basename="systemHistory")
