"""Stores the uses of the records that were there before the table."""

from typing import Any

from django.db import migrations

LISTS = (
    ("desk", "Leave", "attachments"),
    ("maintenance", "RepairOrder", "images"),
    ("maintenance", "RepairOrder", "files"),
    ("maintenance", "RepairOrder", "after_images"),
    ("maintenance", "RepairLine", "images"),
)
SINGLE = (("maintenance", "RepairOrder", "voice"), ("identity", "User", "avatar"))

_NAMES_OF_A_LIST = {
    "postgresql": "(SELECT id, tenant_id, jsonb_array_elements_text({column}) AS name FROM {table}"
    " WHERE jsonb_typeof({column}) = 'array')",
    "sqlite": "(SELECT {table}.id, {table}.tenant_id, one.value AS name FROM {table}, json_each({table}.{column}) AS one)",
}
_INSERT = (
    "INSERT INTO {uses} (id, tenant_id, name, model, row_id, {quoted_column})"
    " SELECT %s + row_number() OVER (ORDER BY id, name), tenant_id, name, %s, id, %s"
    " FROM (SELECT DISTINCT id, tenant_id, name FROM {names} AS named WHERE tenant_id = %s AND name <> '') AS once"
)


def store_uses(apps: Any, schema_editor: Any) -> None:
    """Store the uses, one statement a column and tenant. The ids count from 1; ids of new rows are far higher."""
    connection, uses = schema_editor.connection, apps.get_model("storage", "FileUse")
    stored = 0
    with connection.cursor() as cursor:
        for tenant_id in apps.get_model("identity", "Tenant").objects.values_list("tenant_id", flat=True):
            if connection.vendor == "postgresql":
                # The wall stands for the owner of the tables too; its role has no rights on the new table yet.
                cursor.execute("SELECT set_config('xunwei.tenant', %s, true)", [tenant_id])
            for app, model_name, column in (*LISTS, *SINGLE):
                model, quote = apps.get_model(app, model_name), connection.ops.quote_name
                table, quoted = quote(model._meta.db_table), quote(column)
                names = f"(SELECT id, tenant_id, {quoted} AS name FROM {table})"
                if (app, model_name, column) in LISTS:
                    names = _NAMES_OF_A_LIST[connection.vendor].format(table=table, column=quoted)
                statement = _INSERT.format(uses=quote(uses._meta.db_table), quoted_column=quote("column"), names=names)
                cursor.execute(statement, [stored, f"{app}.{model_name}", column, tenant_id])
                stored += cursor.rowcount


class Migration(migrations.Migration):
    dependencies = [
        ("storage", "0005_uses"),
        ("desk", "0005_label_when_a_leave_closed"),
        ("identity", "0005_lock_version"),
        ("maintenance", "0006_labels_of_reasons"),
    ]

    operations = [migrations.RunPython(store_uses, migrations.RunPython.noop)]
