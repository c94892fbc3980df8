"""Routes of exports and imports that run as jobs."""

from core.blade.router import BladeRouter
from core.sheetjobs import views

router = BladeRouter()
router.register("blade-desk/sheetjob", views.SheetJobViewSet, basename="sheetjob")
