"""Takes the reason of a leave out of titles that were stored when it was the title: it is confidential."""

from typing import Any

from django.db import migrations

from core.kernel.half_days import dates_between
from core.kernel.texts import both

_TYPES = {
    1: ("事假", "Personal"), 2: ("病假", "Sick"), 3: ("年假", "Annual"), 4: ("婚假", "Marriage"),
    5: ("产假", "Maternity"), 6: ("其他", "Other"),
}  # fmt: skip


def _titles(leave: Any) -> tuple[str, str]:
    """Return the title in both languages as leaves have it since then."""
    name = leave.user.real_name
    if leave.type is None or leave.start_time is None or leave.end_time is None or leave.days is None:
        return name, name
    days, (kind, kind_en) = f"{float(leave.days):g}", _TYPES[leave.type]
    when, when_en = both(dates_between(leave.start_time, leave.end_time))
    unit = "day" if leave.days == 1 else "days"
    return f"{name} · {kind} {days}天 · {when}", f"{name} · {kind_en} leave, {days} {unit} · {when_en}"


def retitle(apps: Any, schema_editor: Any) -> None:
    """Give the instances and work items of leaves that have no English title yet the title of today."""
    connection, leaves = schema_editor.connection, apps.get_model("desk", "Leave")
    tables = (apps.get_model("instances", "ProcessInstance"), apps.get_model("worklist", "WorkItem"))
    with connection.cursor() as cursor:
        for tenant_id in apps.get_model("identity", "Tenant").objects.values_list("tenant_id", flat=True):
            if connection.vendor == "postgresql":
                # The wall stands for the owner of the tables too.
                cursor.execute("SELECT set_config('xunwei.tenant', %s, true)", [tenant_id])
            earlier = tables[0].objects.filter(tenant_id=tenant_id, business_type="leave", title_en="")
            ids = earlier.values("business_id")
            for leave in leaves.objects.filter(tenant_id=tenant_id, pk__in=ids).select_related("user"):
                zh, en = _titles(leave)
                for table in tables:
                    rows = table.objects.filter(tenant_id=tenant_id, business_type="leave", business_id=leave.pk)
                    rows.update(title=zh[:200], title_en=en[:200])


class Migration(migrations.Migration):
    dependencies = [
        ("worklist", "0009_standing_at"),
        ("instances", "0011_title_in_english"),
        ("desk", "0009_labels_of_leaves"),
    ]

    operations = [migrations.RunPython(retitle, migrations.RunPython.noop)]
