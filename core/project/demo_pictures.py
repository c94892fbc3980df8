"""Draws the demo plant's pictures: schematic parts before and after their repair."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Mapping

from PIL import Image, ImageDraw

_SIZE = (960, 640)
_GROUND, _GRID = (238, 241, 245), (222, 227, 234)
_STEEL, _DARK, _LIGHT = (132, 146, 166), (64, 74, 90), (201, 209, 220)
_HURT, _SOUND, _WATER = (204, 62, 48), (36, 138, 84), (66, 140, 206)

Pen = ImageDraw.ImageDraw


def _ring(pen: Pen, radius: int, fill: tuple[int, int, int]) -> None:
    pen.ellipse((480 - radius, 320 - radius, 480 + radius, 320 + radius), fill=fill, outline=_DARK, width=4)


def _mark(pen: Pen, x: int, y: int, radius: int, is_mended: bool) -> None:
    """A circle round the place to look at."""
    colour = _SOUND if is_mended else _HURT
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), outline=colour, width=8)


def _bearing(pen: Pen, is_mended: bool) -> None:
    """A ball bearing seen from the front; the worn one has a scored race and a broken ball."""
    for radius, fill in ((250, _STEEL), (205, _LIGHT), (135, _STEEL), (85, _GROUND)):
        _ring(pen, radius, fill)
    for place in range(12):
        angle = math.tau * place / 12
        x, y = 480 + 170 * math.cos(angle), 320 + 170 * math.sin(angle)
        worn = not is_mended and place in (10, 11)
        pen.ellipse((x - 30, y - 30, x + 30, y + 30), fill=_HURT if worn else (245, 247, 250), outline=_DARK, width=4)
    if not is_mended:
        for shift in range(0, 50, 10):
            pen.arc((265 + shift // 4, 105, 695, 535 - shift // 4), 300, 345, fill=_HURT, width=3)
    _mark(pen, 597, 204, 100, is_mended)


def _seal(pen: Pen, is_mended: bool) -> None:
    """A pump shaft with its seal from the side; the aged one drips into a puddle."""
    pen.rounded_rectangle((150, 130, 480, 500), 30, fill=_STEEL, outline=_DARK, width=4)
    pen.rectangle((120, 290, 840, 350), fill=_LIGHT, outline=_DARK, width=4)
    pen.rectangle((480, 230, 560, 410), fill=(150, 160, 178), outline=_DARK, width=4)
    pen.rectangle((560, 262, 590, 378), fill=_SOUND if is_mended else _HURT, outline=_DARK, width=4)
    if not is_mended:
        for x, y in ((570, 430), (585, 480), (562, 530)):
            pen.polygon(((x, y - 22), (x - 12, y + 6), (x + 12, y + 6)), fill=_WATER)
            pen.ellipse((x - 12, y - 8, x + 12, y + 16), fill=_WATER)
        pen.ellipse((450, 560, 720, 600), fill=_WATER)
    _mark(pen, 575, 320, 80, is_mended)


PICTURES: Mapping[str, tuple[str, Callable[[Pen, bool], None], bool]] = {
    "bearing-before": ("主轴轴承-维修前.png", _bearing, False),
    "bearing-after": ("主轴轴承-维修后.png", _bearing, True),
    "seal-before": ("机械密封-维修前.png", _seal, False),
    "seal-after": ("机械密封-维修后.png", _seal, True),
}


def draw(name: str) -> tuple[bytes, str]:
    """Return a picture as PNG, and its file name."""
    title, part, is_mended = PICTURES[name]
    picture = Image.new("RGB", _SIZE, _GROUND)
    pen = ImageDraw.Draw(picture)
    for x in range(0, _SIZE[0], 40):
        pen.line(((x, 0), (x, _SIZE[1])), fill=_GRID)
    for y in range(0, _SIZE[1], 40):
        pen.line(((0, y), (_SIZE[0], y)), fill=_GRID)
    part(pen, is_mended)
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue(), title
