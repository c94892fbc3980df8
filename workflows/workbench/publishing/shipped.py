"""Deploying the models that come with the product; they pass the same gate as a customer's."""

from __future__ import annotations

from pathlib import Path

from core.kernel.tenancy import PLATFORM
from workflows import engine
from workflows.runtime.definitions import library
from workflows.runtime.tables.deployments.models import Definition
from workflows.workbench import gate


def deploy_shipped(folder: Path) -> list[Definition]:
    """Deploy the models of the cases for all tenants, all or none.

    Raises engine.ModelError with every problem that the gate finds, warnings too: nobody is there to confirm them.
    """
    models = [(model.read_bytes(), meta) for model, meta in library.shipped(folder)]
    problems = [problem for xml, _meta in models for problem in gate.judged(xml).problems]
    if problems:
        raise engine.ModelError(problems)
    return [library.deploy(xml, meta, PLATFORM) for xml, meta in models]
