from typing import Any

import django.db.models.deletion
from django.db import connection, migrations, models
from django.db.models import CharField, F, OuterRef, Subquery, Value
from django.db.models.functions import Cast, Concat


def fill(apps: Any, schema_editor: Any) -> None:
    """Give the stops that work orders have made a number and a source, and machines what they return to."""
    machines = apps.get_model("equipment", "Machine").objects
    stops = apps.get_model("equipment", "Stoppage").objects
    for tenant_id in apps.get_model("identity", "Tenant").objects.values_list("tenant_id", flat=True):
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT set_config('xunwei.tenant', %s, true)", [tenant_id])
        mine = stops.filter(tenant_id=tenant_id)
        # No day is in it, so that no number of a day is the same.
        mine.update(rest_no=Concat(Value("TJ"), Cast(F("id"), CharField())), source=2)
        open_ones = mine.filter(end_time=None, is_deleted=False)
        open_ones.update(in_effect=True)
        of_machine = open_ones.filter(machine=OuterRef("pk")).order_by("id").values("state_before")[:1]
        standing = machines.filter(tenant_id=tenant_id, pk__in=open_ones.values("machine"))
        standing.update(state_before_stop=Subquery(of_machine))


class Migration(migrations.Migration):

    dependencies = [
        ('equipment', '0011_plates_and_labels'),
    ]

    operations = [
        migrations.AddField(
            model_name='machine',
            name='state_before_stop',
            field=models.IntegerField(choices=[(1, '运行'), (2, '待机'), (3, '故障停机'), (4, '维修中'), (5, '保养中'), (6, '停用'), (7, '报废')], editable=False, null=True),
        ),
        migrations.AddField(
            model_name='stoppage',
            name='files',
            field=models.JSONField(blank=True, default=list, verbose_name='附件'),
        ),
        migrations.AddField(
            model_name='stoppage',
            name='in_effect',
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.AddField(
            model_name='stoppage',
            name='include_children',
            field=models.BooleanField(default=True, verbose_name='包含下级'),
        ),
        migrations.AddField(
            model_name='stoppage',
            name='reason',
            field=models.CharField(blank=True, default='', max_length=200, verbose_name='原因说明'),
        ),
        migrations.AddField(
            model_name='stoppage',
            name='reason_tag',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='equipment.tag', verbose_name='停机原因'),
        ),
        migrations.AddField(
            model_name='stoppage',
            name='remark',
            field=models.CharField(blank=True, default='', max_length=255, verbose_name='备注'),
        ),
        migrations.AddField(
            model_name='stoppage',
            name='rest_no',
            field=models.CharField(default='', editable=False, max_length=24, verbose_name='停机单号'),
        ),
        migrations.AddField(
            model_name='stoppage',
            name='revoke_reason',
            field=models.CharField(blank=True, default='', editable=False, max_length=200, verbose_name='撤销原因'),
        ),
        migrations.AddField(
            model_name='stoppage',
            name='revoke_time',
            field=models.DateTimeField(editable=False, null=True, verbose_name='撤销时间'),
        ),
        migrations.AddField(
            model_name='stoppage',
            name='source',
            field=models.IntegerField(choices=[(1, '手工'), (2, '维修工单'), (3, '保养单'), (4, '接口')], default=1, editable=False, verbose_name='来源'),
        ),
        migrations.AlterField(
            model_name='stoppage',
            name='end_time',
            field=models.DateTimeField(blank=True, null=True, verbose_name='结束时间'),
        ),
        migrations.AlterField(
            model_name='stoppage',
            name='machine',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='stoppages', to='equipment.machine', verbose_name='设备'),
        ),
        migrations.AlterField(
            model_name='stoppage',
            name='rest_type',
            field=models.IntegerField(choices=[(1, '计划停机'), (2, '故障停机'), (3, '节假日停产'), (4, '检修保养停机'), (5, '待料待单'), (6, '其他')], default=2, verbose_name='停机类型'),
        ),
        migrations.AlterField(
            model_name='stoppage',
            name='source_id',
            field=models.BigIntegerField(editable=False, null=True),
        ),
        migrations.AlterField(
            model_name='stoppage',
            name='source_type',
            field=models.CharField(blank=True, default='', editable=False, max_length=40),
        ),
        migrations.AlterField(
            model_name='stoppage',
            name='start_time',
            field=models.DateTimeField(verbose_name='开始时间'),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.RemoveField(
            model_name='stoppage',
            name='state_before',
        ),
        migrations.AddIndex(
            model_name='stoppage',
            index=models.Index(fields=['tenant_id', 'end_time'], name='equipment_s_tenant__b3d69c_idx'),
        ),
        migrations.AddIndex(
            model_name='stoppage',
            index=models.Index(fields=['tenant_id', '-start_time', '-id'], name='equipment_s_tenant__9248e8_idx'),
        ),
        migrations.AddConstraint(
            model_name='stoppage',
            constraint=models.UniqueConstraint(condition=models.Q(('is_deleted', False)), fields=('tenant_id', 'rest_no'), name='stoppage_no_once'),
        ),
    ]
