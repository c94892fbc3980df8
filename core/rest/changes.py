"""Whether a row may still be changed: nobody has changed it since the caller read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth import get_user_model
from django.utils.translation import gettext as _

from core.kernel.errors import Conflict, Invalid
from core.kernel.models import VersionedModel
from core.kernel.texts import moment
from core.rest.serializers import LOCK_VERSION


class Changed(Conflict):
    """Somebody else has changed the row since the caller read it. The answer has who and when, and the row as it is."""

    def __init__(self, row: VersionedModel, current: Mapping[str, Any]):
        name, time = _name_of(row.update_user), moment(row.update_time)
        text = _("「{row}」已被{name}于{time}修改，请查看对方的修改后再保存").format(row=row, name=name, time=time)
        super().__init__("data.changed", text, {"userName": name, "time": time, "row": current})


def check_version(row: Any, body: Mapping[str, Any], current: Callable[[], Mapping[str, Any]]) -> None:
    """Raise Changed where the row, which is locked, is no longer the one that the body's `lockVersion` was read from.

    Raise Invalid where the body has no version. `current` gives the row as `detail` answers it.
    """
    given = str(body.get(LOCK_VERSION) or "").strip()
    if not given:
        raise Invalid({LOCK_VERSION: _("请先读取最新数据再保存（缺少{name}）").format(name=LOCK_VERSION)})
    if not given.isascii() or not given.isdigit() or len(given) > 9:
        raise Invalid({LOCK_VERSION: _("请求参数格式错误: {name}").format(name=LOCK_VERSION)})
    if int(given) != row.lock_version:
        raise Changed(row, current())


def _name_of(user_id: int | None) -> str:
    """Return what to call the person who wrote a row; removed people keep their names."""
    if user_id is None:
        return _("系统")
    user = get_user_model()._base_manager.filter(pk=user_id).first()
    return str(user) if user is not None else _("平台管理员")
