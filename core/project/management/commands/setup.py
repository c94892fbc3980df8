"""Bring an installation up to date: tables, menus, dictionaries, shipped models, and the demo plant on an empty one."""

from __future__ import annotations

import os
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from core.access import seed
from core.identity.models import Tenant
from core.kernel.tenancy import tenant_scope
from core.project import demo
from core.system import install
from workflows.runtime.rows import queues
from workflows.workbench.publishing.shipped import deploy_shipped


class Command(BaseCommand):
    """May run at every start; what is there already stays."""

    help = "Set up the database, the shipped models and, on an empty installation, the demo plant."

    def add_arguments(self, parser: Any) -> None:
        """Take the size of the demo plant."""
        parser.add_argument("--small", action="store_true", help="a demo plant with a tenth of the inspection tasks")

    def handle(self, *args: Any, **options: Any) -> None:
        """Each step says what it does; the accounts are printed at the end."""
        os.umask(0o077)  # pictures and accounts are the owner's alone, as where `serve` starts this
        self.stdout.write("Preparing the database …")
        call_command("migrate", verbosity=0, interactive=False)
        seed.install()
        install.install()
        deploy_shipped(settings.MODELS_DIR)
        if not Tenant.objects.exists():
            self.stdout.write("Building the demo plant …")
            demo.build(is_small=options["small"])
        else:
            for tenant_id in Tenant.objects.values_list("tenant_id", flat=True):
                with tenant_scope(tenant_id):
                    queues.recount()
        self.stdout.write(demo.accounts_text())
