"""Addresses of the figures."""

from core.blade.router import BladeRouter
from core.metrics import views

router = BladeRouter()
router.register("yuzhu-equip/homeMetric", views.HomeMetricViewSet, basename="homeMetric")
router.register("yuzhu-equip/kpi", views.KpiViewSet, basename="kpi")
