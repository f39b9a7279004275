"""Several people and workers at the same moment: nobody waits for ever, the history stays one chain."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import DatabaseError, connection, transaction

from games.registry import chapter
from submissions.audit.chain import verify_chain
from submissions.audit.record import record_event
from submissions.core.errors import Refusal
from submissions.filings import drafts, filing
from submissions.models import Event, Person, Submission
from submissions.permissions import workflow

pytestmark = pytest.mark.service("locks")

committing = pytest.mark.django_db(transaction=True)


def all_at_once(*works: Callable[[], object]) -> list[BaseException]:
    """What went wrong, each work in a thread and a connection of its own, begun together."""
    begun, wrong = threading.Barrier(len(works)), []

    def one(work: Callable[[], object]) -> None:
        try:
            begun.wait(10)
            work()
        except (DatabaseError, Refusal, threading.BrokenBarrierError) as error:
            wrong.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=one, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return wrong


@committing
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer")
def test_worker_and_person_do_not_wait_for_each_other(preparer: Person) -> None:
    """The worker has the history and refers to the submission; the person has the submission and wants the history."""
    draft = drafts.start_submission(preparer, "687a")
    both_hold = threading.Barrier(2)

    def worker() -> None:
        with transaction.atomic():
            record_event(None, draft, "simulated")
            both_hold.wait(10)

    def person() -> None:
        with transaction.atomic():
            held = workflow.lock_row(draft)
            both_hold.wait(10)
            record_event(preparer, held, "saved")

    assert all_at_once(worker, person) == []
    assert verify_chain() == (3, None)


@committing
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer")
def test_history_stays_one_chain_whatever_isolation_the_server_prefers(preparer: Person) -> None:
    draft = drafts.start_submission(preparer, "687a")
    with connection.cursor() as cursor:
        cursor.execute("ALTER ROLE CURRENT_USER SET default_transaction_isolation = 'repeatable read'")
    try:

        def write() -> None:
            for _ in range(5):
                with transaction.atomic():
                    Submission.objects.count()  # a snapshot taken before the turn to write comes
                    record_event(preparer, draft, "saved")

        assert all_at_once(*[write] * 4) == []
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER ROLE CURRENT_USER RESET default_transaction_isolation")
    assert verify_chain() == (21, None)


@committing
def test_two_people_saving_different_lines_lose_nothing(preparer: Person, manager: Person) -> None:
    draft = drafts.start_submission(preparer, "687a")
    first, second = [option.key for option in chapter("687a").options if option.kind != "attachment"][:2]
    texts = [{first: "one"}, {second: "two"}]
    people = (preparer, manager)
    works = [
        lambda person=person, text=text: drafts.save_answers(person, draft, text, seen={})
        for person, text in zip(people, texts, strict=True)
    ]
    assert all_at_once(*works) == []
    assert draft.configurations.get().answers == {first: "one", second: "two"}


@committing
def test_two_people_withdrawing_one_is_told(preparer: Person, manager: Person) -> None:
    draft = drafts.start_submission(preparer, "687a")
    works = [lambda: filing.withdraw_submission(manager, draft, version=1, reason="Not offered.")] * 2
    assert [getattr(error, "code", error) for error in all_at_once(*works)] == ["changed-meanwhile"]
    assert Event.objects.filter(verb="withdrew").count() == 1


@pytest.mark.django_db
def test_rows_replaced_in_place_are_refused_too(preparer: Person) -> None:
    """SQLite's REPLACE deletes without asking the triggers, unless it is told to."""
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL has no REPLACE")
    drafts.start_submission(preparer, "687a")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("INSERT OR REPLACE INTO submissions_event SELECT * FROM submissions_event")
