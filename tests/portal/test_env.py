"""Settings that make no sense stop the portal with the name, the value met and what is allowed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from portal import env


@pytest.mark.parametrize("value", ["yes", "true", "2"])
def test_flag_refuses_what_is_neither_yes_nor_no(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("PORTAL_DEMO", value)
    with pytest.raises(ImproperlyConfigured, match=f"PORTAL_DEMO is '{value}'; allowed: 1"):
        env.flag("PORTAL_DEMO", default=True)


@pytest.mark.parametrize("value", ["0", "-1", "two", "1.5"])
def test_number_refuses_what_is_too_small_or_no_number(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("PORTAL_WORKERS", value)
    with pytest.raises(ImproperlyConfigured, match="whole number, 1 or more"):
        env.number("PORTAL_WORKERS", 2, at_least=1)


def test_folder_that_cannot_be_written_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    folder = tmp_path / "file/var"
    checked = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=settings.BASE_DIR,
        env={**os.environ, "PORTAL_VAR": str(folder)},
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 1
    assert checked.stderr.startswith(f"The portal cannot start. PORTAL_VAR is '{folder}', where no file can be written")
    assert len(checked.stderr.splitlines()) == 1


def test_secret_is_made_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "secret"
    first = env.secret("PORTAL_NO_SUCH_SETTING", file)
    assert first == env.secret("PORTAL_NO_SUCH_SETTING", file)
    assert len(first) > 40
    assert file.stat().st_mode & 0o777 == 0o600


def test_socket_is_short_enough_for_the_system(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 120) / "broker.sock"
    assert env.socket(Path("/var/portal/broker.sock")) == Path("/var/portal/broker.sock")
    assert len(str(env.socket(deep))) <= env.LONGEST_SOCKET
    assert env.socket(deep) != env.socket(deep.with_name("other.sock"))


def test_database_reads_both_kinds_of_address() -> None:
    assert env.database("sqlite:////srv/portal.sqlite3")["NAME"] == "/srv/portal.sqlite3"
    service = env.database("postgresql://rules:p%40ss@db.example.test:5433/portal")
    assert (service["USER"], service["PASSWORD"], service["PORT"]) == ("rules", "p@ss", 5433)
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL is 'mysql://x'"):
        env.database("mysql://x")


def test_mail_reads_both_kinds_of_server() -> None:
    assert env.mail("smtp://localhost") == ("localhost", 25, "", "", False, False)
    assert env.mail("smtp://rules:p%40ss@mx.example.test?tls=1") == (
        "mx.example.test",
        587,
        "rules",
        "p@ss",
        True,
        False,
    )
    assert env.mail("smtps://rules:p@mx.example.test:4465") == ("mx.example.test", 4465, "rules", "p", False, True)


@pytest.mark.parametrize(
    "url",
    [
        "mx.example.test",
        "http://mx.example.test",
        "smtp://",
        "smtp://mx.example.test:port",
        "smtp://mx.example.test?tls=yes",
        "smtp://mx.example.test?ssl=1",
        "smtps://mx.example.test?tls=1",
        "smtp://[mx.example.test",
        "smtp://rules@mx.example.test",
    ],
)
def test_mail_refuses_what_names_no_server(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"EMAIL_URL is .*allowed: smtp://USER:PASSWORD@HOST"):
        env.mail(url)


@pytest.mark.parametrize("password", ["hush", "hu/sh", "hu#sh", "hu@sh"])
def test_mail_does_not_tell_the_password(password: str) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        env.mail(f"smtp://rules:{password}@mx.example.test:0x25")
    assert "hu" not in str(refused.value)
