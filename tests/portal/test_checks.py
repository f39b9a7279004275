"""In service mode the portal refuses what is meant for a demonstration; elsewhere it starts without a setting."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import LazySettings, settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command, get_commands, load_command_class

from portal.checks import SERVICE_TAG, TAG, service_settings
from submissions.documents.signing_keys import load_seal, root_file
from tests.submissions.seal_authority import Authority, Issued


def codes() -> list[str | None]:
    return [message.id for message in service_settings(None)]


@pytest.fixture(scope="module")
def authority() -> Authority:
    return Authority()


@pytest.fixture
def service(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, authority: Authority
) -> LazySettings:
    """Settings under which a service may start."""
    monkeypatch.setenv("PORTAL_SECRET_KEY", "s" * 50)
    for name, value in authority.write(tmp_path, authority.seal, [authority.past, authority.seal]).items():
        setattr(settings, name.removeprefix("PORTAL_"), value)
    settings.SERVICE, settings.DEMO, settings.EMBEDDED_BROKER, settings.SIMULATION_ROUNDS = True, False, False, 0
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", "django.db.backends.postgresql")
    settings.PUBLIC_URL, settings.ALLOWED_HOSTS = "https://rules.example.test", ["rules.example.test"]
    settings.ALLOW_MISSING_TEXT = False
    settings.SECOND_FACTOR = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    return settings


def test_a_demonstration_needs_nothing(settings: LazySettings) -> None:
    assert not settings.SERVICE
    assert codes() == []


def test_a_service_with_everything_starts(service: LazySettings) -> None:
    assert codes() == []


def test_a_machine_that_only_serves_pages_needs_no_seal(service: LazySettings) -> None:
    service.SIGNS = False
    service.SIGNING_PKCS12 = service.SIGNING_PASSPHRASE_FILE = service.TIMESTAMP_URL = ""
    assert codes() == []
    assert root_file() == Path(service.SIGNING_ROOT)  # by which it verifies
    with pytest.raises(ImproperlyConfigured, match="PORTAL_SIGNS is 0"):
        load_seal()
    with pytest.raises(CommandError, match="serve --only web"):
        call_command("serve", only="worker", skip_checks=True)
    service.SIGNING_ROOT = ""
    assert codes() == ["portal.E005"]


@pytest.mark.parametrize("key", ["", "short"])
def test_a_service_needs_a_secret_of_its_own(service: LazySettings, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv("PORTAL_SECRET_KEY", key)
    assert codes() == ["portal.E001"]


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("EMBEDDED_BROKER", True, "portal.E003"),
        ("PUBLIC_URL", "http://rules.example.test", "portal.E004"),
        ("ALLOWED_HOSTS", ["elsewhere.example.test"], "portal.E004"),
        ("SIGNING_PKCS12", "", "portal.E005"),
        ("SIGNING_ROOT", "/no/such/file", "portal.E005"),
        ("SIGNING_SEALS", "", "portal.E005"),
        ("TIMESTAMP_URL", "", "portal.E005"),
        ("DEBUG", True, "portal.E006"),
        ("SECOND_FACTOR", False, "portal.E007"),
        ("DEMO", True, "portal.W001"),
        ("SIMULATION_ROUNDS", 1000, "portal.W002"),
        ("WEBHOOK_PRIVATE", True, "portal.W005"),
        ("ALLOW_MISSING_TEXT", True, "portal.W007"),
    ],
)
def test_a_service_refuses_a_setting_of_the_demonstration(
    service: LazySettings, name: str, value: object, code: str
) -> None:
    setattr(service, name, value)
    assert codes() == [code]


@pytest.mark.parametrize(
    ("name", "value", "code"), [("SIGNING_PKCS12", "", "portal.E005"), ("SECOND_FACTOR", False, "portal.E007")]
)
def test_a_service_for_practice_needs_keys_and_a_second_factor_too(
    service: LazySettings, name: str, value: object, code: str
) -> None:
    service.DEMO = True
    setattr(service, name, value)
    assert codes() == [code, "portal.W001"]


def test_a_service_signs_only_with_a_seal_of_its_list(
    service: LazySettings, authority: Authority, tmp_path: Path
) -> None:
    def refused(seal: Issued, *seals: Issued) -> list[str]:
        """What is wrong with a PKCS#12 of this certificate and a list of those."""
        for name, value in authority.write(tmp_path / "other", seal, seals).items():
            setattr(service, name.removeprefix("PORTAL_"), value)
        messages = service_settings(None)
        assert {message.id for message in messages} == {"portal.E008"}
        return [message.msg for message in messages]

    assert "is not a seal certificate of this portal" in refused(authority.customer, authority.seal)[0]
    assert "is made for timestamps" in refused(authority.clock, authority.clock)[0]
    assert "is not a PEM file of certificates" in refused(authority.seal)[0]
    Path(service.SIGNING_PASSPHRASE_FILE).write_bytes(b"another")
    assert "cannot be opened with its passphrase" in service_settings(None)[0].msg


def test_every_command_of_ours_asks_for_the_checks_of_a_service() -> None:
    """But those that anyone may use anywhere: one refuses demo keys by itself, the others need nothing of a portal."""
    commands = [name for name, package in get_commands().items() if package == "portal"]
    assert len(commands) == len(list((settings.BASE_DIR / "portal/management/commands").glob("[a-z]*.py")))
    asked = {name: load_command_class("portal", name).requires_system_checks for name in commands}
    unchecked = [name for name, tags in asked.items() if not {TAG, SERVICE_TAG} & set(tags)]
    assert sorted(unchecked) == ["compare_openapi", "verify_document"]


PROCESSES = {
    "web": ("-m", "portal.processes.web", "127.0.0.1", "0"),
    "worker": ("-m", "celery", "--app", "portal.celery", "worker"),
    "sweeper": ("manage.py", "sweep"),
    "command": ("manage.py", "run_again"),
}


@pytest.mark.parametrize("process", PROCESSES)
def test_no_process_of_a_service_starts_without_its_settings(process: str, tmp_path: Path) -> None:
    """With a secret and the demonstration's permission: neither helps."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PORTAL_SIGNING", "REDIS_URL"))}
    service = {"PORTAL_SERVICE": "1", "PORTAL_DEMO": "1", "PORTAL_SECOND_FACTOR": "0", "PORTAL_SECRET_KEY": "s" * 50}
    service["CELERY_SKIP_CHECKS"] = "1"  # of Django's checks; the portal's own are not among what Celery skips
    started = subprocess.run(
        [sys.executable, *PROCESSES[process]],
        cwd=settings.BASE_DIR,
        env={**clean, **service, "PORTAL_VAR": str(tmp_path / "var")},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert started.returncode not in (0, None)
    for code in ("portal.E002", "portal.E003", "portal.E005", "portal.E007"):
        assert code in started.stderr
    assert "PORTAL_SIGNING_PKCS12" in started.stderr
    assert not (tmp_path / "var" / "keys").exists()


def test_a_service_needs_postgresql(service: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(service.DATABASES["default"], "ENGINE", "django.db.backends.sqlite3")
    assert codes() == ["portal.E002"]


def test_every_refusal_names_its_remedy(settings: LazySettings) -> None:
    settings.SERVICE = True
    assert all(message.hint for message in service_settings(None))


@pytest.mark.parametrize("host", ["*", ".example.test"])
def test_a_service_for_any_host_does_not_start(service: LazySettings, host: str) -> None:
    service.ALLOWED_HOSTS = ["rules.example.test", host]
    assert codes() == ["portal.E004"]


def test_a_service_that_mails_to_its_log_is_warned(service: LazySettings) -> None:
    service.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    assert codes() == ["portal.W003"]


def test_a_service_that_mails_in_the_open_is_warned(service: LazySettings) -> None:
    service.EMAIL_HOST = "mx.example.test"
    assert codes() == ["portal.W004"]
    service.EMAIL_USE_TLS = True
    assert codes() == []
