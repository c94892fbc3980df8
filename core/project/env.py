"""Every environment variable the server reads: its name, type, default and meaning."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

ROOT = Path(__file__).resolve().parents[2]
IDLE_SECONDS = 60
"""How long a transaction on PostgreSQL may wait for its next statement."""
CAPTCHA_MODES = ("slider", "image", "off")
LIMITS = {"person": "20/60", "address": "100/1000", "tenant": "100/1000"}


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
    database_owner_url: str
    """DATABASE_OWNER_URL: the same database with the login that owns the tables; empty means that both are one."""
    redis_url: str
    """REDIS_URL: broker and cache; empty means that `serve` starts its own."""
    captcha_mode: str
    """CAPTCHA_MODE: slider, image, or off for automatic tests."""
    demo_password: str
    """DEMO_PASSWORD: password of the demo accounts; empty means that one is made up."""
    node_id: int
    """NODE_ID: 0–31, different for each machine that shares a database; part of every new row's id."""
    debug: bool
    """DEBUG: 1 only while developing; never shows data to the outside, only logs more."""
    allowed_hosts: tuple[str, ...]
    """ALLOWED_HOSTS: comma separated names under which the server may be asked for."""
    trusted_proxies: tuple[str, ...]
    """TRUSTED_PROXIES: comma separated addresses whose X-Forwarded-For and X-Forwarded-Proto are believed."""
    workers: int
    """WEB_WORKERS: web processes; one is right for SQLite, whose writers queue."""
    threads: int
    """WEB_THREADS: calls that a web process works on at once."""
    limits: Mapping[str, tuple[float, int]]
    """LIMIT_PERSON, LIMIT_ADDRESS, LIMIT_TENANT: calls a second and at once, by whom they are counted for."""
    statement_seconds: int
    """STATEMENT_SECONDS: how long one statement may take on PostgreSQL, waiting for locks included; 0: no limit.
    `serve` gives web server and worker each their own, and commands such as `migrate` have none."""
    http_hosts: tuple[str, ...]
    """HTTP_HOSTS: comma separated hosts that processes may call over HTTP; none by default."""
    tenant_budget: int
    """TENANT_BUDGET: messages that the worker delivers for one tenant in a minute; other budgets are parts of it."""


def read(environ: dict[str, str] | None = None) -> Env:
    """Read and check the environment; raises BadEnvironment with a sentence that says what to change."""
    source = os.environ if environ is None else environ

    def number(name: str, default: int, low: int, high: int) -> int:
        text = source.get(name, "") or str(default)
        if not text.isdigit() or not low <= int(text) <= high:
            raise BadEnvironment(f"{name}={text!r} must be a whole number from {low} to {high}.")
        return int(text)

    captcha = source.get("CAPTCHA_MODE", "") or "slider"
    if captcha not in CAPTCHA_MODES:
        raise BadEnvironment(f"CAPTCHA_MODE={captcha!r} must be one of {', '.join(CAPTCHA_MODES)}.")
    database_url = source.get("DATABASE_URL", "")
    if database_url and urlsplit(database_url).scheme not in ("postgres", "postgresql", "sqlite"):
        raise BadEnvironment("DATABASE_URL must begin with postgresql:// (or be empty for SQLite).")
    workers = number("WEB_WORKERS", 2 if database_url else 1, 1, 64)
    limits = {name: _limit(f"LIMIT_{name.upper()}", source, usual) for name, usual in LIMITS.items()}
    owner_url = source.get("DATABASE_OWNER_URL", "")
    if owner_url and not _is_of_same_database(owner_url, database_url):
        raise BadEnvironment("DATABASE_OWNER_URL must name the database of DATABASE_URL, with another login.")
    return Env(
        port=number("PORT", 8000, 1, 65535),
        host=source.get("HOST", "") or "127.0.0.1",
        data_dir=Path(source.get("DATA_DIR", "") or ROOT / "var").resolve(),
        database_url=database_url,
        database_owner_url=owner_url,
        redis_url=source.get("REDIS_URL", ""),
        captcha_mode=captcha,
        demo_password=source.get("DEMO_PASSWORD", ""),
        node_id=number("NODE_ID", 0, 0, 31),
        debug=source.get("DEBUG", "") == "1",
        allowed_hosts=tuple(h for h in (source.get("ALLOWED_HOSTS", "") or "*").split(",") if h),
        trusted_proxies=_addresses(source.get("TRUSTED_PROXIES", "")),
        workers=workers,
        # SQLite has one writer at a time, so there it is threads, few of them.
        threads=number("WEB_THREADS", 4 if workers == 1 and not database_url.startswith("postgres") else 2, 1, 64),
        limits={name: limit for name, limit in limits.items() if limit is not None},
        statement_seconds=number("STATEMENT_SECONDS", 0, 0, 3600),
        http_hosts=_hosts(source.get("HTTP_HOSTS", "")),
        tenant_budget=number("TENANT_BUDGET", 6000, 60, 10_000_000),
    )


def _limit(name: str, source: Mapping[str, str], usual: str) -> tuple[float, int] | None:
    """Read a limit such as 20/60: so many calls a second, and so many at once after a silence; None where it is off."""
    text = source.get(name, "") or usual
    if text == "off":
        return None
    found = re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)/([0-9]{1,6})", text)
    if found is None or not float(found[1]) or not int(found[2]):
        raise BadEnvironment(f"{name}={text!r} must be calls a second and at once, as in {usual}, or off.")
    return float(found[1]), int(found[2])


def _addresses(text: str) -> tuple[str, ...]:
    """IP addresses in their usual spelling, as the web server reports a peer."""
    try:
        return tuple(str(ip_address(part.strip())) for part in text.split(",") if part.strip())
    except ValueError:
        raise BadEnvironment(f"TRUSTED_PROXIES={text!r} must be IP addresses, comma separated.") from None


def _hosts(text: str) -> tuple[str, ...]:
    """Return names and addresses, each with a port where it is not the usual one; IPv6 addresses without."""
    hosts = tuple(part.strip().lower() for part in text.split(",") if part.strip())
    for host in hosts:
        if re.fullmatch(r"[a-z0-9.-]+(:[0-9]{1,5})?|[0-9a-f:.]+", host) is None:
            raise BadEnvironment(f"HTTP_HOSTS={text!r} must be host names or addresses, comma separated.")
    return hosts


def _is_of_same_database(owner_url: str, database_url: str) -> bool:
    """Return whether both are of PostgreSQL, and name one database and two logins."""
    owner, web = urlsplit(owner_url), urlsplit(database_url)
    both_of_postgresql = all(parts.scheme in ("postgres", "postgresql") for parts in (owner, web))
    return both_of_postgresql and owner.path == web.path and owner.username != web.username


def owner(env: Env) -> dict[str, str]:
    """Return what differs in Django's DATABASES entry for the login that owns the tables; nothing where it is one."""
    if not env.database_owner_url:
        return {}
    parts = urlsplit(env.database_owner_url)
    return {
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
    }


def database(env: Env) -> dict[str, object]:
    """Django's DATABASES entry for the environment: pooled PostgreSQL, or SQLite with immediate transactions."""
    parts = urlsplit(env.database_url)
    if parts.scheme in ("postgres", "postgresql"):
        options: dict[str, object] = dict(parse_qsl(parts.query))
        if env.statement_seconds:
            # A transaction that nobody goes on with keeps its locks, and what it has read from being cleaned away.
            limits = {"statement_timeout": env.statement_seconds, "idle_in_transaction_session_timeout": IDLE_SECONDS}
            told = [f"-c {name}={seconds}s" for name, seconds in limits.items()]
            options["options"] = " ".join([*told, str(options.get("options", ""))]).strip()
        # Each thread of a web process has one, and so have those that store its logs and answer for its health.
        options["pool"] = {"min_size": 1, "max_size": max(8, env.threads + 4), "timeout": 10}
        return {
            "ENGINE": "core.database.postgresql",
            "NAME": unquote(parts.path.lstrip("/")),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": parts.hostname or "",
            "PORT": str(parts.port or ""),
            "OPTIONS": options,
        }
    return {
        "ENGINE": "core.database.sqlite3",
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
        for folder in (data_dir, path.parent):  # of folders above, `parents` would not keep the mode
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
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
    _check_key(path, text)
    return text


def former_secret(data_dir: Path, name: str) -> None:
    """Check the key that one was changed for (see `rotatekeys`); it counts for a while yet, so it is kept as well."""
    path = data_dir / "keys" / f"{name}.former"
    if path.exists():
        _check_key(path, path.read_text().partition(" ")[0])


def _check_key(path: Path, text: str) -> None:
    """Refuse a key that is too short, was typed by a person, or can be read by others."""
    name = f"keys/{path.name}"
    if len(text) < 43:
        raise BadEnvironment(f"the key file {name} in DATA_DIR is too short; restore it from a backup.")
    # 43 random characters have about 31 different ones; words and published example keys have fewer than 24.
    if len(set(text)) < 24:
        raise BadEnvironment(f"the key file {name} in DATA_DIR does not look random; restore it from a backup.")
    if path.stat().st_mode & 0o077:
        raise BadEnvironment(f"the key file {name} in DATA_DIR can be read by others; run chmod 600 on it.")
