"""What the tests of identity share."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _no_sessions(request: pytest.FixtureRequest) -> None:
    """Take away the sessions of `Cast.signed_in`: tests here count those that they begin."""
    from core.identity.models import Session

    if "cast" in request.fixturenames:
        request.getfixturevalue("cast")
        Session.objects.all().delete()
