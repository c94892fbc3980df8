"""Adds the English name of a holiday, and gives it to those that were taken over without one."""

from typing import Any

from django.db import migrations, models

_ENGLISH = {
    "元旦": "New Year’s Day", "春节": "Spring Festival", "清明": "Tomb-Sweeping Day", "劳动节": "Labor Day",
    "端午": "Dragon Boat Festival", "国庆节": "National Day", "中秋": "Mid-Autumn Festival",
}  # fmt: skip


def name(apps: Any, schema_editor: Any) -> None:
    """Name the days that are called as the published calendar calls them; the days themselves stay as they are."""
    connection, holidays = schema_editor.connection, apps.get_model("system", "Holiday")
    tenants = set(apps.get_model("system", "CalendarVersion").objects.values_list("tenant_id", flat=True))
    with connection.cursor() as cursor:
        for tenant_id in sorted(tenants):
            if connection.vendor == "postgresql":
                # The wall stands for the owner of the tables too.
                cursor.execute("SELECT set_config('xunwei.tenant', %s, true)", [tenant_id])
            for zh, en in _ENGLISH.items():
                holidays.objects.filter(tenant_id=tenant_id, name=zh, name_en="").update(name_en=en)


class Migration(migrations.Migration):
    dependencies = [("system", "0004_holidays")]

    operations = [
        migrations.AddField(
            model_name="holiday",
            name="name_en",
            field=models.CharField(blank=True, default="", max_length=80, verbose_name="英文名称"),
        ),
        migrations.RunPython(name, migrations.RunPython.noop),
    ]
