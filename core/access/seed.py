"""Menus, buttons and roles of a fresh installation, as tables: what every screen needs and who gets it."""

from __future__ import annotations

from core.access.models import Menu, MenuCategory, Role, RoleMenu

# code, Chinese, English, parent, path, icon
MENUS: tuple[tuple[str, str, str, str, str, str], ...] = (
    ("wel", "首页", "Home", "", "/wel/index", "home"),
    ("work", "流程中心", "Tasks", "", "/work", "inbox"),
    ("work_todo", "待办任务", "To do", "work", "/work/todo", "todo"),
    ("work_claim", "待签任务", "To claim", "work", "/work/claim", "claim"),
    ("work_send", "我发起的", "Started by me", "work", "/work/send", "send"),
    ("work_done", "已办任务", "Done", "work", "/work/done", "done"),
    ("repair", "维修管理", "Repair", "", "/repair", "repair"),
    ("repairorder_report", "我要报修", "Report a fault", "repair", "/repair/report", "report"),
    ("repairorder", "维修工单", "Repair orders", "repair", "/repair/order", "order"),
    ("equip", "设备管理", "Equipment", "", "/equip", "equip"),
    ("inspectmachine", "设备台账", "Machines", "equip", "/equip/machine", "machine"),
)

# code, Chinese, English, menu
BUTTONS: tuple[tuple[str, str, str, str], ...] = (
    ("repairorder_view", "查看", "View", "repairorder"),
    ("repairorder_add", "报修", "Report", "repairorder_report"),
    ("repairorder_edit", "修改", "Edit", "repairorder"),
    ("repairorder_dispatch", "派单", "Dispatch", "repairorder"),
    ("repairorder_claim", "抢单", "Claim", "repairorder"),
    ("repairorder_accept", "接单", "Accept", "repairorder"),
    ("repairorder_repair", "维修", "Repair", "repairorder"),
    ("repairorder_transfer", "转派", "Transfer", "repairorder"),
    ("repairorder_check", "验收", "Check", "repairorder"),
    ("repairorder_cancel", "取消", "Cancel", "repairorder"),
    ("inspectmachine_view", "查看", "View", "inspectmachine"),
    ("inspectmachine_add", "新增", "Add", "inspectmachine"),
    ("inspectmachine_edit", "编辑", "Edit", "inspectmachine"),
    ("inspectmachine_delete", "删除", "Delete", "inspectmachine"),
)

_DESK = {"wel", "work", "work_todo", "work_claim", "work_send", "work_done"}
_SEE = {"repair", "repairorder", "repairorder_view", "equip", "inspectmachine", "inspectmachine_view"}
_REPORT = {"repairorder_report", "repairorder_add", "repairorder_edit"}
_CHECK = {"repairorder_check", "repairorder_cancel"}
_REPAIR = {"repairorder_claim", "repairorder_accept", "repairorder_repair", "repairorder_transfer"}
_EVERYTHING = {row[0] for row in (*MENUS, *BUTTONS)}

# alias: Chinese, English, what it is granted
ROLES: dict[str, tuple[str, str, set[str]]] = {
    "administrator": ("平台管理员", "Platform administrator", _EVERYTHING),
    "tenant_admin": ("租户管理员", "Tenant administrator", _EVERYTHING),
    "equip_manager": (
        "设备主管", "Equipment manager",
        _DESK | _SEE | _REPORT | {
            "repairorder_dispatch", "repairorder_transfer", "repairorder_check", "repairorder_cancel",
            "inspectmachine_add", "inspectmachine_edit", "inspectmachine_delete",
        },
    ),
    "workshop_head": ("车间主任", "Workshop head", _DESK | _SEE | _REPORT | _CHECK),
    "shift_leader": ("班组长", "Shift leader", _DESK | _SEE | _REPORT | _CHECK),
    "inspector": ("点检员", "Inspector", _DESK | _SEE | _REPORT | _CHECK),
    "repair_leader": (
        "维修班长", "Repair leader",
        _DESK | _SEE | _REPORT | _REPAIR | {"repairorder_dispatch", "repairorder_cancel"},
    ),
    "repairer": ("维修工", "Repairer", _DESK | _SEE | _REPORT | _REPAIR | {"repairorder_cancel"}),
    "storekeeper": ("备件库管", "Storekeeper", _DESK | _SEE | _REPORT | _CHECK),
    "operator": ("操作工", "Operator", _DESK | _SEE | _REPORT | _CHECK),
    "viewer": ("管理层/只读", "Management, read only", _DESK | _SEE),
    "vendor": ("外协人员", "Vendor", _DESK | _SEE | _REPAIR),
    "flow_designer": ("流程设计员", "Process designer", _DESK | _SEE),
    "hr": ("人事", "HR", _DESK),
}  # fmt: skip


def install_menus() -> None:
    """Write the menu and its buttons; rows that exist are brought up to date."""
    ids: dict[str, int] = {}
    for place, (code, zh, en, parent, path, icon) in enumerate(MENUS):
        ids[code] = Menu.objects.update_or_create(
            code=code,
            defaults={
                "name": zh, "name_en": en, "parent_id": ids.get(parent), "path": path, "source": icon, "sort": place,
            },
        )[0].pk  # fmt: skip
    for place, (code, zh, en, menu) in enumerate(BUTTONS):
        Menu.objects.update_or_create(
            code=code,
            defaults={
                "name": zh, "name_en": en, "parent_id": ids[menu], "alias": code.rpartition("_")[2], "sort": place,
                "category": MenuCategory.BUTTON, "action": 1,
            },
        )  # fmt: skip


def install_roles() -> dict[str, Role]:
    """Make the roles of a new tenant, inside its scope, with what they are granted; answers them by alias."""
    menus = dict(Menu.objects.values_list("code", "pk"))
    roles = {}
    for place, (alias, (zh, en, _codes)) in enumerate(ROLES.items()):
        roles[alias], _ = Role.objects.get_or_create(
            role_alias=alias, defaults={"role_name": zh, "role_name_en": en, "sort": place}
        )
    RoleMenu.objects.bulk_create(
        (
            RoleMenu(role=roles[alias], menu_id=menus[code])
            for alias, (_zh, _en, codes) in ROLES.items()
            for code in sorted(codes)
        ),
        ignore_conflicts=True,
    )
    return roles
