"""A filing from draft to approval: who may, what it leaves behind, and what is refused."""

import hashlib
from collections.abc import Callable
from functools import partial

import pytest
from django.db import DatabaseError, connection, transaction

from games.registry import folders
from submissions import permissions
from submissions.audit.chain import verify_chain
from submissions.core.errors import Conflict, Forbidden, Refusal
from submissions.filings import attachments as uploads
from submissions.filings import drafts, filing
from submissions.filings.review import decisions
from submissions.models import Event, Job, Person, Revision, Simulation, Status, Submission
from tests.games.chapters.examples import example
from tests.submissions import files
from tests.submissions.example_drafts import answer_all, ready_to_file

pytestmark = pytest.mark.service("transactions")


@pytest.fixture
def prepare(preparer: Person) -> Callable[[str], Submission]:
    """A draft of a chapter that nothing blocks."""
    return partial(ready_to_file, preparer)


@pytest.fixture
def filed(prepare: Callable[[str], Submission], manager: Person) -> Submission:
    draft = prepare("687a")
    filing.file_submission(manager, draft, version=1, attested=True)
    draft.refresh_from_db()
    return draft


def pass_simulation(submission: Submission) -> None:
    Simulation.objects.filter(revision__submission=submission).update(passed=True)


@pytest.mark.parametrize("number", folders())
def test_file_freezes_a_revision(prepare: Callable[[str], Submission], manager: Person, number: str) -> None:
    revision = filing.file_submission(manager, prepare(number), version=1, attested=True)
    assert revision.submission.status == Status.FILED
    assert hashlib.sha256(revision.snapshot.encode()).hexdigest() == revision.sha256
    content = revision.content
    assert content["receipt"] == revision.receipt
    assert content["chapter"]["number"] == number
    assert content["configurations"][0]["lines"]
    assert [Job.objects.count(), Simulation.objects.filter(revision=revision).count()] == [1, 1]


def test_file_twice_second_is_told(filed: Submission, manager: Person) -> None:
    with pytest.raises(Conflict) as conflict:
        filing.file_submission(manager, filed, version=1, attested=True)
    assert "Manager East filed it at " in conflict.value.message
    assert Revision.objects.count() == 1


def test_file_with_blocking_findings_refused(preparer: Person, manager: Person) -> None:
    draft = drafts.start_submission(preparer, "687a")
    with pytest.raises(Refusal) as refusal:
        filing.file_submission(manager, draft, version=1, attested=True)
    assert refusal.value.code == "blocking-findings"
    assert all(finding.citation and finding.fix for finding in refusal.value.findings)
    draft.refresh_from_db()
    assert (draft.status, draft.version, Revision.objects.count()) == (Status.DRAFT, 1, 0)


def test_file_without_attestation_refused(prepare: Callable[[str], Submission], manager: Person) -> None:
    with pytest.raises(Refusal) as refusal:
        filing.file_submission(manager, prepare("686a"), version=1, attested=False)
    assert refusal.value.code == "attestation-missing"


def test_file_with_file_of_another_submission_refused(prepare: Callable[[str], Submission], manager: Person) -> None:
    draft = prepare("688a")
    draft.attachments.all().delete()
    with pytest.raises(Refusal) as refusal:
        filing.file_submission(manager, draft, version=1, attested=True)
    assert [finding.rule for finding in refusal.value.findings] == ["688a.attachment-not-held"]


def test_file_by_preparer_forbidden(prepare: Callable[[str], Submission], preparer: Person) -> None:
    with pytest.raises(Forbidden) as refusal:
        filing.file_submission(preparer, prepare("687a"), version=1, attested=True)
    assert "Table Games Manager" in refusal.value.message


def test_answers_frozen_after_filing(filed: Submission, preparer: Person) -> None:
    with pytest.raises(Forbidden):
        drafts.save_answers(preparer, filed, {"adjacent_boxes": 3}, seen={"adjacent_boxes": 2})


def test_recommend_before_evidence_forbidden(filed: Submission, analyst: Person) -> None:
    with pytest.raises(Forbidden) as refusal:
        decisions.recommend_approval(analyst, filed, version=2)
    assert "still running" in refusal.value.message


def test_recommend_what_was_never_tested_forbidden(filed: Submission, analyst: Person) -> None:
    Simulation.objects.all().delete()
    with pytest.raises(Forbidden) as refusal:
        decisions.recommend_approval(analyst, filed, version=filed.version)
    assert refusal.value.message.startswith("This filing has no simulation. Return it")


def test_failed_evidence_forbids_recommendation(filed: Submission, analyst: Person) -> None:
    Simulation.objects.update(passed=False)
    with pytest.raises(Forbidden) as refusal:
        decisions.recommend_approval(analyst, filed, version=2)
    assert "does not agree" in refusal.value.message


def test_approve_own_recommendation_forbidden(filed: Submission, director: Person, other_director: Person) -> None:
    pass_simulation(filed)
    decisions.recommend_approval(director, filed, version=2)
    filed.refresh_from_db()
    with pytest.raises(Forbidden) as refusal:
        decisions.approve_submission(director, filed, version=3, confirmed=True)
    assert "Another person" in refusal.value.message
    decisions.approve_submission(other_director, filed, version=3, confirmed=True)
    filed.refresh_from_db()
    assert filed.status == Status.APPROVED
    assert Job.objects.filter(kind=Job.Kind.DOCUMENT).count() == 1


def test_approve_by_two_directors_second_is_told(
    filed: Submission, analyst: Person, director: Person, other_director: Person
) -> None:
    pass_simulation(filed)
    decisions.recommend_approval(analyst, filed, version=2)
    decisions.approve_submission(director, filed, version=3, confirmed=True)
    with pytest.raises(Conflict):
        decisions.approve_submission(other_director, filed, version=3, confirmed=True)


def test_return_reopens_and_refiles_as_second_revision(
    filed: Submission, analyst: Person, preparer: Person, manager: Person
) -> None:
    decisions.return_to_licensee(analyst, filed, version=2, reason="Which tables use the manual shoe?")
    filed.refresh_from_db()
    drafts.save_answers(
        preparer, filed, {"adjacent_boxes": 3}, seen={"adjacent_boxes": example("687a")["adjacent_boxes"]}
    )
    filed.refresh_from_db()
    answer_all(preparer, filed, "Table 12.")
    revision = filing.file_submission(manager, filed, version=3, attested=True)
    assert revision.number == 2
    assert permissions.visible_to(analyst).filter(pk=filed.pk).count() == 1


def test_return_without_a_question_refused(filed: Submission, analyst: Person) -> None:
    with pytest.raises(Refusal) as refusal:
        decisions.return_to_licensee(analyst, filed, version=2, reason="  ")
    assert refusal.value.code == "question-missing"


def test_visible_to_owner_and_board_only(filed: Submission, reader: Person, stranger: Person, analyst: Person) -> None:
    seen = [permissions.visible_to(person).filter(pk=filed.pk).exists() for person in (reader, analyst, stranger)]
    assert seen == [True, True, False]


def test_draft_invisible_to_board(preparer: Person, analyst: Person) -> None:
    draft = drafts.start_submission(preparer, "686a")
    assert not permissions.visible_to(analyst).filter(pk=draft.pk).exists()


def test_person_without_organization_sees_nothing(filed: Submission, manager: Person) -> None:
    manager.organization = None
    manager.save()
    assert permissions.visible_to(manager).count() == 0


@pytest.mark.parametrize("table", ["submissions_event", "submissions_revision"])
@pytest.mark.parametrize("statement", ["UPDATE {} SET reason_or_attestation = 'x'", "DELETE FROM {}"])
def test_database_refuses_to_change_what_is_written(filed: Submission, table: str, statement: str) -> None:
    column = "reason" if table == "submissions_event" else "attestation"
    sql = statement.format(table).replace("reason_or_attestation", column)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)


def test_history_names_the_first_broken_link(filed: Submission) -> None:
    from submissions.core import append_only

    append_only.drop(connection)
    try:
        Event.objects.filter(sequence=2).update(reason="changed behind the portal's back")
        count, broken = verify_chain()
    finally:
        append_only.create(connection)
    assert (count, broken.sequence) == (1, 2)
    assert "sealed" in broken.problem


@pytest.mark.parametrize(("number", "name"), [("688a", True), ("588", True), ("687a", False)])
def test_snapshot_holds_the_house_way(
    prepare: Callable[[str], Submission], manager: Person, number: str, name: bool
) -> None:
    """The one chosen in 688a, the one that § 588.11(d) lays down, none where the dealer sets nothing."""
    revision = filing.file_submission(manager, prepare(number), version=1, attested=True)
    assert (revision.content["configurations"][0]["house_way"] is not None) is name


def test_changes_not_filed_yet_are_not_the_boards(
    filed: Submission, analyst: Person, preparer: Person, manager: Person
) -> None:
    decisions.return_to_licensee(analyst, filed, version=2, reason="How many boxes?")
    filed.refresh_from_db()
    drafts.save_answers(preparer, filed, {"adjacent_boxes": 3}, seen={"adjacent_boxes": 2})
    verbs = [event.verb for event in permissions.history_visible_to(analyst, filed)]
    assert verbs == ["started", "saved", "filed", "returned"]
    assert permissions.history_visible_to(preparer, filed).last().verb == "saved"
    answer_all(preparer, filed, "Three.")
    filing.file_submission(manager, filed, version=3, attested=True)
    assert [event.verb for event in permissions.history_visible_to(analyst, filed)][-3:] == [
        "saved",
        "answered",
        "filed",
    ]


def test_history_of_another_casino_is_empty(filed: Submission, stranger: Person) -> None:
    assert not permissions.history_visible_to(stranger, filed).exists()


def test_files_not_filed_yet_are_not_the_boards(
    prepare: Callable[[str], Submission], analyst: Person, preparer: Person, manager: Person
) -> None:
    submission = prepare("688a")
    filing.file_submission(manager, submission, version=1, attested=True)
    decisions.return_to_licensee(analyst, submission, version=2, reason="The house way is unreadable.")
    submission.refresh_from_db()
    uploads.attach_file(preparer, submission, "house_rules", "better.pdf", files.pdf(Lang="en"))
    names = [file.name for file in permissions.attachments_visible_to(analyst, submission)]
    assert names == ["house rules.pdf"]
    assert permissions.attachments_visible_to(preparer, submission).count() == 2
