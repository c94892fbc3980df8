"""What calls about a task ask for beside it: a reason, and a person."""

from __future__ import annotations

from django.utils.translation import gettext as _

from core.kernel.errors import Invalid
from core.kernel.ids import is_id
from core.rest.viewsets import BaseViewSet

MAX_COMMENT = 500


class TaskInputs(BaseViewSet):
    """Reads the inputs that several calls of the work list have in common."""

    def _reason(self, *, required: bool) -> str:
        text = self.text_parameter("reason", _("原因"), MAX_COMMENT)
        if required and not text:
            raise Invalid({"reason": _("请填写{field}").format(field=_("原因"))})
        return text

    def _person(self, name: str, field: str) -> int:
        text = self.parameter(name)
        if not is_id(text):
            raise Invalid({name: _("请选择{field}").format(field=field)})
        return int(text)
