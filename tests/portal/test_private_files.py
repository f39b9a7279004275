"""Files that the portal stores: only their owner can read them, under each file mode that a machine gives new files.

What `prepare` does with the files of an earlier version: `test_earlier_releases`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from django.conf import settings

STORE = """
import django
django.setup()
from django.conf import settings
from django.core.mail import send_mail
from django.db import connection
from submissions.documents.signing_keys import make_demo_keys
make_demo_keys(settings.KEYS)
send_mail("A subject", "Words.", None, ["someone@example.test"])
connection.cursor().execute("CREATE TABLE secrets (word TEXT)")
"""


def run(var: Path, script: str) -> None:
    """In a process of the portal, on a machine where new files can be read by everyone."""
    environment = {
        **os.environ, "PORTAL_VAR": str(var), "DATABASE_URL": f"sqlite:///{var / 'portal.sqlite3'}"
    }  # fmt: skip
    subprocess.run([sys.executable, "-c", script], cwd=settings.BASE_DIR, check=True, env=environment, umask=0o022)


def modes(var: Path) -> dict[str, int]:
    """Return what the group and all others may do with each file and folder."""
    return {path.relative_to(var).as_posix(): path.stat().st_mode & 0o077 for path in (var, *var.rglob("*"))}


def test_keys_database_and_mail_are_made_for_their_owner_only(tmp_path: Path) -> None:
    run(tmp_path / "var", STORE)
    found = modes(tmp_path / "var")
    assert found.keys() >= {".", "secret-key", "keys/seal.key", "keys/clock.key", "portal.sqlite3", "mail"}
    assert {name: mode for name, mode in found.items() if mode} == {}
