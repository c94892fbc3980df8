"""Installing the shipped regions."""

from __future__ import annotations

from core.system.models import Region, RegionLevel
from core.system.regions_shipped import rows


def install() -> None:
    """Write the shipped regions; those that exist stay as they are."""
    lines: dict[str, tuple[str, ...]] = {}
    known = set(Region.objects.values_list("code", flat=True))
    new = []
    for place, (code, above, zh, en) in enumerate(rows()):
        ancestors = (*lines[above], above) if above else ()
        lines[code] = ancestors
        if code not in known:
            new.append(
                Region(
                    code=code,
                    parent_code=above,
                    ancestors=",".join(ancestors),
                    name=zh,
                    name_en=en,
                    level=RegionLevel(len(ancestors)),
                    sort=place,
                )
            )
    Region.objects.bulk_create(new)
