"""The fixed cast: two people and a reader at one casino, one at another, an analyst, two directors."""

from __future__ import annotations

import fcntl
import gc
import shutil
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import time_machine
from django.conf import LazySettings, settings
from django.db import connections, transaction
from django.db.models.signals import pre_save
from django.dispatch import receiver
from django.test import TransactionTestCase, override_settings
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from pytest_django import DjangoDbBlocker

from submissions.core import append_only
from submissions.documents.signing_keys import make_demo_keys
from submissions.models import Organization, Person, Simulation
from tests import cast, collection, database_template, service

collection.begin()

HERE = Path(__file__).parent
SEED = 36
STANDING = {"django_content_type", "auth_permission"}  # rows of the migrations, which no test writes

# How fast a loaded machine makes examples says nothing about the code.
hypothesis_settings.register_profile("loaded", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis_settings.load_profile("loaded")


@receiver(pre_save, sender=Simulation)
def deal_the_same_rounds_again(instance: Simulation, **_: object) -> None:
    """Give each new run a seed that does not change: one of thirty runs is suspected by chance, and dealt again.

    The seed of a filing follows from its digest, and so from the time of the test.
    """
    if instance.pk is None:
        instance.seed = SEED + instance.configuration


@pytest.hookimpl(tryfirst=True)  # before `-m service` chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what `make test-service` runs, and let one process run a module: what it builds once is built once.

    Modules that start portals are first, since each of their groups takes longest and waits most; then groups of
    modules and modules with slow tests, so that all processes end together. Tests in a browser build nothing for their
    module: each goes to the process that is free.
    """
    portals = {item.path for item in items if item.get_closest_marker("processes")}
    first = {item.path for item in items if item.get_closest_marker("slow") or item.get_closest_marker("xdist_group")}
    items.sort(key=lambda item: (item.path not in portals, item.path not in first))
    for item in items:
        if service.depends_on_services(item):
            item.add_marker(pytest.mark.service)
        if not item.get_closest_marker("xdist_group") and not item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.xdist_group(str(item.path.relative_to(HERE))))


def pytest_collection_finish() -> None:
    """Keep the tests and all modules from the garbage collector, as the web's processes do with what they load."""
    collection.end()
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    django_test_environment: None,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[None]:
    """Give each process its copy of a database that the first one migrates, or has of an earlier run.

    SQLite does not wait for the disk: the data is thrown away, and no test takes the power from the machine. The
    processes that a test starts do wait, as in service. `setup/services.py` does the same for PostgreSQL.
    """
    connection, base = connections["default"], tmp_path_factory.getbasetemp()
    process = getattr(request.config, "workerinput", {}).get("workerid", "")
    run = base.parent if process else base  # what all processes of this run have in common
    given = connection.settings_dict
    if connection.vendor == "sqlite":
        given["TEST"]["NAME"] = str(run / "portal.sqlite3")
        given["OPTIONS"]["init_command"] = given["OPTIONS"]["init_command"].replace("=FULL", "=OFF")
    with django_db_blocker.unblock():
        with (run / "database.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (run / "migrated").exists():
                (run / "migrated").write_text(database_template.create_test_database(connection, request.config))
            given["NAME"] = (run / "migrated").read_text()
            connection.close()
            connection.creation.clone_test_db(process or "own", verbosity=0, autoclobber=True)
        given["NAME"] = connection.creation.get_test_db_clone_settings(process or "own")["NAME"]
        yield
        connections.close_all()


@pytest.fixture(scope="module")
def module_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Keep for all tests of a module what its other module-wide fixtures write. Each test is a savepoint inside it.

    Not for tests that commit (`django_db(transaction=True)`).
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def jobs_travel(settings: LazySettings) -> None:
    """Jobs become due by the clock that a test moves; a database's own clock cannot be moved."""
    settings.JOB_CLOCK = "process"


@pytest.fixture(autouse=True, scope="session")
def _delete_rows_after_tests_that_commit() -> Iterator[None]:
    """Empty the tables that have rows. Django empties all of them, then writes content types and permissions again."""
    teardown = TransactionTestCase._fixture_teardown
    TransactionTestCase._fixture_teardown = lambda self: _delete_rows()
    yield
    TransactionTestCase._fixture_teardown = teardown


def _delete_rows() -> None:
    """Append-only tables cannot be emptied, so the triggers of those that have rows step aside."""
    connection = connections["default"]
    with connection.cursor() as cursor:
        tables = set(connection.introspection.django_table_names(only_existing=True, include_views=False)) - STANDING
        has_rows = " UNION ALL ".join(f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {table})" for table in tables)  # noqa: S608
        cursor.execute(has_rows)
        filled = [table for (table,) in cursor.fetchall()]
    locked = tuple(table for table in append_only.TABLES if table in filled)
    append_only.drop(connection, locked)
    try:
        with transaction.atomic(), connection.cursor() as cursor:  # foreign keys are checked at its end
            for table in filled:
                cursor.execute(f"DELETE FROM {table}")  # noqa: S608
    finally:
        append_only.create(connection, locked)


@pytest.fixture(scope="session")
def key_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the demo keys. Tests sign on days of 2026, whatever day it is: the keys are older."""
    folder = tmp_path_factory.getbasetemp() / "keys"
    with time_machine.travel(datetime(2026, 1, 1, tzinfo=UTC)):
        make_demo_keys(folder)
    return folder


@pytest.fixture(autouse=True, scope="session")
def _settings_of_tests(key_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Settings that differ from service in every test, and while a world for many tests is built."""
    nothing = {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}
    base = tmp_path_factory.getbasetemp()
    with override_settings(
        # Scrypt is slow on purpose; a cast of seven for every test would wait for it minutes in all.
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        # Steps of the app's clock: a code may run out between its making and its use.
        MFA_TOTP_TOLERANCE=1,
        # Public pages are shown for some seconds as they were; tests look at them as they are.
        CACHES={**settings.CACHES, "pages": nothing},
        # Tests make their own: those in `var` belong to the portal that a person starts in this checkout.
        KEYS=key_folder,
        CHECKPOINTS=base / "checkpoints",
        # A portal lists its thousands of static files once, as it starts; here every browser would do so. What
        # `manage.py prepare` collected in this checkout or in another test is not what is tested.
        STATIC_ROOT=base / f"static-{uuid.uuid4()}",
        WHITENOISE_AUTOREFRESH=True,
        WHITENOISE_USE_FINDERS=True,
    ):
        yield


@pytest.fixture(autouse=True)
def _no_checkpoints_yet(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Delete the copies of checkpoints that the test before stored: this one begins with an empty database."""
    shutil.rmtree(tmp_path_factory.getbasetemp() / "checkpoints", ignore_errors=True)


@pytest.fixture
def casino(db: None) -> Organization:
    return cast.casino()


@pytest.fixture
def other_casino(db: None) -> Organization:
    return cast.other_casino()


@pytest.fixture
def board(db: None) -> Organization:
    return cast.board()


@pytest.fixture
def preparer(db: None) -> Person:
    return cast.preparer()


@pytest.fixture
def manager(db: None) -> Person:
    return cast.manager()


@pytest.fixture
def reader(db: None) -> Person:
    return cast.reader()


@pytest.fixture
def stranger(db: None) -> Person:
    return cast.stranger()


@pytest.fixture
def analyst(db: None) -> Person:
    return cast.analyst()


@pytest.fixture
def director(db: None) -> Person:
    return cast.director()


@pytest.fixture
def other_director(db: None) -> Person:
    return cast.other_director()
