"""The picture captcha: five characters, one use, five minutes."""

from __future__ import annotations

import base64
import io
import random
import secrets
from datetime import timedelta

from PIL import Image, ImageDraw, ImageFont

from core.identity.models import Captcha
from core.kernel import clock

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
LENGTH = 5
LIFETIME = timedelta(minutes=5)
_SIZE = (132, 44)


def _draw(text: str) -> bytes:
    """A PNG of the text, turned, shifted and crossed by lines."""
    chance = random.SystemRandom()
    picture = Image.new("RGB", _SIZE, (246, 248, 250))
    pen = ImageDraw.Draw(picture)
    for _ in range(5):
        ends = [(chance.randint(0, _SIZE[0]), chance.randint(0, _SIZE[1])) for _ in range(2)]
        pen.line(ends, fill=tuple(chance.randint(150, 215) for _ in range(3)), width=1)
    for place, letter in enumerate(text):
        tile = Image.new("RGBA", (34, 40), (0, 0, 0, 0))
        ink = tuple(chance.randint(20, 110) for _ in range(3))
        ImageDraw.Draw(tile).text((7, 4), letter, font=ImageFont.load_default(27), fill=(*ink, 255))
        tile = tile.rotate(chance.uniform(-22, 22), resample=Image.Resampling.BICUBIC)
        picture.paste(tile, (5 + place * 24 + chance.randint(-2, 2), chance.randint(0, 5)), tile)
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def make() -> tuple[str, str]:
    """A new captcha: its key, and its picture as a data URI."""
    Captcha.objects.filter(expires_at__lt=clock.now()).delete()
    answer = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
    row = Captcha.objects.create(key=secrets.token_urlsafe(24), answer=answer, expires_at=clock.now() + LIFETIME)
    return row.key, "data:image/png;base64," + base64.b64encode(_draw(answer)).decode()


def solve(key: str, answer: str) -> bool:
    """Use the captcha up and tell whether the answer was right; of many at once only one gets to try."""
    row = Captcha.objects.filter(key=key, expires_at__gte=clock.now()).first()
    if row is None:
        return False
    used, _ = Captcha.objects.filter(pk=row.pk).delete()
    return bool(used) and secrets.compare_digest(row.answer.encode(), answer.strip().upper().encode())
