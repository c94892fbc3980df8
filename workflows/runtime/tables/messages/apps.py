"""The application of the messages' table; its label is not the package's name, which `core.desk` needs."""

from django.apps import AppConfig


class MessagesConfig(AppConfig):
    """Messages between processes."""

    name = "workflows.runtime.tables.messages"
    label = "flow_messages"
