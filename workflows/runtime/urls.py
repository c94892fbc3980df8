"""Routes of the work list, and of a process's history and diagram."""

from core.blade.router import BladeRouter
from workflows.runtime.calls import absence_views, process_views, work_views

router = BladeRouter()
router.register("blade-flow/process", process_views.ProcessViewSet, basename="process")
router.register("blade-flow/work", work_views.WorkViewSet, basename="work")
router.register("blade-flow/absence", absence_views.AbsenceViewSet, basename="absence")
