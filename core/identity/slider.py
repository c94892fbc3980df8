"""Draws a slider captcha: a landscape of our own with four holes in a row, and a piece that has the shape of one.

Edges, brightness and colours find holes, all four alike; which of them is meant is told by the shape alone. What is on
the piece comes from another landscape, so nothing on it is found again, and neither holes nor piece stand straight, so
that laying the one upon the other fits nowhere exactly.
"""

from __future__ import annotations

import io
import random
from dataclasses import dataclass
from math import cos, pi, sin

from PIL import Image, ImageChops, ImageDraw, ImageFilter

WIDTH, HEIGHT, PIECE = 400, 170, 66
HOLES = 4
_FINE = 4
"""Shapes are drawn larger and made smaller, so that their edges are smooth."""
_TURN = 14
"""Degrees by which a hole and the piece are turned at most."""
_APART = 68
"""Pixels from a hole to the next at least."""
_BELOW_BUTTON = 38
"""Above lies the button that asks for another picture."""
_TINTS = (20, 24, 32), (244, 246, 250)
_FLAT, _KNOB, _NOTCH = 0, 1, -1
_Sides = tuple[int, int, int, int]
_chance = random.SystemRandom()


@dataclass(frozen=True)
class Drawn:
    """The two pictures, where the piece belongs, and where it does not though there is a hole."""

    background: bytes
    piece: bytes
    x: int
    y: int
    others: tuple[int, ...]


def _colour(low: int, high: int) -> tuple[int, int, int]:
    return _chance.randint(low, high), _chance.randint(low, high), _chance.randint(low, high)


def _landscape() -> Image.Image:
    """Return a sky that changes colour, circles behind, hills before them, and a little grain over all."""
    upper, lower = _colour(120, 235), _colour(90, 200)
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
    grain = Image.effect_noise((WIDTH, HEIGHT), 40).convert("RGB")
    return Image.blend(picture, grain, 0.16)


def _sides() -> list[_Sides]:
    """Return as many shapes as there are holes, by what is at each side; any two differ at two sides or more."""
    found: list[_Sides] = []
    while len(found) < HOLES:
        new = _chance.choice(_ALL)
        if all(sum(one != other for one, other in zip(new, old, strict=True)) >= 2 for old in found):
            found.append(new)
    return found


_ALL: list[_Sides] = [
    (top, right, bottom, left)
    for top in (_FLAT, _KNOB, _NOTCH)
    for right in (_FLAT, _KNOB, _NOTCH)
    for bottom in (_FLAT, _KNOB, _NOTCH)
    for left in (_FLAT, _KNOB, _NOTCH)
    if (top, right, bottom, left).count(_FLAT) < 3
]


def _shape(sides: _Sides) -> Image.Image:
    """Return the outline: a square with a knob, a notch or nothing at each side, a little turned."""
    size, knob = PIECE * _FINE, 8 * _FINE
    middle, half = size / 2, size / 2 - 14 * _FINE
    mask = Image.new("L", (size, size), 0)
    pen = ImageDraw.Draw(mask)
    pen.rounded_rectangle((middle - half, middle - half, middle + half, middle + half), radius=3 * _FINE, fill=255)
    for place, kind in enumerate(sides):
        if kind == _FLAT:
            continue
        angle = (place - 1) * pi / 2
        out = half + (knob * 0.45 if kind == _KNOB else -knob * 0.35)
        along = _chance.uniform(-3, 3) * _FINE
        x, y = middle + cos(angle) * out - sin(angle) * along, middle + sin(angle) * out + cos(angle) * along
        pen.ellipse((x - knob, y - knob, x + knob, y + knob), fill=255 if kind == _KNOB else 0)
    large = int(size * _chance.uniform(1.0, 1.18))  # than the frame, so that the shape becomes smaller
    frame = Image.new("L", (large, large), 0)
    frame.paste(mask, ((large - size) // 2,) * 2)
    turned = frame.rotate(_chance.uniform(-_TURN, _TURN), resample=Image.Resampling.BICUBIC)
    return turned.resize((PIECE, PIECE), Image.Resampling.LANCZOS)


def _rim(mask: Image.Image) -> Image.Image:
    """Return the edge of a shape."""
    return ImageChops.subtract(mask, mask.filter(ImageFilter.MinFilter(3)))


def _cut(picture: Image.Image, filling: Image.Image, mask: Image.Image, place: tuple[int, int]) -> None:
    """Make a hole of the shape, in which there is another landscape; a shadow falls into it from one side."""
    box = (*place, place[0] + PIECE, place[1] + PIECE)
    under, inside = picture.crop(box), filling.crop(box)
    shadow = Image.linear_gradient("L").rotate(_chance.choice((0, 90, 180, 270))).resize(under.size)
    inside = Image.composite(Image.new("RGB", under.size, _chance.choice(_TINTS)), inside, shadow)
    picture.paste(Image.blend(under, inside, _chance.uniform(0.6, 0.8)), place, mask)
    picture.paste(_chance.choice(_TINTS), place, _rim(mask).point(lambda value: int(value * 0.8)))


def _places() -> list[int]:
    """Return where the holes are, from left to right, none on another and none where the piece begins."""
    first, last = PIECE + 2, WIDTH - PIECE - 2
    free = last - first - (HOLES - 1) * _APART
    steps = sorted(_chance.randint(0, free) for _hole in range(HOLES))
    return [first + step + place * _APART for place, step in enumerate(steps)]


def draw() -> Drawn:
    """Return a new pair of pictures."""
    picture, filling, other, sides = _landscape(), _landscape(), _landscape(), _sides()
    places, y = _places(), _chance.randint(_BELOW_BUTTON, HEIGHT - PIECE - 6)
    own = _chance.randrange(HOLES)
    for place, kind in zip(places, sides, strict=True):
        _cut(picture, filling, _shape(kind), (place, y))
    mask = _shape(sides[own])
    piece = Image.new("RGBA", (PIECE, PIECE), (0, 0, 0, 0))
    at = _chance.randint(0, WIDTH - PIECE), _chance.randint(0, HEIGHT - PIECE)
    piece.paste(other.crop((*at, at[0] + PIECE, at[1] + PIECE)), (0, 0), mask)
    piece.paste((255, 255, 255, 235), (0, 0), _rim(mask))
    others = tuple(place for place in places if place != places[own])
    return Drawn(_encoded(picture, "JPEG"), _encoded(piece, "PNG"), places[own], y, others)


def _encoded(picture: Image.Image, kind: str) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, quality=82)
    return out.getvalue()
