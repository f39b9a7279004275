"""Settings from the environment, refused loudly where they make no sense; the options of PostgreSQL; private files.

Every setting has a default with which the portal starts; a value that cannot be used stops it with the name, the value
met and what is allowed.

A link to PostgreSQL that went silent is given up after 10 seconds by both ends. The system would wait for hours: the
portal for an answer, the server with the locks of a machine that is gone. A process that does nothing within a
transaction, for example on a frozen machine, loses it after 20 seconds, because others wait for its locks.

Files that the portal makes are its owner's alone: keys, the SQLite database, mail, checkpoints, logs. The settings call
`make_private_folder`, so that it is true of every process that has them: web, workers, sweeper, broker, commands.
"""

import hashlib
import os
import re
import secrets
import tempfile
from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

LOOPBACK = ("localhost", "127.0.0.1", "::1")
LONGEST_SOCKET = 100  # bytes; the system's limit is 107


def _refused(name: str, value: object, allowed: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{name} is {value!r}; allowed: {allowed}.")


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, default)


def flag(name: str, default: bool) -> bool:
    value = os.environ.get(name, "")
    if value in ("", "0", "1"):
        return default if value == "" else value == "1"
    raise _refused(name, value, "1 (yes) or 0 (no)")


def number(name: str, default: int, *, at_least: int = 0) -> int:
    value = os.environ.get(name, str(default))
    if value.isdecimal() and int(value) >= at_least:
        return int(value)
    raise _refused(name, value, f"a whole number, {at_least} or more")


def choice(name: str, default: str, allowed: tuple[str, ...]) -> str:
    """Return one of the allowed words."""
    value = os.environ.get(name, default)
    if value in allowed:
        return value
    raise _refused(name, value, " or ".join(allowed))


def networks(name: str, default: str = "") -> list[IPv4Network | IPv6Network]:
    """Return networks or single addresses, separated by commas."""
    try:
        return [ip_network(word) for word in words(name, default)]
    except ValueError as error:
        raise ImproperlyConfigured(f"{name}: {error}; allowed: networks, such as 10.1.0.0/16,192.0.2.7.") from None


def file_text(name: str) -> str:
    """Return the text of the file that the setting names, such as a secret; "" without the setting."""
    path = os.environ.get(name, "")
    try:
        content = Path(path).read_text().strip() if path else ""
    except (OSError, UnicodeError) as error:
        raise ImproperlyConfigured(f"{name} is {path!r}, which cannot be read ({error}).") from None
    if path and not content:
        raise ImproperlyConfigured(f"{name} is {path!r}, which is empty; write the secret into it.")
    return content


def words(name: str, default: str = "") -> list[str]:
    """Return a list separated by commas."""
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]


def web_address(name: str, given: str | None = None) -> str:
    """Return an https address, or "" where the setting is empty. `given`: a part of the setting."""
    value = os.environ.get(name, "") if given is None else given
    if value and (urlsplit(value).scheme != "https" or not urlsplit(value).hostname):
        raise ImproperlyConfigured(f"{name} has {value!r}; allowed: an address that begins with https://.")
    return value


def links(name: str) -> list[tuple[str, str]]:
    """Return words and https addresses, written “words=address” and separated by commas."""
    pairs = [word.partition("=") for word in words(name)]
    return [(label.strip(), web_address(name, address.strip() or "(none)")) for label, _, address in pairs]


def private_folder(name: str, default: Path) -> Path:
    """Return a folder that only its owner reads; it is made. Refused if files cannot be written there."""
    folder = Path(os.environ.get(name) or default)
    try:
        make_private_folder(folder)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise ImproperlyConfigured(
            f"{name} is {str(folder)!r}, where no file can be written ({error.strerror}); allowed: a folder that this "
            "user may write to, on a disk with free space."
        ) from None
    return folder


def secret(name: str, keep_in: Path) -> str:
    """Return the secret `name`, else one made at first start and kept readable by the owner only."""
    if value := os.environ.get(name):
        return value
    if not keep_in.exists():
        keep_in.parent.mkdir(parents=True, exist_ok=True)
        try:
            with os.fdopen(os.open(keep_in, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(secrets.token_urlsafe(50))
        except FileExistsError:  # another process was faster
            pass
    return keep_in.read_text()


def log_file(name: str) -> str:
    """Return "" for none, "-" for standard output, or a file to append to, made for its owner only."""
    target = os.environ.get(name, "")
    if target in ("", "-"):
        return target
    try:
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
    except OSError as error:
        raise ImproperlyConfigured(
            f"{name} is {target!r}, which cannot be written to ({error.strerror}); allowed: a file in a folder that "
            "exists and that the portal may write to, or - for standard output."
        ) from None
    return target


def socket(path: Path) -> Path:
    """Return `path`, or a short one for it where it is longer than a unix socket's name may be."""
    if len(os.fsencode(path)) <= LONGEST_SOCKET:
        return path
    short = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"portal-{os.getuid()}-{short}.sock"


def database(url: str) -> dict[str, object]:
    """Return Django's database settings from `sqlite:///path` or `postgresql://user:password@host:port/name`."""
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        file = url.removeprefix("sqlite:///")
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": file,
            "OPTIONS": {
                "timeout": 120,  # seconds that a writer waits: for a batch that is done all or not at all
                # A deferred transaction that turns to writing fails at once under load; IMMEDIATE waits.
                "transaction_mode": "IMMEDIATE",
                # REPLACE would delete rows without asking the append-only triggers, were they not recursive.
                # A cache of 64 MiB: SQLite's default of 2 MiB is too small, so that each request reads the file again.
                "init_command": (
                    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA recursive_triggers=ON;"
                    "PRAGMA cache_size=-65536;"
                ),
            },
            "CONN_MAX_AGE": 60,  # opening the file again takes longer than most reads
            # A file, so that the tests' other processes and threads see what is committed.
            "TEST": {"NAME": f"{file}.test"},
        }
    if parts.scheme in ("postgresql", "postgres"):
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": parts.path.lstrip("/"),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": unquote(parts.hostname or ""),
            "PORT": parts.port or "",
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
            "OPTIONS": {**OPTIONS},
        }
    raise _refused("DATABASE_URL", url, "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME")


def agency_provider(issuer: str, client: str, secret_file: str) -> dict[str, object]:
    """Return django-allauth's settings of the agency's OpenID Connect provider; none without an issuer."""
    if not issuer:
        return {}
    parts = urlsplit(issuer)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK):
        raise _refused("PORTAL_OIDC_ISSUER", issuer, "an address with https")
    if not client or not os.access(secret_file, os.R_OK):
        raise ImproperlyConfigured(
            "PORTAL_OIDC_ISSUER is set, but PORTAL_OIDC_CLIENT_ID or PORTAL_OIDC_CLIENT_SECRET_FILE is not, or the "
            f"file {secret_file!r} cannot be read. Set all three as the provider registered this portal."
        )
    app = {
        "provider_id": "agency",
        "name": "Agency account",
        "client_id": client,
        "secret": Path(secret_file).read_text().strip(),
        "settings": {"server_url": issuer, "oauth_pkce_enabled": True},
    }
    return {"openid_connect": {"APPS": [app]}}


class MailServer(NamedTuple):
    host: str = "localhost"
    port: int = 25
    user: str = ""
    password: str = ""
    tls: bool = False  # asked for after the greeting (STARTTLS)
    ssl: bool = False  # from the start


def mail(url: str) -> MailServer:
    """Return the server of `smtp://user:password@host:port?tls=1` or `smtps://user:password@host:port`."""
    try:
        parts = urlsplit(url)
        port, query = parts.port, parse_qs(parts.query, strict_parsing=bool(parts.query))
    except ValueError:
        raise _no_mail_server(url) from None
    tls, ssl = query.pop("tls", ["0"]), parts.scheme == "smtps"
    sensible = parts.scheme in ("smtp", "smtps") and parts.hostname and parts.path in ("", "/")
    whole = bool(parts.username) == bool(parts.password)
    if not (sensible and whole) or query or tls not in (["0"], ["1"]) or (ssl and tls == ["1"]):
        raise _no_mail_server(url)
    usual = 465 if ssl else 587 if tls == ["1"] else 25
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return MailServer(parts.hostname or "", port or usual, user, password, tls == ["1"], ssl)


def _no_mail_server(url: str) -> ImproperlyConfigured:
    shown = re.sub("//.*@", "//…@", url)  # the log is not the place for a password
    return _refused(
        "EMAIL_URL",
        shown,
        "smtp://USER:PASSWORD@HOST:PORT?tls=1 (encrypted after the greeting; without ?tls=1 not at all) or "
        "smtps://USER:PASSWORD@HOST:PORT (encrypted from the start). USER:PASSWORD@ and the port may be left out; a / "
        "or @ in them is written %2F or %40",
    )


GROUP_AND_OTHERS = 0o077  # what the group and everyone else may do


def make_private_folder(folder: Path) -> None:
    """Make the folder for its owner only, and from now on every file of this process and of those that it starts."""
    os.umask(GROUP_AND_OTHERS)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def take_from_others(files: Iterable[Path]) -> list[Path]:
    """Change the files that others may read or write, made by an earlier version or restored from a backup: which."""
    own = (file for file in files if file.is_file() and not file.is_symlink())
    loose = [file for file in own if file.stat().st_mode & GROUP_AND_OTHERS]
    for file in loose:
        file.chmod(file.stat().st_mode & 0o700)
    return loose


def compiled_code(beside_sources: Path, otherwise: Path) -> None:
    """Have compiled mathematics stored where this user may write, if no one said where: `games.compiled` reads it."""
    folder = beside_sources if beside_sources.exists() else beside_sources.parent
    if not os.environ.get("NUMBA_CACHE_DIR") and not os.access(folder, os.W_OK):
        os.environ["NUMBA_CACHE_DIR"] = str(otherwise)


def memory_folder(path: Path) -> Path:
    """Return a place in memory for what is mapped: a process is killed when its file's disk is full."""
    memory = Path("/dev/shm")  # noqa: S108  of Linux; the folder is made for its owner only, or not at all
    if not os.access(memory, os.W_OK | os.X_OK):
        return path
    return memory / f"portal-{os.getuid()}-{hashlib.sha256(os.fsencode(path)).hexdigest()[:16]}"


PREPARED_AFTER = 2  # times that a connection asks the same
READ_COMMITTED = 2  # as psycopg numbers it, which is not installed everywhere
LINK_LOST = 10_000  # milliseconds until what was sent must have arrived
PROBES = (5, 2, 3)  # seconds without traffic until the first probe, and between two; how many without an answer
_SESSION = {  # of the server, for this session
    # Just-in-time compilation pays only for queries of seconds. Ours take milliseconds and are costed too high.
    "jit": "off",
    # A row found by an index costs hardly more than the next row of its table: what is asked often is in memory, or on
    # a disk without moving parts. At the server's own 4 it reads whole tables.
    "random_page_cost": 1.1,
    **dict(zip(("tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count"), PROBES, strict=True)),
    "tcp_user_timeout": LINK_LOST,
    "idle_in_transaction_session_timeout": 20_000,  # milliseconds
}
OPTIONS: dict[str, object] = {
    # The server plans a query once for each connection: planning takes longer than most of its answers.
    "server_side_binding": True,
    "prepare_threshold": PREPARED_AFTER,
    # After waiting for a lock, a transaction must see what the one before wrote, even if the server says no.
    "isolation_level": READ_COMMITTED,
    # A server that cannot be reached is not waited for longer, so that probes answer.
    "connect_timeout": 5,
    **dict(zip(("keepalives_idle", "keepalives_interval", "keepalives_count"), PROBES, strict=True)),
    "tcp_user_timeout": LINK_LOST,
    "options": " ".join(f"-c {name}={value}" for name, value in _SESSION.items()),
}
