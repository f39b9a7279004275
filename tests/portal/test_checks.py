"""In service mode the portal refuses what is meant for a demonstration; elsewhere it starts without a setting."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import LazySettings

from portal.checks import service_settings


def codes() -> list[str | None]:
    return [message.id for message in service_settings(None)]


@pytest.fixture
def service(settings: LazySettings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> LazySettings:
    """Settings under which a service may start."""
    monkeypatch.setenv("PORTAL_SECRET_KEY", "s" * 50)
    file = tmp_path / "key"
    file.touch()
    settings.SERVICE, settings.DEMO, settings.EMBEDDED_BROKER, settings.SIMULATION_ROUNDS = True, False, False, 0
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", "django.db.backends.postgresql")
    settings.PUBLIC_URL, settings.ALLOWED_HOSTS = "https://rules.example.test", ["rules.example.test"]
    settings.SIGNING_PKCS12 = settings.SIGNING_PASSPHRASE_FILE = settings.SIGNING_ROOT = str(file)
    settings.SECOND_FACTOR = True
    settings.TIMESTAMP_URL = "https://tsa.example.test"
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    return settings


def test_a_demonstration_needs_nothing(settings: LazySettings) -> None:
    assert not settings.SERVICE
    assert codes() == []


def test_a_service_with_everything_starts(service: LazySettings) -> None:
    assert codes() == []


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
        ("TIMESTAMP_URL", "", "portal.E005"),
        ("DEBUG", True, "portal.E006"),
        ("SECOND_FACTOR", False, "portal.E007"),
        ("DEMO", True, "portal.W001"),
        ("SIMULATION_ROUNDS", 1000, "portal.W002"),
        ("WEBHOOK_PRIVATE", True, "portal.W005"),
    ],
)
def test_a_service_refuses_a_setting_of_the_demonstration(
    service: LazySettings, name: str, value: object, code: str
) -> None:
    setattr(service, name, value)
    assert codes() == [code]


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
