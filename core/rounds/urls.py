"""Routes of task rules and inspection tasks."""

from core.blade.router import BladeRouter
from core.rounds import views

router = BladeRouter()
router.register("yuzhu-equip/taskrule", views.RuleViewSet, basename="taskrule")
router.register("yuzhu-equip/configinfo", views.MakingViewSet, basename="configinfomaking")
router.register("yuzhu-equip/inspectorder", views.OrderViewSet, basename="inspectorder")
router.register("yuzhu-equip/inspectorder", views.TaskViewSet, basename="inspectorderpage")
router.register("yuzhu-equip/inspectorderdetail", views.DetailViewSet, basename="inspectorderdetail")
router.register("yuzhu-equip/inspectorderrecord", views.RecordViewSet, basename="inspectorderrecord")
router.register("yuzhu-equip/inspectgroup", views.RatesViewSet, basename="inspectgrouprates")
router.register("yuzhu-equip/inspectforecast", views.ForecastViewSet, basename="inspectforecast")
