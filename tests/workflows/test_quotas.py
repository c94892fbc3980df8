"""Quotas of a company: what does not fit is refused and changes nothing; its administrators are told in time."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from core.identity import quotas
from core.identity.models import Quota, QuotaKind, Tenant, User
from core.kernel.tenancy import PLATFORM, tenant_scope
from core.scheduling import outbox
from core.storage.models import Attachment
from tests.at_once import at_once
from tests.cast import A, B, Body, Caller, Cast
from tests.checksums import checksum
from tests.workflows.standalone import deploy, two_steps
from workflows.runtime.tables.deployments.models import Definition

PUT, TENANT = "blade-resource/oss/endpoint/put-file", "blade-system/tenant"


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    settings.FILES_DIR = tmp_path


def _put(caller: Caller) -> Body:
    out = io.BytesIO()
    Image.new("RGB", (4, 4), "navy").save(out, "PNG")
    return caller.post_form(PUT, file=SimpleUploadedFile("主轴.png", out.getvalue()))


def _report(cast: Cast, machine: str = "M1", tenant: str = A) -> Body:
    body = {"machineId": str(cast.machine(machine, tenant).pk), "description": "主轴异响", "force": 1}
    return cast.client_for("operator", tenant).post_json("yuzhu-equip/repairorder/save", body)


def _limit(kind: QuotaKind, most: int) -> None:
    with tenant_scope(A):
        quotas.limit(Tenant.objects.get(tenant_id=A), {kind: most})


def _id(tenant: str = A) -> str:
    return str(Tenant.objects.get(tenant_id=tenant).pk)


def _used(caller: Caller, tenant: str = A) -> dict[str, tuple[int, int]]:
    found = caller.get(f"{TENANT}/usage", id=_id(tenant)).data
    return {row["kind"]: (row["used"], row["most"]) for row in found}


def _told(cast: Cast) -> list[str]:
    outbox.deliver_due()
    records = cast.client_for("tenant_admin").get("blade-desk/message/list").data["records"]
    return sorted(row["title"] for row in records)


def _stored(folder: Path) -> int:
    return sum(one.is_file() for one in folder.rglob("*"))


def test_files_that_do_not_fit_are_refused(cast: Cast, tmp_path: Path) -> None:
    operator, first = cast.client_for("operator"), _put(cast.client_for("operator")).data["attachId"]
    with tenant_scope(A):
        size = Attachment.objects.get().attach_size
    _limit(QuotaKind.FILES, size * 2 + 1)
    assert _put(operator).status == 200
    before, files = checksum(A), _stored(tmp_path)
    full = _put(operator)
    assert (full.status, full["error"], full.data["used"]) == (400, "quota.files", size * 2)
    assert full.msg == "附件空间已用1MB，上限0MB，放不下这个文件，请联系平台管理员"
    assert "does not fit" in _put(operator.in_english()).msg
    changed = {table for table, rows in checksum(A).items() if before[table] != rows}
    # It is kept that the administrators have been told.
    assert (changed, _stored(tmp_path)) == ({"identity.Quota"}, files)
    assert _put(cast.client_for("operator", B)).status == 200
    # What is removed makes room.
    assert cast.client_for("tenant_admin").post_json("blade-resource/attach/remove", ids=first).status == 200
    assert _put(operator).status == 200
    assert _used(cast.client_for("tenant_admin"))["files"] == (size * 2, size * 2 + 1)


def test_running_processes_are_counted_while_they_run(cast: Cast) -> None:
    _limit(QuotaKind.INSTANCES, 1)
    order = _report(cast).data
    before = checksum(A)
    full = _report(cast, "M2")
    assert (full.status, full["error"], full.msg) == (
        400, "quota.instances", "运行中的流程已达上限1个，请联系平台管理员",
    )  # fmt: skip
    assert checksum(A) == before
    assert _report(cast, tenant=B).status == 200
    body = {"id": order["id"], "lockVersion": order["lockVersion"], "action": "cancel", "cancelReason": 1}
    answer = cast.client_for("operator").post_json("yuzhu-equip/repairorder/update", body)
    assert answer.status == 200, answer
    assert _report(cast, "M2").status == 200


def test_a_model_counts_once_however_many_versions(cast: Cast) -> None:
    _limit(QuotaKind.MODELS, 1)
    deploy(two_steps(), A, "own")
    before = Definition.objects.count()
    with pytest.raises(quotas.Full, match="流程模型数量已达上限1个"):
        deploy(two_steps(), A, "other")
    assert Definition.objects.count() == before
    assert deploy(two_steps("role:viewer"), A, "own").version == 2
    assert deploy(two_steps(), B, "other").version == 1
    assert deploy(two_steps(), PLATFORM, "all").is_general


def test_administrators_are_told_at_four_fifths_and_at_the_end(cast: Cast) -> None:
    _limit(QuotaKind.INSTANCES, 5)
    for machine in ("M1", "M2", "M1"):
        assert _report(cast, machine).status == 200
    assert _told(cast) == []
    assert _report(cast, "M2").status == 200
    assert _told(cast) == ["运行中的流程额度已用80%"]
    assert _report(cast).status == 200
    for _again in range(2):
        assert _report(cast).status == 400
    assert _told(cast) == ["运行中的流程额度已用80%", "运行中的流程额度已用完"]
    # People too.
    with tenant_scope(A):
        enabled = User.objects.filter(is_enabled=True).count()
    Tenant.objects.filter(tenant_id=A).update(account_number=enabled + 1)
    body = {"account": "neu", "realName": "新", "deptId": str(cast.user("operator").dept_id)}
    assert cast.client_for("tenant_admin").post_json("blade-user/submit", body).status == 200
    assert _told(cast)[0] == "账号额度已用完"


def test_the_platform_sets_quotas_and_companies_see_their_own(cast: Cast) -> None:
    platform, admin = cast.platform(), cast.client_for("tenant_admin")
    given = {"ids": _id(), "accountNumber": 50, "fileMegabytes": 3, "modelNumber": -1}
    before = checksum(A)
    assert admin.post_json(f"{TENANT}/setting", given).status == 403
    assert platform.post_json(f"{TENANT}/setting", {**given, "fileMegabytes": -2}).status == 400
    assert checksum(A) == before
    assert platform.post_json(f"{TENANT}/setting", given).status == 200
    with tenant_scope(A):
        people = User.objects.filter(is_enabled=True).count()
    assert _used(admin) == _used(platform) == {
        "files": (0, 3 * 1024 * 1024), "people": (people, 50), "models": (0, -1), "instances": (0, 20_000),
    }  # fmt: skip
    assert _used(platform, B)["files"] == (0, 10 * 1024**3)
    assert _used(platform, PLATFORM)["instances"][1] == -1
    assert admin.get(f"{TENANT}/usage", id=_id(B)).status == 404
    assert cast.client_for("operator").get(f"{TENANT}/usage", id=_id()).status == 403


@pytest.mark.django_db(transaction=True)
def test_of_six_uploads_at_once_those_that_fit_are_taken(cast: Cast) -> None:
    operators = [cast.client_for(account) for account in ("operator", "operator2") for _each in range(3)]
    assert _put(operators[0]).status == 200
    with tenant_scope(A):
        size = Attachment.objects.get().attach_size
        Quota.objects.all().delete()
    _limit(QuotaKind.FILES, size * 3)

    def put(caller: Caller) -> Callable[[], Body]:
        return lambda: _put(caller)

    answers = at_once([put(caller) for caller in operators])
    assert sorted(answer.status for answer in answers) == [200, 200, 400, 400, 400, 400]
    with tenant_scope(A):
        assert Attachment.objects.count() == 3
