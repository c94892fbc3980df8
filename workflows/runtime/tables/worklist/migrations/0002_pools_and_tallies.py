"""Items wait in pools; how many wait where is a sum. `setup` counts what waits already."""

import core.kernel.ids
import core.kernel.tenancy
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('deployments', '0002_suspended_and_deleted'),
        ('instances', '0004_sent_by_time'),
        ('worklist', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='PoolKey',
            fields=[
                ('id', models.BigIntegerField(default=core.kernel.ids.next_id, editable=False, primary_key=True, serialize=False)),
                ('tenant_id', core.kernel.tenancy.TenantField(editable=False, max_length=12)),
                ('pool', models.BigIntegerField()),
                ('key', models.CharField(max_length=60)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'objects',
                'default_manager_name': 'objects',
            },
        ),
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('id', models.BigIntegerField(default=core.kernel.ids.next_id, editable=False, primary_key=True, serialize=False)),
                ('tenant_id', core.kernel.tenancy.TenantField(editable=False, max_length=12)),
                ('queue', models.BigIntegerField()),
                ('delta', models.IntegerField()),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'objects',
                'default_manager_name': 'objects',
            },
        ),
        migrations.RemoveIndex(
            model_name='workitem',
            name='worklist_wo_tenant__e77a4f_idx',
        ),
        migrations.AddField(
            model_name='workitem',
            name='pool',
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddIndex(
            model_name='workitem',
            index=models.Index(fields=['tenant_id', 'assignee_id', 'state', '-create_time', '-id'], name='work_item_of'),
        ),
        migrations.AddIndex(
            model_name='workitem',
            index=models.Index(fields=['tenant_id', 'pool', '-create_time', '-id'], name='work_item_in_pool'),
        ),
        migrations.AddConstraint(
            model_name='poolkey',
            constraint=models.UniqueConstraint(fields=('tenant_id', 'key', 'pool'), name='pool_key_once'),
        ),
        migrations.AddIndex(
            model_name='tally',
            index=models.Index(fields=['tenant_id', 'queue', 'delta'], name='tally_of_queue'),
        ),
        migrations.DeleteModel(
            name='Candidate',
        ),
    ]
