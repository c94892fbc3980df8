"""The plant that is measured: the cast, and so many rows of everything that the measured lists show."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.core.management import call_command
from django.db import connection, models

from core.cases import commands
from core.database.owner import as_owner
from core.desk.models import Notice
from core.equipment.models import Machine
from core.kernel import clock
from core.kernel.ids import next_id
from core.kernel.tenancy import tenant_scope
from core.maintenance import operations
from core.maintenance.case import REPAIR
from core.maintenance.models import RepairOrder
from tests import cast
from tests.bench.installation import execute
from workflows.runtime.rows import queues
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.timers.models import Timer
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

_BATCH = 500
_MODELS = (RepairOrder, ProcessInstance, WorkItem, Machine, Notice)


def _copies(pattern: models.Model, count: int, vary: Callable[[Any, int], None]) -> list[Any]:
    """New rows like the pattern, each changed by `vary(row, number)`."""
    values = {field.attname: getattr(pattern, field.attname) for field in pattern._meta.concrete_fields}
    rows = []
    for number in range(count):
        row = type(pattern)(**{**values, "id": next_id()})
        vary(row, number)
        rows.append(row)
    return rows


def _store(rows: list[Any]) -> None:
    type(rows[0]).objects.bulk_create(rows, batch_size=_BATCH)


def _reported(count: int) -> None:
    """Orders that wait to be dispatched and orders that wait for the repairer's acceptance, half and half.

    One of each is made by the real commands; the rest are their rows once more.
    """
    people = cast.Cast()
    operator, leader = people.actor_for("operator"), people.actor_for("repair_leader")
    made = []
    for _ in range(2):
        body = {"machineId": str(people.machine("M1").pk), "description": "主轴异响", "force": 1}
        made.append(RepairOrder.objects.get(pk=operations.save(operator, body)["id"]))
    to = {"repairUserId": str(people.user("repairer").pk)}
    commands.by_record(REPAIR, leader, made[1].pk, made[1].lock_version, "dispatch", to)
    for order in made:
        order.refresh_from_db()
        _copy_order(order, count // 2 - 1)


def _copy_order(order: RepairOrder, count: int) -> None:
    begin = order.create_time

    def renumbered(row: Any, number: int) -> None:
        row.order_no = f"{order.order_no[:4]}{row.pk % 10**12:012d}"
        row.create_time = row.report_time = begin - timedelta(minutes=number)

    orders = _copies(order, count, renumbered)
    _store(orders)
    instance = ProcessInstance.objects.get(business_id=order.pk)

    def of_order(row: Any, number: int) -> None:
        row.business_id, row.business_no = orders[number].pk, orders[number].order_no

    instances = _copies(instance, count, of_order)
    _store(instances)
    for timer in Timer.objects.filter(instance_id=instance.pk):

        def of_its_own(row: Any, number: int) -> None:
            row.instance_id = instances[number].pk

        _store(_copies(timer, count, of_its_own))
    for item in WorkItem.objects.filter(instance=instance):

        def of_instance(row: Any, number: int) -> None:
            of_order(row, number)
            row.instance_id = instances[number].pk

        items = _copies(item, count, of_instance)
        _store(items)


def fill(count: int) -> int:
    """Let the open steps wait some more times, until so many are open; answers how many are. For lists alone: there is
    no process behind the copies."""
    with tenant_scope(cast.A):
        waiting = list(WorkItem.objects.filter(state=ItemState.OPEN).order_by("id"))
        for again in range(1, count // len(waiting)):
            copies = [_copies(item, 1, lambda row, number: None)[0] for item in waiting]
            for copy in copies:
                copy.round += again
            _store(copies)
        queues.recount()
        found = WorkItem.objects.filter(state=ItemState.OPEN).count()
    analyse()
    return int(found)


def spread(companies: int) -> int:
    """Give company A's open steps different due times, and the same steps to so many other companies.

    Returns how many are open in all. PostgreSQL alone: the rows are copied there. For lists alone, like `fill`.
    """
    table, copied = WorkItem._meta.db_table, {"id": "w.id + c * 100000000000000", "tenant_id": "(500000 + c)::text"}
    columns = [field.column for field in WorkItem._meta.concrete_fields]
    values = ", ".join(copied.get(column, f"w.{column}") for column in columns)
    url = os.environ["DATABASE_URL"]
    is_open = f"state = {ItemState.OPEN.value}"
    execute(url, f"UPDATE {table} SET due_time = create_time + id % 200000 * interval '1 second' WHERE {is_open}")
    execute(
        url,
        f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM {table} w, generate_series(1, {companies}) c"
        f" WHERE w.{is_open}",
    )
    execute(url, f"VACUUM ANALYZE {table}")
    with tenant_scope(cast.A):
        return WorkItem.objects.filter(state=ItemState.OPEN).count() * (companies + 1)


def multiply(tenant: str, tables: Mapping[type[models.Model], Sequence[str]], times: int, apart: str) -> None:
    """Store the company's rows so many times more, each time earlier by an interval such as "4 hours".

    `tables` says of each which references are to rows that are multiplied with it. PostgreSQL alone; for lists and
    figures alone, like `fill`.
    """
    with tenant_scope(tenant):
        ids = [pk for model in tables for pk in model._default_manager.values_list("pk", flat=True)]
    step = max(ids) - min(ids) + 1
    sign = "-" if tenant == cast.A else "+"  # the companies share a table's keys
    with as_owner(), connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # the rows refer to rows made with them
        for model, along in tables.items():
            moved = {"client_id": "NULL", "order_no": f"'P' || (id {sign} n * {step})"}
            for field in model._meta.concrete_fields:
                if field.name == "gen_key":
                    moved[field.column] = "NULL" if field.null else "''"
                elif field.primary_key or field.name in along:
                    moved[field.column] = f"{field.column} {sign} n * {step}"
                elif field.get_internal_type() == "DateTimeField":
                    moved[field.column] = f"{field.column} - n * interval '{apart}'"
                elif field.get_internal_type() == "DateField":
                    moved[field.column] = f"({field.column} - n * interval '{apart}')::date"
            columns = [field.column for field in model._meta.concrete_fields]
            chosen = ", ".join(moved.get(column, column) for column in columns)
            names = ", ".join(f'"{column}"' for column in columns)
            table = model._meta.db_table
            cursor.execute(
                f"INSERT INTO {table} ({names}) SELECT {chosen} FROM {table}, generate_series(1, {times}) n"
                f" WHERE tenant_id = '{tenant}'"
            )
        cursor.execute("SET session_replication_role = DEFAULT")


def analyse() -> None:
    """Let the database count what its tables hold."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def install(count: int) -> None:
    """Migrate, install the cast, and write `count` orders, machines and notices into tenant A."""
    call_command("migrate", verbosity=0, interactive=False)
    cast.install()
    with tenant_scope(cast.A):
        _reported(count)
        queues.recount()

        def coded(row: Any, number: int) -> None:
            row.machine_code, row.path = f"B{number:05d}", f"{pattern.path}{row.pk}/"

        pattern = Machine.objects.get(machine_code="M2")
        _store(_copies(pattern, count, coded))
        _store([Notice(title=f"通知{n}", category=1, release_time=clock.now(), content="停电") for n in range(count)])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
