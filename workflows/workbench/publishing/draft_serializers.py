"""Wire forms of drafts, and of the models that a company sees."""

from __future__ import annotations

from rest_framework import serializers

from core.kernel.texts import label
from core.rest.serializers import SpeakingSerializer
from workflows.runtime.calls.definition_serializers import DefinitionRow
from workflows.workbench.publishing import overview, upload
from workflows.workbench.publishing.inputs import MAX_NOTE
from workflows.workbench.publishing.serializers import StatusCounts


class ModelRow(serializers.Serializer):  # type: ignore[type-arg]
    """A draft in the list."""

    id = serializers.CharField()
    modelKey = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    category = serializers.CharField()
    categoryName = serializers.CharField()
    version = serializers.IntegerField()
    created = serializers.CharField()
    lastUpdated = serializers.CharField()


class RevisionRow(serializers.Serializer):  # type: ignore[type-arg]
    """A draft as somebody saved it; an automatic one stands for a run of automatic saves."""

    version = serializers.IntegerField()
    note = serializers.CharField()
    userName = serializers.CharField()
    time = serializers.CharField()
    isAutomatic = serializers.BooleanField()


class DraftOfModel(serializers.Serializer):  # type: ignore[type-arg]
    """The company's own draft of a model: its newest version, who saved it and why."""

    id = serializers.CharField()
    version = serializers.IntegerField()
    lastUpdated = serializers.CharField()
    userName = serializers.CharField()
    note = serializers.CharField()


class OverviewRow(StatusCounts):
    """A model that the company sees: its own draft, and the version that a start takes or that blocks it."""

    key = serializers.CharField()
    name = serializers.CharField()
    category = serializers.CharField()
    categoryName = serializers.CharField()
    businessType = serializers.CharField()
    state = serializers.ChoiceField(choices=overview.STATES)
    draft = DraftOfModel(allow_null=True)
    deployed = DefinitionRow(allow_null=True)
    versions = serializers.IntegerField(help_text="How many deployed ones the company sees.")


class ModelDetail(ModelRow):
    """A draft with its model, or an earlier model where one was asked for, and its history."""

    xml = serializers.CharField()
    history = RevisionRow(many=True)


class ModelSaved(serializers.Serializer):  # type: ignore[type-arg]
    """What saving a draft answers."""

    id = serializers.CharField()
    version = serializers.IntegerField()


_KEY = r"^[^\W\d][\w.\-]*$"


class ModelInput(SpeakingSerializer):
    """A draft as it is sent; without a key it is the model's process id."""

    id = serializers.CharField(required=False, allow_blank=True)
    name = serializers.CharField(label=label("名称", "Name"), max_length=80)
    modelKey = serializers.RegexField(
        _KEY, label=label("流程标识", "Process key"), source="model_key", max_length=60, required=False
    )
    description = serializers.CharField(
        label=label("说明", "Description"), max_length=500, required=False, allow_blank=True
    )
    category = serializers.CharField(label=label("分类", "Category"), max_length=20, required=False, allow_blank=True)
    xml = serializers.CharField(label=label("流程图", "Diagram"), max_length=upload.MAX_BYTES, trim_whitespace=False)
    version = serializers.IntegerField(label=label("版本", "Version"), required=False, min_value=0, max_value=2**31 - 1)
    note = serializers.CharField(
        label=label("说明", "Note"), max_length=MAX_NOTE, required=False, allow_blank=True, default=""
    )
    auto = serializers.IntegerField(
        required=False, min_value=0, max_value=1, default=0,
        help_text="1: saved by itself; a run of such saves by one person is one entry of the history.",
    )  # fmt: skip


class ValidateInput(serializers.Serializer):  # type: ignore[type-arg]
    """A model to look at, or the id of a draft."""

    id = serializers.CharField(required=False)
    xml = serializers.CharField(required=False)
