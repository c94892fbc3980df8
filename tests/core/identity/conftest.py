"""What the tests of identity share."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _own_sessions(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away the sessions that other tests share: tests here count and end those that they begin."""
    from core.identity.models import Session
    from tests.cast import Cast

    monkeypatch.setattr(Cast, "client_for", Cast.anew)
    if "cast" in request.fixturenames:
        request.getfixturevalue("cast")
        Session.objects.all().delete()
