"""Routes of files."""

from django.urls import path

from core.blade.router import BladeRouter
from core.storage import views

router = BladeRouter()
router.register("blade-resource/attach", views.AttachmentViewSet, basename="attach")
router.register("blade-resource/oss/endpoint", views.UploadViewSet, basename="upload")
urlpatterns = [path("blade-resource/attach/file/<str:tenant_id>/<str:name>", views.show)]
