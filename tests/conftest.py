"""The fixed cast: two people and a reader at one casino, one at another, an analyst, two directors."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connections
from django.test import TransactionTestCase
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from submissions.models import Organization, Person, Role, append_only
from tests import collection, service

PASSWORD = "a long demo passphrase"
collection.begin()

# How fast a loaded machine makes examples says nothing about the code.
hypothesis_settings.register_profile("loaded", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis_settings.load_profile("loaded")


@pytest.hookimpl(tryfirst=True)  # before `-m service` chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what `make test-service` runs; slow tests start first, after the groups, so that both cores end together."""
    for item in items:
        if service.depends_on_services(item):
            item.add_marker(pytest.mark.service)
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_collection_finish() -> None:
    collection.end()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """SQLite does not wait for the disk: the data is thrown away, and no test takes the power from the machine.

    The processes that a test starts do wait, as in service. `setup/services.py` does the same for PostgreSQL.
    """
    options = connections["default"].settings_dict["OPTIONS"]
    if "init_command" in options:
        options["init_command"] = options["init_command"].replace("synchronous=FULL", "synchronous=OFF")


@pytest.fixture
def jobs_travel(settings: LazySettings) -> None:
    """Jobs become due by the clock that a test moves; a database's own clock cannot be moved."""
    settings.JOB_CLOCK = "process"


@pytest.fixture(autouse=True, scope="session")
def _lift_triggers_to_empty_tables() -> Iterator[None]:
    """Append-only tables cannot be emptied, so the triggers step aside while a test's rows are removed."""
    teardown = TransactionTestCase._fixture_teardown

    def lifted(self: TransactionTestCase) -> None:
        append_only.drop(connections["default"])
        try:
            teardown(self)
        finally:
            append_only.create(connections["default"])

    TransactionTestCase._fixture_teardown = lifted
    yield
    TransactionTestCase._fixture_teardown = teardown


@pytest.fixture(autouse=True)
def _quick_passphrases(settings: Any) -> None:
    """Scrypt is slow on purpose; a cast of seven for every test would wait for it minutes in all."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def _no_pages_of_other_tests(settings: Any) -> None:
    """Public pages are shown for some seconds as they were; tests look at them as they are."""
    nothing = {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}
    settings.CACHES = {**settings.CACHES, "pages": nothing}


@pytest.fixture(autouse=True)
def _no_keys_in_the_checkout(settings: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests make their own: those in `var` belong to the portal that a person starts in this checkout.

    What shows a deletion is stored for each test: the next one begins with an empty database.
    """
    settings.KEYS = tmp_path_factory.getbasetemp() / "keys"
    settings.CHECKPOINTS = tmp_path_factory.getbasetemp() / f"checkpoints-{uuid.uuid4()}"


@pytest.fixture(autouse=True)
def _static_files_as_they_are_asked_for(settings: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A portal lists its thousands of static files once, as it starts; here every browser would do so.

    What `manage.py prepare` collected in this checkout or in another test is not what is tested.
    """
    settings.STATIC_ROOT = tmp_path_factory.getbasetemp() / f"static-{uuid.uuid4()}"
    settings.WHITENOISE_AUTOREFRESH = settings.WHITENOISE_USE_FINDERS = True


@pytest.fixture
def casino(db: None) -> Organization:
    return Organization.objects.create(kind="licensee", name="Casino East", slug="east")


@pytest.fixture
def other_casino(db: None) -> Organization:
    return Organization.objects.create(kind="licensee", name="Casino West", slug="west")


@pytest.fixture
def board(db: None) -> Organization:
    return Organization.objects.create(kind="regulator", name="Gaming Control Board", slug="board")


def person(organization: Organization, role: Role, name: str) -> Person:
    email = f"{name.lower().replace(' ', '.')}@{organization.slug}.example.test"
    return Person.objects.create_user(email, PASSWORD, name=name, organization=organization, role=role)


@pytest.fixture
def preparer(casino: Organization) -> Person:
    return person(casino, Role.PREPARER, "Preparer East")


@pytest.fixture
def manager(casino: Organization) -> Person:
    return person(casino, Role.MANAGER, "Manager East")


@pytest.fixture
def reader(casino: Organization) -> Person:
    return person(casino, Role.READER, "Reader East")


@pytest.fixture
def stranger(other_casino: Organization) -> Person:
    """The Table Games Manager of another casino."""
    return person(other_casino, Role.MANAGER, "Manager West")


@pytest.fixture
def analyst(board: Organization) -> Person:
    return person(board, Role.ANALYST, "Analyst One")


@pytest.fixture
def director(board: Organization) -> Person:
    return person(board, Role.DIRECTOR, "Director One")


@pytest.fixture
def other_director(board: Organization) -> Person:
    return person(board, Role.DIRECTOR, "Director Two")
