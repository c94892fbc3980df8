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


def _lining(pen: Pen, is_mended: bool) -> None:
    """A furnace from above: coil, lining and bath."""
    for radius, fill in ((270, _STEEL), (230, (226, 214, 196)), (165, (232, 142, 70)), (120, (246, 190, 104))):
        _ring(pen, radius, fill)
    _mark(pen, 300, 320, 60, is_mended)


def _signature(pen: Pen, is_mended: bool) -> None:
    """A name written by hand."""
    pen.rectangle((0, 0, *_SIZE), fill=(255, 255, 255))
    points = [(220 + 9 * step, 320 + 90 * math.sin(step / 3) * math.cos(step / 11)) for step in range(60)]
    pen.line(points, fill=_DARK, width=9, joint="curve")
    pen.line(((230, 440), (740, 415)), fill=_DARK, width=6)


PICTURES: Mapping[str, tuple[str, Callable[[Pen, bool], None], bool]] = {
    "bearing-before": ("主轴轴承-维修前.png", _bearing, False),
    "bearing-after": ("主轴轴承-维修后.png", _bearing, True),
    "seal-before": ("机械密封-维修前.png", _seal, False),
    "lining": ("炉衬.png", _lining, True),
    "signature": ("签名.png", _signature, True),
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


def dial(mark: int) -> tuple[bytes, str]:
    """Return the picture of a gauge as PNG, and its file name; no two marks below 4096 show the same."""
    picture = Image.new("RGB", (480, 320), _GROUND)
    pen = ImageDraw.Draw(picture)
    pen.ellipse((100, 20, 380, 300), fill=(250, 251, 253), outline=_DARK, width=6)
    for place in range(11):
        angle = math.radians(150 + 24 * place)
        x, y = math.cos(angle), math.sin(angle)
        pen.line(((240 + 112 * x, 160 + 112 * y), (240 + 130 * x, 160 + 130 * y)), fill=_DARK, width=4)
    angle = math.radians(240 + mark % 60)
    pen.line((240, 160, 240 + 105 * math.cos(angle), 160 + 105 * math.sin(angle)), fill=_HURT, width=6)
    pen.ellipse((230, 150, 250, 170), fill=_DARK)
    for bit in range(12):
        fill = _STEEL if mark >> bit & 1 else _LIGHT
        pen.rectangle((168 + 12 * bit, 226, 176 + 12 * bit, 238), fill=fill)
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue(), "现场照片.png"
