"""A store of spare parts for tests: the storekeeper of each company, parts with a stock, and requests for them."""

from __future__ import annotations

from typing import Any

from core.access.models import Role, UserRole
from core.identity.models import Department, User
from core.kernel.tenancy import tenant_scope
from core.spares.models import SpareMove, SparePart
from tests.cast import A, Body, Caller, Cast

SPARE, FLOW, LOG = "yuzhu-equip/spareinfo", "yuzhu-equip/spareflow", "yuzhu-equip/spareuselog"


class Store:
    """The store of one company, and its keeper."""

    def __init__(self, cast: Cast, tenant: str = A):
        self.cast, self.tenant = cast, tenant
        with tenant_scope(tenant):
            dept = Department.objects.get(dept_name="设备部")
            user, is_new = User.objects.get_or_create(
                account="storekeeper", defaults={"real_name": "朱库", "dept": dept, "password": "x"}
            )
            if is_new:
                UserRole.objects.create(user=user, role=Role.objects.get(role_alias="storekeeper"))
        self.keeper: Caller = cast.anew("storekeeper", tenant)

    def part(self, code: str = "B6205", stock: str = "0", price: str = "25", **values: Any) -> str:
        """A part with a first stock; its id."""
        body = {"spareCode": code, "spareName": f"备件{code}", "category": 1, "unit": "个", **values}
        answer = self.keeper.post_json(f"{SPARE}/submit", body)
        assert answer.status == 200, answer
        if stock != "0":
            self.move(answer.data["id"], 1, stock, price=price)
        return str(answer.data["id"])

    def try_move(self, spare: str, kind: int, qty: Any, **values: Any) -> Body:
        """A movement by hand, allowed or not."""
        return self.keeper.post_json(f"{FLOW}/submit", {"spareId": spare, "bizType": kind, "qty": qty, **values})

    def move(self, spare: str, kind: int, qty: Any, **values: Any) -> Any:
        """A movement by hand."""
        answer = self.try_move(spare, kind, qty, **values)
        assert answer.status == 200, answer
        return answer.data

    def now(self, spare: str) -> SparePart:
        """The part as it stands now."""
        with tenant_scope(self.tenant):
            return SparePart.objects.get(pk=spare)  # type: ignore[no-any-return]

    def moves(self, spare: str) -> list[SpareMove]:
        """Its ledger, oldest first."""
        with tenant_scope(self.tenant):
            return list(SpareMove.objects.filter(spare=spare).order_by("flow_time", "pk"))

    def request(self, who: str | Caller, *wanted: tuple[str, Any], **values: Any) -> Body:
        """A request for parts, for no order where `values` name none."""
        caller = self.cast.client_for(who, self.tenant) if isinstance(who, str) else who
        lines = [{"spareId": spare, "planQty": qty} for spare, qty in wanted]
        return caller.post_json(f"{LOG}/submit", {"orderType": 3, "remark": "换件", "lines": lines, **values})

    def handle(self, given: Any, action: str, *qty: Any, who: Caller | None = None, **values: Any) -> Body:
        """What is done with a request, by quantities of its lines in their order; `given` is the last answer."""
        lines = [{"lineId": line["lineId"], "qty": one} for line, one in zip(given["lines"], qty, strict=False) if one]
        body = {
            "id": given["id"], "lockVersion": given["lockVersion"], "action": action, "lines": lines, **values
        }  # fmt: skip
        return (who or self.keeper).post_json(f"{LOG}/handle", body)
