"""Routes of maintenance orders."""

from core.blade.router import BladeRouter
from core.preventive import calendar, views

router = BladeRouter()
router.register("yuzhu-equip/maintainorder", views.MaintainOrderViewSet, basename="maintainorder")
router.register("yuzhu-equip/maintainorderdetail", views.MaintainItemViewSet, basename="maintainorderdetail")
router.register("yuzhu-equip/maintaincalendar", calendar.CalendarViewSet, basename="maintaincalendar")
