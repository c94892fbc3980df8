"""Puts the bridge in place when the applications are ready."""

from django.apps import AppConfig


class BridgeConfig(AppConfig):
    """The bridge between a business record and its process."""

    name = "workflows.bridge"

    def ready(self) -> None:
        from core.kernel import ports
        from workflows.bridge.processes import Processes

        ports.processes = Processes()
