"""Wire forms of signers, and the bodies of the calls that add and remove them."""

from __future__ import annotations

from rest_framework import serializers

from workflows.runtime.commands.signers import PLACES


class SignerRow(serializers.Serializer):  # type: ignore[type-arg]
    """Who signs a step beside the person whose task it is."""

    userId = serializers.CharField()
    userName = serializers.CharField()
    place = serializers.ChoiceField(
        choices=["", *PLACES], help_text="Where the signer was added; empty for those whom the model names."
    )
    state = serializers.ChoiceField(choices=["open", "waiting", "done"])
    addedByName = serializers.CharField()
    outcomeName = serializers.CharField()
    isNegative = serializers.BooleanField(help_text="Whether the outcome says no.")
    comment = serializers.CharField()
    endTime = serializers.CharField()
    canRemove = serializers.BooleanField()


class AddSignersInput(serializers.Serializer):  # type: ignore[type-arg]
    """The body of add-signers."""

    taskId = serializers.CharField()
    userIds = serializers.CharField(help_text="Comma joined.")
    place = serializers.ChoiceField(choices=PLACES)
    reason = serializers.CharField()


class RemoveSignerInput(serializers.Serializer):  # type: ignore[type-arg]
    """The body of remove-signer."""

    taskId = serializers.CharField()
    userId = serializers.CharField()
    reason = serializers.CharField()
