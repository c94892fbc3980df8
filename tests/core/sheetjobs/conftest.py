"""Files of jobs lie in a folder of the test's own."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(autouse=True)
def files(settings: Any, tmp_path: Any) -> Any:
    """A folder of the test's own for files."""
    settings.FILES_DIR = tmp_path
    return tmp_path
