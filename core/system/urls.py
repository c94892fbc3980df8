"""Routes of dictionaries."""

from core.kernel.router import BladeRouter
from core.system import views

router = BladeRouter()
router.register("blade-system/dict-biz", views.DictionaryDoor, basename="dict-biz")
