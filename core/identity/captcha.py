"""Captchas: handed out by kind, answered once, within half an hour; the answer never leaves the server."""

from __future__ import annotations

import base64
import io
import random
import secrets
from datetime import timedelta

from django.conf import settings
from django.utils.translation import gettext as _
from PIL import Image, ImageDraw, ImageFont

from core.identity import slider
from core.identity.models import Captcha, CaptchaKind
from core.kernel import clock
from core.kernel.errors import Refusal

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
LENGTH = 5
LIFETIME = timedelta(minutes=30)
TOLERANCE = 5
"""Pixels by which a piece may miss its gap."""
FASTEST = timedelta(seconds=1)
"""Nobody finds the hole and moves the piece onto it in less."""
_SIZE = (132, 44)


def _draw(text: str) -> bytes:
    """Return a PNG of the text, turned, shifted and crossed by lines."""
    chance = random.SystemRandom()
    picture = Image.new("RGB", _SIZE, (246, 248, 250))
    pen = ImageDraw.Draw(picture)
    for _line in range(5):
        ends = [(chance.randint(0, _SIZE[0]), chance.randint(0, _SIZE[1])) for _end in range(2)]
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


class OtherKind(Refusal):
    """The installation asks for captchas of the other kind."""

    def __init__(self) -> None:
        is_slider = settings.CAPTCHA_MODE == "slider"
        super().__init__("captcha.otherKind", _("请使用滑块验证码") if is_slider else _("请使用图片验证码"))


def _counts(kind: str) -> bool:
    """Return whether the installation takes captchas of this kind: a caller must not choose the one it finds easier."""
    modes = {CaptchaKind.PICTURE: "image", CaptchaKind.SLIDER: "slider"}
    return settings.CAPTCHA_MODE in (modes[CaptchaKind(kind)], "off")


def _hand_out(kind: CaptchaKind, answer: str) -> str:
    """Store what the right answer is; answers the key to ask with."""
    now = clock.now()
    Captcha.objects.filter(expires_at__lt=now).delete()
    row = Captcha.objects.create(
        key=secrets.token_urlsafe(24), kind=kind, answer=answer, create_time=now, expires_at=now + LIFETIME
    )
    return row.key


def make() -> tuple[str, str]:
    """Return a new picture of letters: its key, and the picture as a data URI."""
    if not _counts(CaptchaKind.PICTURE):
        raise OtherKind()
    answer = "".join(secrets.choice(ALPHABET) for _letter in range(LENGTH))
    return _hand_out(CaptchaKind.PICTURE, answer), _data_uri("png", _draw(answer))


def make_slider() -> tuple[str, dict[str, str | int]]:
    """Return a new piece and the background with its holes: the key, and what the client needs to show them."""
    if not _counts(CaptchaKind.SLIDER):
        raise OtherKind()
    drawn = slider.draw()
    shown: dict[str, str | int] = {
        "bgImage": _data_uri("jpeg", drawn.background),
        "sliderImage": _data_uri("png", drawn.piece),
        "bgWidth": slider.WIDTH,
        "bgHeight": slider.HEIGHT,
        "sliderWidth": slider.PIECE,
        "sliderHeight": slider.PIECE,
        "sliderY": drawn.y,
    }
    return _hand_out(CaptchaKind.SLIDER, str(drawn.x)), shown


def _data_uri(kind: str, content: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


def solve(key: str, answer: str) -> bool:
    """Use the captcha up and tell whether the answer was right; of many at once only one gets to try."""
    now = clock.now()
    row = Captcha.objects.filter(key=key, expires_at__gte=now).first()
    if row is None:
        return False
    used, _ = Captcha.objects.filter(pk=row.pk).delete()
    if not used:
        return False
    if not _counts(row.kind):
        return False
    if row.kind == CaptchaKind.SLIDER:
        return now - row.create_time >= FASTEST and _is_near(answer.strip(), int(row.answer))
    return secrets.compare_digest(row.answer.encode(), answer.strip().upper().encode())


def _is_near(answer: str, x: int) -> bool:
    """Return whether the answer is a plain number of pixels close enough to x."""
    whole, _dot, part = answer.partition(".")
    if not answer.isascii() or not whole.isdigit() or (part and not part.isdigit()) or len(answer) > 12:
        return False
    return abs(float(answer.rstrip(".")) - x) <= TOLERANCE
