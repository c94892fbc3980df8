"""Every environment variable the server reads: its name, type, default and meaning."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

ROOT = Path(__file__).resolve().parents[2]
CAPTCHA_MODES = ("image", "off")


class BadEnvironment(SystemExit):
    """A variable has a value the server cannot work with; the sentence says which and what to set."""

    def __init__(self, sentence: str):
        super().__init__(f"xunwei: {sentence}")


@dataclass(frozen=True)
class Env:
    """What the environment asks for, checked once at start-up."""

    port: int
    """PORT: where the web server listens."""
    host: str
    """HOST: the address it listens on; loopback unless told otherwise."""
    data_dir: Path
    """DATA_DIR: keys, the SQLite file, uploaded files, the broker's data."""
    database_url: str
    """DATABASE_URL: postgresql://…; empty means SQLite in DATA_DIR."""
    redis_url: str
    """REDIS_URL: broker and cache; empty means that `serve` starts its own."""
    captcha_mode: str
    """CAPTCHA_MODE: image, or off for automatic tests."""
    demo_password: str
    """DEMO_PASSWORD: password of the demo accounts; empty means that one is made up."""
    node_id: int
    """NODE_ID: 0–31, different for each machine that shares a database; part of every new row's id."""
    debug: bool
    """DEBUG: 1 only while developing; never shows data to the outside, only logs more."""
    allowed_hosts: tuple[str, ...]
    """ALLOWED_HOSTS: comma separated names under which the server may be asked for."""
    workers: int
    """WEB_WORKERS: web processes; one is right for SQLite, whose writers queue."""


def read(environ: dict[str, str] | None = None) -> Env:
    """Read and check the environment; raises BadEnvironment with a sentence that says what to change."""
    source = os.environ if environ is None else environ

    def number(name: str, default: int, low: int, high: int) -> int:
        text = source.get(name, "") or str(default)
        if not text.isdigit() or not low <= int(text) <= high:
            raise BadEnvironment(f"{name}={text!r} must be a whole number from {low} to {high}.")
        return int(text)

    captcha = source.get("CAPTCHA_MODE", "") or "image"
    if captcha not in CAPTCHA_MODES:
        raise BadEnvironment(f"CAPTCHA_MODE={captcha!r} must be one of {', '.join(CAPTCHA_MODES)}.")
    database_url = source.get("DATABASE_URL", "")
    if database_url and urlsplit(database_url).scheme not in ("postgres", "postgresql", "sqlite"):
        raise BadEnvironment("DATABASE_URL must begin with postgresql:// (or be empty for SQLite).")
    return Env(
        port=number("PORT", 8000, 1, 65535),
        host=source.get("HOST", "") or "127.0.0.1",
        data_dir=Path(source.get("DATA_DIR", "") or ROOT / "var").resolve(),
        database_url=database_url,
        redis_url=source.get("REDIS_URL", ""),
        captcha_mode=captcha,
        demo_password=source.get("DEMO_PASSWORD", ""),
        node_id=number("NODE_ID", 0, 0, 31),
        debug=source.get("DEBUG", "") == "1",
        allowed_hosts=tuple(h for h in (source.get("ALLOWED_HOSTS", "") or "*").split(",") if h),
        workers=number("WEB_WORKERS", 2 if database_url else 1, 1, 64),
    )


def database(env: Env) -> dict[str, object]:
    """Django's DATABASES entry for the environment: pooled PostgreSQL, or SQLite with immediate transactions."""
    parts = urlsplit(env.database_url)
    if parts.scheme in ("postgres", "postgresql"):
        options: dict[str, object] = dict(parse_qsl(parts.query))
        options["pool"] = {"min_size": 1, "max_size": 8, "timeout": 10}
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path.lstrip("/")),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": parts.hostname or "",
            "PORT": str(parts.port or ""),
            "OPTIONS": options,
        }
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(env.data_dir / "xunwei.sqlite3") if not parts.path else unquote(parts.path),
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            # IMMEDIATE: a writer queues at its first statement instead of failing at its second one.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;"
                "PRAGMA mmap_size=134217728; PRAGMA cache_size=-20000;"
            ),
        },
    }


def secret(data_dir: Path, name: str) -> str:
    """The installation's own random key of that name, made at its first use; only the owner may read the file."""
    path = data_dir / "keys" / name
    try:
        text = path.read_text()
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        text = secrets.token_urlsafe(48)
        temporary = path.with_name(f"{name}.{os.getpid()}.{secrets.token_hex(4)}")
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(text)
        try:
            # Two processes may start at once: the first link wins, and both then read the same key.
            os.link(temporary, path)
        except FileExistsError:
            text = path.read_text()
        finally:
            temporary.unlink()
    if len(text) < 43:
        raise BadEnvironment(f"the key file keys/{name} in DATA_DIR is too short; restore it from a backup.")
    if path.stat().st_mode & 0o077:
        raise BadEnvironment(f"the key file keys/{name} in DATA_DIR can be read by others; run chmod 600 on it.")
    return text
