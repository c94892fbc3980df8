"""Rounds are counted on the instance; null in what began before, where they are counted from its items once."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("instances", "0001_initial")]

    operations = [
        migrations.AddField("processinstance", "rounds", models.JSONField(null=True)),
        migrations.AlterField("processinstance", "rounds", models.JSONField(null=True, default=dict)),
    ]
