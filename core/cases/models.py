"""The base of all tables whose records a process moves."""

from __future__ import annotations

from core.kernel.models import AuditedModel


class CaseModel(AuditedModel):
    """A record that a process moves. It has a choice `status` besides, which the effects of its case assign."""

    class Meta(AuditedModel.Meta):
        abstract = True

    @property
    def called(self) -> str:
        """What messages call the record: its number, unless the model says more."""
        return str(self)

    @property
    def about(self) -> str:
        """What the record is about, in one line: the title of its process and the text of its messages."""
        return str(self)
