from django.db import migrations, models


class Migration(migrations.Migration):
    """Apart from the rows' own migration, because PostgreSQL alters no table whose changed rows are still unchecked."""

    dependencies = [("equipment", "0004_class_of_existing_machines")]

    operations = [
        migrations.AddConstraint(
            model_name="machine",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("node_type__lt", 4), ("type", None)),
                    models.Q(("node_type__gte", 4), ("type__isnull", False)),
                    _connector="OR",
                ),
                name="machine_has_class",
            ),
        ),
    ]
