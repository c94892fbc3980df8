"""Menus, buttons and roles of a fresh installation, as tables: what every screen needs and who gets it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from core.access.grants import rights_changed
from core.access.models import DataScope, Menu, MenuCategory, Role, RoleDataScope, RoleMenu
from core.identity.models import Tenant
from core.kernel.scopes import Scope
from core.kernel.tenancy import PLATFORM, current_tenant, tenant_scope

# code, Chinese, English, parent, path, icon, buttons
MENUS: tuple[tuple[str, str, str, str, str, str, str], ...] = (
    ("wel", "首页", "Home", "", "/wel/index", "home", ""),
    ("work", "流程中心", "Tasks", "", "/work", "inbox", ""),
    ("work_start", "发起流程", "Start", "work", "/work/start", "start", ""),
    ("work_todo", "待办任务", "To do", "work", "/work/todo", "todo", ""),
    ("work_claim", "待签任务", "To claim", "work", "/work/claim", "claim", ""),
    ("work_send", "我发起的", "Started by me", "work", "/work/send", "send", ""),
    ("work_done", "已办任务", "Done", "work", "/work/done", "done", ""),
    ("flow", "流程管理", "Processes", "", "/flow", "flow", ""),
    ("flow_model", "模型管理", "Models", "flow", "/flow/model", "model", "view create update deploy delete"),
    ("flow_manager", "流程部署", "Deployments", "flow", "/flow/manager", "deploy", "view image deploy state remove"),
    ("flow_follow", "流程跟踪", "Running processes", "flow", "/flow/follow", "follow", "view retry delete"),
    ("repair", "维修管理", "Repair", "", "/repair", "repair", ""),
    ("repairorder_report", "我要报修", "Report a fault", "repair", "/repair/report", "report", ""),
    (
        "repairorder",
        "维修工单",
        "Repair orders",
        "repair",
        "/repair/order",
        "order",
        "view add edit delete dispatch claim accept repair transfer check cancel workload",
    ),
    ("equip", "设备管理", "Equipment", "", "/equip", "equip", ""),
    (
        "inspectmachine",
        "设备台账",
        "Machines",
        "equip",
        "/equip/machine",
        "machine",
        "view add edit delete export import",
    ),
    ("inspecttype", "设备类型", "Machine classes", "equip", "/equip/class", "class", "view add edit delete"),
    ("desk", "工作台", "Desk", "", "/desk", "desk", ""),
    ("notice", "通知公告", "Notices", "desk", "/desk/notice", "notice", "view add edit delete"),
    ("resource", "资源管理", "Resources", "", "/resource", "resource", ""),
    ("attach", "附件管理", "Attachments", "resource", "/resource/attach", "attach", "view edit delete export"),
    ("monitor", "系统监控", "Monitoring", "", "/monitor", "monitor", ""),
    ("log", "日志管理", "Logs", "monitor", "/monitor/log", "log", ""),
    ("log_usual", "通用日志", "Acts", "log", "/monitor/log/usual", "log", "view export"),
    ("log_api", "接口日志", "Calls", "log", "/monitor/log/api", "log", "view export"),
    ("log_error", "错误日志", "Errors", "log", "/monitor/log/error", "log", "view export"),
    ("base", "基础配置", "Basic data", "", "/base", "base", ""),
    ("region", "行政区划", "Regions", "base", "/base/region", "region", "view add edit delete export"),
    ("authority", "权限管理", "Rights", "", "/authority", "authority", ""),
    ("role", "角色管理", "Roles", "authority", "/authority/role", "role", "view add edit delete grant"),
    ("data_scope", "数据权限", "Data scopes", "authority", "/authority/datascope", "scope", "view add edit delete"),
    ("api_scope", "接口权限", "API scopes", "authority", "/authority/apiscope", "api", "view add edit delete"),
    ("system", "系统管理", "System", "", "/system", "system", ""),
    ("tenant", "租户管理", "Tenants", "system", "/system/tenant", "tenant", "view add edit delete setting"),
    (
        "user",
        "用户管理",
        "Users",
        "system",
        "/system/user",
        "user",
        "view add edit delete role reset unlock export import",
    ),
    ("dept", "部门管理", "Departments", "system", "/system/dept", "dept", "view add edit delete"),
    ("post", "岗位管理", "Posts", "system", "/system/post", "post", "view add edit delete"),
    ("client", "客户端管理", "Clients", "system", "/system/client", "client", "view add edit delete"),
    ("menu", "菜单管理", "Menus", "system", "/system/menu", "menu", "view add edit delete"),
    ("topmenu", "顶部菜单", "Top menus", "system", "/system/topmenu", "topmenu", "view add edit delete grant"),
    ("dict", "系统字典", "System dictionary", "system", "/system/dict", "dict", "view add edit delete export"),
    ("dictbiz", "业务字典", "Business dictionary", "system", "/system/dictbiz", "dict", "view add edit delete export"),
    ("param", "参数管理", "Parameters", "system", "/system/param", "param", "view add edit delete export"),
)

# ending of a code: what the button is called, and where it stands (1 above the list, 2 in a row, 3 both)
ALIASES: dict[str, tuple[str, str, int]] = {
    "view": ("查看", "View", 2),
    "add": ("新增", "Add", 1),
    "edit": ("编辑", "Edit", 2),
    "delete": ("删除", "Delete", 3),
    "export": ("导出", "Export", 1),
    "import": ("导入", "Import", 1),
    "dispatch": ("派单", "Dispatch", 2),
    "claim": ("抢单", "Claim", 2),
    "accept": ("接单", "Accept", 2),
    "repair": ("维修", "Repair", 2),
    "transfer": ("转派", "Transfer", 2),
    "check": ("验收", "Check", 2),
    "grant": ("权限设置", "Grant", 2),
    "role": ("角色配置", "Set roles", 3),
    "reset": ("重置密码", "Reset password", 3),
    "unlock": ("解锁", "Unlock", 3),
    "setting": ("授权配置", "Settings", 3),
    "cancel": ("取消", "Cancel", 2),
    "retry": ("重试", "Retry", 2),
    "create": ("新增", "Add", 1),
    "update": ("编辑", "Edit", 2),
    "deploy": ("部署", "Deploy", 3),
    "state": ("变更状态", "Suspend or activate", 2),
    "image": ("流程图", "Diagram", 2),
    "remove": ("删除", "Delete", 3),
    "workload": ("工时统计", "Workload", 1),
}

# code, Chinese, English, menu
BUTTONS: tuple[tuple[str, str, str, str], ...] = (
    *((f"{code}_{alias}", *ALIASES[alias][:2], code) for code, *_texts, buttons in MENUS for alias in buttons.split()),
    ("leave_add", "申请请假", "Ask for leave", "work_start"),
    ("leave_view", "查看全部请假", "See all leave", "work_start"),
)

_DESK = {"wel", "desk", "notice", "notice_view", "work", "work_todo", "work_claim", "work_send", "work_done"} | {
    "work_start", "leave_add",
}  # fmt: skip
_SEE = {"repair", "repairorder", "repairorder_view", "equip", "inspectmachine", "inspectmachine_view"} | {
    "inspecttype", "inspecttype_view",
}  # fmt: skip
_REPORT = {"repairorder_report", "repairorder_add", "repairorder_edit"}
_CHECK = {"repairorder_check", "repairorder_cancel"}
_REPAIR = {"repairorder_claim", "repairorder_accept", "repairorder_repair", "repairorder_transfer"}
_FLOW = {row[0] for row in (*MENUS, *BUTTONS) if row[0].partition("_")[0] == "flow"}
_WORKLOAD = {"repairorder_workload"}
_EVERYTHING = {row[0] for row in (*MENUS, *BUTTONS)}
# What the platform alone can do: a button that is refused to everybody else would only be in the way.
_PLATFORM = {"client", "client_view", "client_add", "client_edit", "client_delete"} | {
    "tenant_add", "tenant_edit", "tenant_delete", "tenant_setting", "menu_add", "menu_edit", "menu_delete",
    "dict_add", "dict_edit", "dict_delete", "region_add", "region_edit", "region_delete",
}  # fmt: skip

# alias: Chinese, English, what it is granted
ROLES: dict[str, tuple[str, str, set[str]]] = {
    "administrator": ("平台管理员", "Platform administrator", _EVERYTHING),
    "tenant_admin": ("租户管理员", "Tenant administrator", _EVERYTHING - _PLATFORM),
    "equip_manager": (
        "设备主管", "Equipment manager",
        _DESK | _SEE | _REPORT | {
            "repairorder_dispatch", "repairorder_transfer", "repairorder_check", "repairorder_cancel",
            "repairorder_delete", "repairorder_workload",
            "inspectmachine_add", "inspectmachine_edit", "inspectmachine_delete",
            "inspectmachine_export", "inspectmachine_import",
            "inspecttype_add", "inspecttype_edit", "inspecttype_delete",
        },
    ),
    "workshop_head": ("车间主任", "Workshop head", _DESK | _SEE | _REPORT | _CHECK | _WORKLOAD),
    "shift_leader": ("班组长", "Shift leader", _DESK | _SEE | _REPORT | _CHECK | _WORKLOAD),
    "inspector": ("点检员", "Inspector", _DESK | _SEE | _REPORT | _CHECK | _WORKLOAD),
    "repair_leader": (
        "维修班长", "Repair leader",
        _DESK | _SEE | _REPORT | _REPAIR | _WORKLOAD | {"repairorder_dispatch", "repairorder_cancel"},
    ),
    "repairer": ("维修工", "Repairer", _DESK | _SEE | _REPORT | _REPAIR | _WORKLOAD | {"repairorder_cancel"}),
    "storekeeper": ("备件库管", "Storekeeper", _DESK | _SEE | _REPORT | _CHECK),
    "operator": ("操作工", "Operator", _DESK | _SEE | _REPORT | _CHECK),
    "viewer": ("管理层/只读", "Management, read only", _DESK | _SEE | _WORKLOAD),
    "vendor": ("外协人员", "Vendor", _DESK | _SEE | _REPAIR),
    "flow_designer": ("流程设计员", "Process designer", _DESK | _SEE | _FLOW),
    "hr": ("人事", "HR", _DESK | {"leave_view"}),
}  # fmt: skip


def install() -> None:
    """Write the menu, and give the shipped roles of each company what is new in it; all of it or nothing.

    What people withdrew stays withdrawn: only entries that were not there before are granted.
    """
    with transaction.atomic():
        new = _install_menus()
        for tenant_id in Tenant.objects.order_by("pk").values_list("tenant_id", flat=True):
            with tenant_scope(tenant_id):
                install_scopes()
                if _grant(Role.objects.all(), new):
                    rights_changed(tenant_id)


def _install_menus() -> set[str]:
    """Write the menu and its buttons; answers the codes that were not there before.

    What the product changed since it was written last is changed, what people changed stays as they made it.
    """
    known = {row.code: row for row in Menu.objects.all()}
    ids: dict[str, int] = {}
    for place, (code, zh, en, parent, path, icon, _buttons) in enumerate(MENUS):
        columns = {"name": zh, "name_en": en, "parent_id": ids.get(parent), "path": path, "source": icon, "sort": place}
        ids[code] = _write(known.get(code), code, columns)
    for place, (code, zh, en, menu) in enumerate(BUTTONS):
        alias = code.rpartition("_")[2]
        columns = {
            "name": zh, "name_en": en, "parent_id": ids[menu], "alias": alias, "sort": place,
            "category": int(MenuCategory.BUTTON), "action": ALIASES[alias][2],
        }  # fmt: skip
        _write(known.get(code), code, columns)
    return {row[0] for row in (*MENUS, *BUTTONS)} - set(known)


def _write(row: Menu | None, code: str, columns: dict[str, Any]) -> int:
    if row is None:
        return int(Menu.objects.create(code=code, shipped=columns, **columns).pk)
    if row.shipped != columns:
        for name, value in columns.items():
            if not row.shipped or getattr(row, name) == row.shipped.get(name):
                setattr(row, name, value)
        row.shipped = columns
        row.save()
    return int(row.pk)


# resource: its menu, and which kind of scope each role holds; a role that is not named sees its own rows
_ALL = ("administrator", "tenant_admin")
SCOPES: dict[str, tuple[str, dict[Scope, tuple[str, ...]]]] = {
    "repairorder": (
        "repairorder",
        {
            Scope.ALL: (*_ALL, "equip_manager", "repair_leader", "storekeeper", "viewer"),
            Scope.DEPARTMENT_TREE: ("workshop_head",),
            Scope.DEPARTMENT: ("shift_leader", "operator"),
            Scope.TEAM: ("repairer", "inspector"),
            Scope.OWN: ("vendor",),
        },
    ),
    "user": (
        "user",
        {
            Scope.ALL: (*_ALL, "hr"),
            Scope.DEPARTMENT_TREE: ("workshop_head", "equip_manager"),
            Scope.DEPARTMENT: ("shift_leader",),
            Scope.OWN: (),
        },
    ),
}


def install_scopes() -> None:
    """Make the shipped data scopes of the tenant in scope, and grant them; a resource that has scopes is left alone."""
    menus = dict(Menu.objects.values_list("code", "pk"))
    known = set(DataScope.objects.values_list("resource_code", flat=True))
    roles = {role.role_alias: role for role in Role.objects.all()}
    names = dict(_SCOPE_NAMES)
    for resource, (menu, kinds) in SCOPES.items():
        if resource in known:
            continue
        for kind, aliases in kinds.items():
            zh, en = names[kind]
            row = DataScope.objects.create(
                menu_id=menus[menu], resource_code=resource, scope_type=kind, scope_name=zh, scope_name_en=en
            )
            RoleDataScope.objects.bulk_create(
                RoleDataScope(role=roles[alias], scope=row) for alias in aliases if alias in roles
            )


_SCOPE_NAMES: tuple[tuple[Scope, tuple[str, str]], ...] = (
    (Scope.ALL, ("全部可见", "All")),
    (Scope.OWN, ("本人可见", "Own")),
    (Scope.DEPARTMENT, ("所在机构可见", "Own department")),
    (Scope.DEPARTMENT_TREE, ("所在机构及子级可见", "Own department and below")),
    (Scope.TEAM, ("本人及班组可见", "Own and team")),
)


def install_roles() -> dict[str, Role]:
    """Make the roles of a new tenant, inside its scope, with what they are granted; answers them by alias."""
    roles = {}
    # The platform's role is the platform's alone.
    aliases = [alias for alias in ROLES if alias != "administrator" or current_tenant() == PLATFORM]
    for place, alias in enumerate(aliases):
        zh, en, _codes = ROLES[alias]
        roles[alias], _ = Role.objects.get_or_create(
            role_alias=alias, defaults={"role_name": zh, "role_name_en": en, "sort": place}
        )
    _grant(roles.values(), _EVERYTHING)
    install_scopes()
    return roles


def _grant(roles: Iterable[Role], codes: set[str]) -> bool:
    """Give shipped roles those of these entries that they are shipped with; answers whether there were any."""
    menus = dict(Menu.objects.filter(code__in=codes).values_list("code", "pk"))
    granted = [
        RoleMenu(role=role, menu_id=menus[code])
        for role in roles
        if role.role_alias in ROLES
        for code in sorted(ROLES[role.role_alias][2] & codes)
    ]
    RoleMenu.objects.bulk_create(granted, ignore_conflicts=True)
    return bool(granted)
