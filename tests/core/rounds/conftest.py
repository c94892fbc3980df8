"""Most walks of these tests carry no photos: the companies ask for none, unless a test says otherwise."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _no_photos(request: pytest.FixtureRequest) -> None:
    """Let both companies do without the photo of an abnormal item that is asked for as shipped."""
    if "cast" not in request.fixturenames:
        return
    # Django is not there yet when pytest reads this file.
    from core.kernel.tenancy import tenant_scope
    from core.rounds.inputs import ABNORMAL_IMAGES
    from core.system.models import RequiredRule
    from core.system.required import Scene
    from tests.cast import A, B

    request.getfixturevalue("cast")
    for tenant in (A, B):
        with tenant_scope(tenant):
            RequiredRule.objects.create(scene=Scene.INSPECTION, field=ABNORMAL_IMAGES, most=6)
