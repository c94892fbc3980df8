"""Connection credentials: who keeps them, that their secret never comes out, and where it is sent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.apps import apps

from core.audit import logs
from core.audit.models import Event
from core.kernel.models import SharedModel, TenantModel
from core.kernel.tenancy import tenant_scope
from core.ports import EffectInput, NotReady
from core.scheduling import credentials, encryption
from core.scheduling.http_request import REQUEST, NotAnswered, ask
from core.scheduling.models import Credential
from tests.cast import A, B, Body, Cast
from tests.checksums import checksum
from tests.core.scheduling.test_http_request import SUBJECT, Server, said
from tests.workflows.runtime.asking import FORM, Process, calls, register
from tests.workflows.standalone import document
from workflows.runtime.commands import operation_calls
from workflows.runtime.rows import operation_calls as rows
from workflows.workbench import gate

pytestmark = pytest.mark.django_db
NOUN = "blade-system/credential"
SECRET = "Bearer q7Xw2mors7kT9"
ERP: dict[str, Any] = {
    "credentialCode": "erp", "credentialName": "ERP 接口", "headerName": "Authorization", "secret": SECRET,
    "hosts": "erp.example.com, 10.0.0.5:8080", "isEnabled": 1,
}  # fmt: skip
MODEL = """<startEvent id="start" xw:form="order"/>
  <serviceTask id="ask" name="查询" xw:nameEn="Ask" xw:operation="http.request" xw:attempts="1"><extensionElements>
    <xw:parameter name="url">{url}</xw:parameter><xw:parameter name="credential">{code}</xw:parameter>
    </extensionElements></serviceTask>
  <userTask id="then" name="确认" xw:nameEn="Confirm" xw:assignee="${{starter.id}}"/><endEvent id="done"/>
  <sequenceFlow id="f1" sourceRef="start" targetRef="ask"/><sequenceFlow id="f2" sourceRef="ask" targetRef="then"/>
  <sequenceFlow id="f3" sourceRef="then" targetRef="done"/>"""


def model(url: str = "http://erp.example.com/", code: str = "erp") -> bytes:
    """A process that sends a request with a credential."""
    return document(MODEL.format(url=url, code=code), forms={"order": FORM})


@pytest.fixture(autouse=True)
def _hosts(settings: Any) -> None:
    settings.HTTP_HOSTS = frozenset({"erp.example.com", "10.0.0.5:8080"})


@pytest.fixture
def servers(settings: Any) -> Iterator[tuple[Server, Server]]:
    """Two servers whose addresses the installation names."""
    found = Server(), Server()
    settings.HTTP_HOSTS = frozenset(f"127.0.0.1:{one.port}" for one in found)
    yield found
    for one in found:
        one.stop()


def kept(cast: Cast, tenant: str = A, **more: Any) -> str:
    """The id of a credential that an administrator has just made."""
    answer = cast.client_for("tenant_admin", tenant).post_json(f"{NOUN}/submit", {**ERP, **more})
    assert answer.status == 200, answer
    return str(answer.data["id"])


def fields(answer: Body) -> dict[str, str]:
    """What is said of each field that is refused."""
    assert (answer.status, answer["error"]) == (400, "input.invalid"), answer
    return dict(answer.data["fields"])


def everything(tenant: str = A) -> str:
    """All that the database holds of a company and of all of them, as text."""
    logs.flush()
    with tenant_scope(tenant):
        models = [one for one in apps.get_models() if issubclass(one, TenantModel | SharedModel)]
        return "\n".join(repr(list(one._base_manager.values())) for one in models)


def test_administrators_keep_credentials_designers_choose_them_and_nobody_else_finds_them(cast: Cast) -> None:
    row_id, other = kept(cast), kept(cast, B, credentialName="乙厂接口")
    before = checksum(A), checksum(B)
    for account in ("flow_designer", "equip_manager", "operator"):
        caller = cast.client_for(account)
        for answer in (
            caller.get(f"{NOUN}/list"),
            caller.get(f"{NOUN}/detail", id=row_id),
            caller.post_json(f"{NOUN}/submit", {**ERP, "credentialCode": "mine"}),
            caller.post_json(f"{NOUN}/submit", {"id": row_id, "lockVersion": 1, "secret": "another-secret"}),
            caller.post_json(f"{NOUN}/remove", ids=row_id),
        ):
            assert answer.status == 403, (account, answer)
    admin = cast.client_for("tenant_admin")
    assert [row["id"] for row in admin.get(f"{NOUN}/list").data["records"]] == [row_id]
    assert admin.get(f"{NOUN}/detail", id=other).status == 404
    assert admin.post_json(f"{NOUN}/submit", {"id": other, "lockVersion": 1, "secret": "another-one"}).status == 404
    assert admin.post_json(f"{NOUN}/remove", ids=other).status == 404
    assert (checksum(A), checksum(B)) == before
    catalogue = cast.client_for("flow_designer").get("blade-flow/model/catalogue", key="own")
    assert catalogue.data["credentials"] == [{"value": "erp", "label": "ERP 接口"}]
    assert cast.client_for("operator").get("blade-flow/model/catalogue", key="own").status == 403


def test_the_secret_goes_in_and_never_comes_out(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    made = admin.post_json(f"{NOUN}/submit", ERP, key="once")
    row_id = made.data["id"]
    changed = admin.change(NOUN, {"id": row_id, "secret": "Bearer 8hJc4LmPw0aZ"})
    refused = admin.post_json(f"{NOUN}/submit", {**ERP, "secret": "Bearer 3sRt6VnQx1bY"})
    answers = [
        made, changed, refused, admin.get(f"{NOUN}/list"), admin.get(f"{NOUN}/detail", id=row_id),
        admin.get("blade-log/usual/list"), admin.get("blade-log/api/list"),
        cast.client_for("flow_designer").get("blade-flow/model/catalogue", key="own"),
    ]  # fmt: skip
    assert [one.status for one in answers] == [200, 200, 400, 200, 200, 200, 200, 200]
    stored = everything()
    assert '"secret":"***"' in stored  # the call is in the log
    for secret in ("q7Xw2mors7kT9", "8hJc4LmPw0aZ", "3sRt6VnQx1bY"):
        assert secret not in json.dumps(answers) + stored
    with tenant_scope(A):
        row = Credential.objects.get(pk=row_id)
        assert (
            credentials.with_header(said(1, credential="erp")).parameters["credential"].value == "Bearer 8hJc4LmPw0aZ"
        )
    assert not {"secret", "encrypted"} & set(admin.get(f"{NOUN}/detail", id=row_id).data)
    assert row.encrypted not in json.dumps(answers)


def test_the_log_says_that_the_secret_was_changed_and_not_to_what(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin").in_english()
    row_id = kept(cast)
    admin.change(NOUN, {"id": row_id, "secret": "Bearer 8hJc4LmPw0aZ", "remark": "rotated"})
    admin.change(NOUN, {"id": row_id, "remark": "again", "secret": ""})
    with tenant_scope(A):
        events = Event.objects.filter(business_type="credential", operation="credential.edit").order_by("id")
        found = [[(one["label"][1], one["old"], one["new"]) for one in event.changes] for event in events]
    assert found == [
        [("Secret", None, None), ("Remark", ["", ""], ["rotated", "rotated"])],
        [("Remark", ["rotated", "rotated"], ["again", "again"])],
    ]


def test_a_change_keeps_the_secret_and_another_host_needs_it_again(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    row_id = kept(cast, hosts="erp.example.com")
    assert admin.change(NOUN, {"id": row_id, "credentialName": "ERP", "secret": ""}).status == 200
    more = {"id": row_id, "hosts": "erp.example.com, 10.0.0.5:8080"}
    assert fields(admin.change(NOUN, more)) == {"secret": "新增主机时请重新输入密钥"}
    with tenant_scope(A):
        row = Credential.objects.get(pk=row_id)
        assert (row.credential_name, row.hosts) == ("ERP", "erp.example.com")
        assert encryption.decrypt(row.encrypted, credentials._place(row)) == SECRET
    assert admin.change(NOUN, {**more, "secret": "new-secret"}).status == 200
    assert admin.change(NOUN, {"id": row_id, "hosts": "10.0.0.5:8080"}).status == 200  # fewer hosts
    with tenant_scope(A):
        row.refresh_from_db()
        assert (row.hosts, encryption.decrypt(row.encrypted, credentials._place(row))) == (
            "10.0.0.5:8080",
            "new-secret",
        )


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("secret", "", "Please enter Secret"),
        ("secret", "a\r\nX: 1", "A secret contains only English letters, digits and symbols, in one line"),
        ("secret", "密钥", "A secret contains only English letters, digits and symbols, in one line"),
        ("headerName", "X Key", "A header contains only letters, digits and -, such as Authorization"),
        ("headerName", "Host", "The header “Host” is set by the system. Use another one"),
        ("headerName", "Content-length", "The header “Content-length” is set by the system. Use another one"),
        ("credentialCode", "1x", "A code starts with a letter and contains only letters, digits, _ - and ."),
        ("hosts", "http://erp.example.com/", "“http://erp.example.com/” is no host. Enter names or addresses such as "
         "erp.example.com or 10.0.0.5:8080"),
        ("hosts", "erp.example.com:99999", "“erp.example.com:99999” is no host. Enter names or addresses such as "
         "erp.example.com or 10.0.0.5:8080"),
        ("hosts", "erp.example.com, evil.example.com", "The host “evil.example.com” is not one of those that the "
         "installation allows. Ask its administrator"),
        ("hosts", "10.0.0.5", "The host “10.0.0.5” is not one of those that the installation allows. Ask its "
         "administrator"),
    ],
)  # fmt: skip
def test_what_cannot_be_sent_is_refused(cast: Cast, name: str, value: str, sentence: str) -> None:
    before = checksum(A)
    admin = cast.client_for("tenant_admin").in_english()
    assert fields(admin.post_json(f"{NOUN}/submit", {**ERP, name: value})) == {name: sentence}
    assert checksum(A) == before


def test_only_a_disabled_one_may_name_a_host_that_is_not_allowed_yet(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    row_id = kept(cast, hosts="mes.example.com", isEnabled=0)
    refused = "主机「mes.example.com」不在系统管理员允许的范围内，请联系系统管理员"
    assert fields(admin.change(NOUN, {"id": row_id, "isEnabled": 1})) == {"hosts": refused}


def test_a_removed_one_leaves_no_secret_behind_and_its_code_is_free_again(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    row_id = kept(cast)
    assert admin.post_json(f"{NOUN}/remove", ids=row_id).status == 200
    with tenant_scope(A):
        assert Credential.with_removed.get(pk=row_id).encrypted == ""
    kept(cast)


def test_a_secret_is_bound_to_its_row_its_company_and_the_key(cast: Cast, settings: Any) -> None:
    kept(cast), kept(cast, credentialCode="mes"), kept(cast, B)
    with tenant_scope(A):
        stolen = Credential.objects.get(credential_code="erp").encrypted
        Credential.objects.filter(credential_code="mes").update(encrypted=stolen)
        assert credentials.with_header(said(1, credential="erp")).parameters["credential"].value == SECRET
        with pytest.raises(NotReady, match="cannot be read; enter it again"):
            credentials.with_header(said(1, credential="mes"))
    with tenant_scope(B):
        Credential.objects.update(encrypted=stolen)
        with pytest.raises(NotReady, match="cannot be read; enter it again"):
            credentials.with_header(said(1, credential="erp"))
    settings.CREDENTIAL_KEY = "another"
    with tenant_scope(A), pytest.raises(NotReady, match="cannot be read; enter it again"):
        credentials.with_header(said(1, credential="erp"))


def _with(server: Server, hosts: str, **more: Any) -> EffectInput:
    """A request to the server with a header that may go to these hosts."""
    header = credentials.Header("X-API-Key", "q7Xw2mors7kT9", frozenset(credentials.hosts_of(hosts)))
    return said(server.port, credential=header, **more)


def test_the_header_is_sent_to_its_own_hosts_and_to_no_other(servers: tuple[Server, Server]) -> None:
    first, second = servers
    assert ask(SUBJECT, _with(first, f"127.0.0.1:{first.port}"), "1") == {}
    assert first.headers[0]["X-API-Key"] == "q7Xw2mors7kT9"
    with pytest.raises(NotAnswered, match="may not be sent to the host"):
        ask(SUBJECT, _with(second, f"127.0.0.1:{first.port}"), "2")
    with pytest.raises(NotAnswered, match="may not be sent to the host"):
        ask(SUBJECT, _with(second, "127.0.0.1"), "3")
    assert (len(first.asked), second.asked) == (1, [])
    assert ask(SUBJECT, said(second.port), "4") == {}
    assert "X-API-Key" not in second.headers[0]


def test_the_header_follows_no_redirect(servers: tuple[Server, Server]) -> None:
    first, second = servers
    first.says = (307, b"{}", {"Location": f"http://127.0.0.1:{second.port}/"})
    both = f"127.0.0.1:{first.port} 127.0.0.1:{second.port}"
    with pytest.raises(NotAnswered, match="answered 307"):
        ask(SUBJECT, _with(first, both), "1")
    assert (len(first.asked), second.asked) == (1, [])


@pytest.mark.parametrize("body", [{"headers": {"X-API-Key": "q7Xw2mors7kT9"}}, {"note": "got q7Xw2mors7kT9"}])
def test_an_answer_that_tells_the_secret_is_none(servers: tuple[Server, Server], body: Any) -> None:
    first, _second = servers
    first.says = (200, json.dumps(body).encode(), {})
    with pytest.raises(NotAnswered, match="holds the secret") as caught:
        ask(SUBJECT, _with(first, f"127.0.0.1:{first.port}"), "1")
    assert "q7Xw2mors7kT9" not in str(caught.value)
    assert "q7Xw2mors7kT9" not in repr(_with(first, "127.0.0.1"))


def test_over_a_public_network_it_is_sent_encrypted_only(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.HTTP_HOSTS = frozenset({"erp.example.com"})
    monkeypatch.setattr("core.scheduling.http_request._address", lambda host, port: "93.184.215.14")
    monkeypatch.setattr("socket.create_connection", lambda *given, **more: pytest.fail("it was sent"))
    header = credentials.Header("X-API-Key", "q7Xw2mors7kT9", frozenset({"erp.example.com"}))
    asked = replace(said(1), parameters={"url": "http://erp.example.com/", "credential": header})
    with pytest.raises(NotAnswered, match="over https only"):
        ask(SUBJECT, asked, "1")


@pytest.fixture
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    register(REQUEST, monkeypatch)
    rows._asks.cache_clear()


@pytest.mark.usefixtures("_registered")
def test_a_process_sends_it_and_without_it_has_an_incident_at_once(cast: Cast, servers: tuple[Server, Server]) -> None:
    first, _second = servers
    url = f"http://127.0.0.1:{first.port}/parts"
    kept(cast, B, hosts=f"127.0.0.1:{first.port}")  # another company's, of the same code
    process = Process(cast, model(url))
    assert (operation_calls.sweep(), first.asked) == (0, [])
    stood = process.row
    assert (stood.park_code, stood.park_node) == ("operation", "ask")
    assert stood.park_text == "连接凭据“erp”不存在或已停用"
    assert stood.park_text_en == "The credential “erp” does not exist or is disabled"
    row_id = kept(cast, hosts=f"127.0.0.1:{first.port}")
    assert process.repair("retry-process-instance").status == 200
    assert operation_calls.sweep() == 1
    assert (process.open, first.headers[0]["Authorization"], first.asked[0][1]) == (["then"], SECRET, "/parts")
    disabled = {"id": row_id, "isEnabled": 0}
    assert cast.client_for("tenant_admin").change(NOUN, disabled).status == 200
    other = Process(cast, model(url))
    assert (operation_calls.sweep(), other.row.park_text, len(first.asked)) == (0, stood.park_text, 1)


@pytest.mark.usefixtures("_registered")
def test_nothing_of_it_is_kept_with_the_process(cast: Cast, servers: tuple[Server, Server]) -> None:
    first, _second = servers
    kept(cast, hosts=f"127.0.0.1:{first.port}")
    first.says = (200, json.dumps({"echo": SECRET}).encode(), {})
    process = Process(cast, model(f"http://127.0.0.1:{first.port}/"))
    assert operation_calls.sweep() == 0
    (call,) = calls()
    assert call.given == {"url": f"http://127.0.0.1:{first.port}/", "credential": "erp"}
    assert process.row.park_text.endswith("the answer of 127.0.0.1 holds the secret of the credential")
    assert len(first.asked) == 1
    assert "q7Xw2mors7kT9" not in everything()


@pytest.mark.usefixtures("_registered")
def test_the_deployment_check_warns_of_one_that_is_not_there_and_refuses_an_expression(cast: Cast) -> None:
    def told(xml: bytes, tenant: str = A) -> list[tuple[str, str, str]]:
        verdict = gate.examine_for([tenant], gate.examine(xml))
        assert (verdict.meta is None) == any(one.level == "error" for one in verdict.problems)
        found = [one for one in verdict.problems if one.element == "ask"]
        return [(one.code, one.level, one.text_en) for one in found if one.code != "uncaught"]

    kept(cast)
    assert told(model()) == []
    lacks = "The credential “erp” does not exist or is disabled; the process would have an incident here"
    assert told(model(), B) == [("credential_unknown", "warning", lacks)]
    written = "The parameter “Credential” must be the code of a credential, not an expression"
    assert told(model(code="${starter.name}")) == [("parameter_value", "error", written)]
    assert told(model(code="a b")) == [("parameter_value", "error", written)]
