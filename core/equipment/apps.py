"""Registers the form of new machines."""

from django.apps import AppConfig


class EquipmentConfig(AppConfig):
    """Equipment."""

    name = "core.equipment"

    def ready(self) -> None:
        """Register what companies may ask for of a new machine."""
        from core.equipment.serializers import register_scene

        register_scene()
