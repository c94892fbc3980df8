from typing import Any

from django.db import connection, migrations

from core.kernel.tenancy import compiled_for

MACHINE = 4
CODE, NAME, NAME_EN = "UNCLASSIFIED", "未分类", "Unclassified"


def classify(apps: Any, schema_editor: Any) -> None:
    """Machines and components that were there before classes get one, which says that nobody has chosen yet."""
    machines = apps.get_model("equipment", "Machine").objects
    classes = apps.get_model("equipment", "MachineClass").objects
    for tenant_id in apps.get_model("identity", "Tenant").objects.values_list("tenant_id", flat=True):
        if connection.vendor == "postgresql":
            # The wall stands for the owner of the tables too; its role has no rights on the new table yet.
            with connection.cursor() as cursor:
                cursor.execute("SELECT set_config('xunwei.tenant', %s, true)", [tenant_id])
        # Deleted ones too: the constraint that follows counts every row.
        rows = machines.filter(tenant_id=tenant_id, node_type__gte=MACHINE, type=None)
        if not rows.exists():
            continue
        with compiled_for(tenant_id):
            made = classes.create(type_code=CODE, type_name=NAME, type_name_en=NAME_EN)
            classes.filter(pk=made.pk).update(path=f"/{made.pk}/")
        rows.update(type=made)


class Migration(migrations.Migration):
    dependencies = [("equipment", "0003_machine_classes")]

    operations = [migrations.RunPython(classify, migrations.RunPython.noop)]
