"""Encrypts texts that have to be read again, such as the secrets of connection credentials (AES-256-GCM).

The key is a file of this installation (DATA_DIR/keys/credentials), so that the database alone, or a backup of it,
tells nobody the texts. A text is bound to its place: copied to another row, it cannot be read.
"""

from __future__ import annotations

import base64
import hashlib
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

_NONCE = 12


class Unreadable(Exception):
    """The text was encrypted with another key or for another place, or was changed since."""


def encrypt(text: str, place: str) -> str:
    """Return the text encrypted for this place."""
    nonce = secrets.token_bytes(_NONCE)
    return base64.b64encode(nonce + _cipher().encrypt(nonce, text.encode(), place.encode())).decode()


def decrypt(stored: str, place: str) -> str:
    """Return a text that was encrypted for this place. Raises Unreadable."""
    try:
        raw = base64.b64decode(stored, validate=True)
        return _cipher().decrypt(raw[:_NONCE], raw[_NONCE:], place.encode()).decode()
    except (InvalidTag, ValueError):
        raise Unreadable from None


def _cipher() -> AESGCM:
    return AESGCM(hashlib.sha256(settings.CREDENTIAL_KEY.encode()).digest())
