"""Draws a slider captcha: a landscape of our own with a gap in it, and the piece that fits."""

from __future__ import annotations

import io
import random
from dataclasses import dataclass

from PIL import Image, ImageChops, ImageDraw, ImageFilter

WIDTH, HEIGHT, PIECE = 320, 160, 52
_FINE = 4
"""Shapes are drawn larger and made smaller, so that their edges are smooth."""
_chance = random.SystemRandom()


@dataclass(frozen=True)
class Drawn:
    """The two pictures, and where the piece belongs."""

    background: bytes
    piece: bytes
    x: int
    y: int


def _colour(low: int, high: int) -> tuple[int, int, int]:
    return _chance.randint(low, high), _chance.randint(low, high), _chance.randint(low, high)


def _landscape() -> Image.Image:
    """Return a sky that changes colour, circles behind, hills before them, and a little grain over all."""
    upper, lower = _colour(150, 235), _colour(110, 200)
    shade = Image.linear_gradient("L").resize((WIDTH, HEIGHT))
    picture = Image.composite(Image.new("RGB", (WIDTH, HEIGHT), lower), Image.new("RGB", (WIDTH, HEIGHT), upper), shade)
    pen = ImageDraw.Draw(picture, "RGBA")
    for _number in range(14):
        x, y, size = _chance.randint(-20, WIDTH), _chance.randint(-20, HEIGHT), _chance.randint(14, 70)
        pen.ellipse((x, y, x + size, y + size), fill=(*_colour(60, 250), _chance.randint(60, 150)))
    for level in range(3):
        top = HEIGHT * (level + 3) // 6
        heights = [top + _chance.randint(-22, 22) for _place in range(9)]
        points = [(place * WIDTH // 8, height) for place, height in enumerate(heights)]
        pen.polygon([(0, HEIGHT), *points, (WIDTH, HEIGHT)], fill=(*_colour(40, 170), 200))
    for _number in range(10):
        x, y = _chance.randint(0, WIDTH), _chance.randint(0, HEIGHT)
        ends = (x, y, x + _chance.randint(-90, 90), y + _chance.randint(-50, 50))
        pen.line(ends, fill=(*_colour(30, 255), 130), width=_chance.randint(1, 4))
    grain = Image.effect_noise((WIDTH, HEIGHT), 26).convert("RGB")
    return Image.blend(picture, grain, 0.12)


def _shape() -> Image.Image:
    """Return the piece's outline: a square with a knob above and a notch at one side, each by chance left or right."""
    size, knob = PIECE * _FINE, 9 * _FINE
    mask = Image.new("L", (size, size), 0)
    pen = ImageDraw.Draw(mask)
    pen.rounded_rectangle((0, knob, size - knob - 1, size - 1), radius=3 * _FINE, fill=255)
    across, down = (size - knob) // 2, knob + (size - knob) // 2
    across += _chance.randint(-4, 4) * _FINE
    down += _chance.randint(-4, 4) * _FINE
    pen.ellipse((across - knob, 1, across + knob, 2 * knob), fill=255)
    pen.ellipse((size - 2 * knob - 2, down - knob, size - 2, down + knob), fill=255)
    pen.ellipse((-knob, down - knob, knob, down + knob), fill=0)
    return mask.resize((PIECE, PIECE), Image.Resampling.LANCZOS)


def _rim(mask: Image.Image) -> Image.Image:
    """Return the edge of a shape."""
    return ImageChops.subtract(mask, mask.filter(ImageFilter.MinFilter(3)))


def _darken(picture: Image.Image, mask: Image.Image, place: tuple[int, int], share: float) -> None:
    """Make a hole of the shape: darker inside, with a light rim."""
    box = (*place, place[0] + PIECE, place[1] + PIECE)
    under = picture.crop(box)
    picture.paste(Image.blend(under, Image.new("RGB", under.size, (20, 24, 32)), share), place, mask)
    picture.paste((236, 240, 246), place, _rim(mask))


def draw() -> Drawn:
    """Return a new pair of pictures."""
    picture, mask = _landscape(), _shape()
    x = _chance.randint(PIECE + 24, WIDTH - PIECE - 8)
    y = _chance.randint(6, HEIGHT - PIECE - 6)
    piece = Image.new("RGBA", (PIECE, PIECE), (0, 0, 0, 0))
    piece.paste(picture.crop((x, y, x + PIECE, y + PIECE)), (0, 0), mask)
    piece.paste((255, 255, 255, 235), (0, 0), _rim(mask))
    _darken(picture, mask, (x, y), 0.55)
    return Drawn(_encoded(picture, "JPEG"), _encoded(piece, "PNG"), x, y)


def _encoded(picture: Image.Image, kind: str) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, quality=82)
    return out.getvalue()
