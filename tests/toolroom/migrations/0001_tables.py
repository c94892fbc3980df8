"""Makes the tables as the models stand, so that a changed base model needs no migration here."""

from pathlib import Path
from typing import Any

from django.apps import apps as real
from django.conf import settings
from django.db import migrations


def _latest(app: str) -> str:
    return max(path.stem for path in Path(settings.BASE_DIR, "core", app, "migrations").glob("0*.py"))


def _create(apps: Any, schema_editor: Any) -> None:
    for model in real.get_app_config("toolroom").get_models():
        schema_editor.create_model(model)


class Migration(migrations.Migration):
    """After the tables that these refer to."""

    dependencies = [(app, _latest(app)) for app in ("identity", "equipment")]
    operations = [migrations.RunPython(_create)]
