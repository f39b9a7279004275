"""The files that a person may open, by kind of file, reader and state: the Board opens only what was filed."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from submissions.filings import attachments, drafts, filing
from submissions.models import LayoutFiling, LayoutRevision, LayoutStatus, Person, Submission
from submissions.permissions import attachments_visible_to, drawings_visible_to
from submissions.permissions.read_scope import Visitor
from submissions.review import decisions
from tests.submissions import files
from tests.submissions.example_drafts import answer_all, ready_to_file
from tests.submissions.layout_rows import drawing_row, layout_row, on

CASINO, BOARD = ("preparer", "manager", "reader"), ("analyst", "director")
Readers = dict[str, Visitor]


@pytest.fixture
def readers(
    preparer: Person, manager: Person, reader: Person, stranger: Person, analyst: Person, director: Person,
    other_director: Person,
) -> Readers:  # fmt: skip
    """One of each kind; those who may open nothing are a stranger, a visitor, and people who have left."""
    Person.objects.filter(pk=other_director.pk).update(is_active=False)
    left = Person.objects.create_user("left@east.example.test", name="Left", organization=None, role=manager.role)
    return {
        "preparer": preparer, "manager": manager, "reader": reader, "analyst": analyst, "director": director,
        "stranger": stranger, "visitor": AnonymousUser(), "without an organization": left,
        "former director": Person.objects.get(pk=other_director.pk),
    }  # fmt: skip


def expected(readers: Readers, casino: set[str], board: set[str]) -> dict[str, set[str]]:
    return {name: casino if name in CASINO else board if name in BOARD else set() for name in readers}


def attached(readers: Readers, submission: Submission) -> dict[str, set[str]]:
    """Names of the attachments that each reader may open. The row is read again: it remembers who may read it."""
    rows = {name: Submission.objects.get(pk=submission.pk) for name in readers}
    return {name: {file.name for file in attachments_visible_to(readers[name], rows[name])} for name in readers}


def drawn(readers: Readers, layout: LayoutFiling) -> dict[str, set[str]]:
    """Names of the drawings that each reader may open."""
    return {name: {file.name for file in drawings_visible_to(person, layout)} for name, person in readers.items()}


def test_attachments_are_the_boards_once_they_are_filed(
    readers: Readers, preparer: Person, manager: Person, analyst: Person
) -> None:
    draft = ready_to_file(preparer, "688a")
    first, second = {"house rules.pdf"}, {"house rules.pdf", "better.pdf"}
    assert attached(readers, draft) == expected(readers, first, set())
    filing.file_submission(manager, draft, version=1, attested=True)
    assert attached(readers, draft) == expected(readers, first, first)
    decisions.return_to_licensee(analyst, draft, version=2, reason="The house way is unreadable.")
    assert attached(readers, draft) == expected(readers, first, first)
    draft.refresh_from_db()
    attachments.attach_file(preparer, draft, "house_rules", "better.pdf", files.pdf(Lang="en"))
    assert attached(readers, draft) == expected(readers, second, first)
    answer_all(preparer, draft)
    draft.refresh_from_db()
    filing.file_submission(manager, draft, version=draft.version, attested=True)
    assert attached(readers, draft) == expected(readers, second, second)


def test_attachments_of_a_draft_that_was_withdrawn_are_not_the_boards(
    readers: Readers, preparer: Person, manager: Person
) -> None:
    draft = drafts.start_submission(preparer, "688a")
    attachments.attach_file(preparer, draft, "house_rules", "never filed.pdf", files.pdf(Lang="fr"))
    draft.refresh_from_db()
    filing.withdraw_submission(manager, draft, version=draft.version, reason="A mistake.")
    assert attached(readers, draft) == expected(readers, {"never filed.pdf"}, set())


def test_drawings_are_the_boards_once_they_are_filed(readers: Readers, preparer: Person, manager: Person) -> None:
    draft = ready_to_file(preparer, "688a")
    revision = filing.file_submission(manager, draft, version=1, attested=True)
    layout = layout_row(revision)
    first, second = {"felt-1.svg"}, {"felt-1.svg", "felt-2.svg"}
    assert drawn(readers, layout) == expected(readers, first, first)
    LayoutFiling.objects.update(status=LayoutStatus.DEFICIENT)
    changed = drawing_row(layout, revision)
    assert drawn(readers, layout) == expected(readers, second, first)
    LayoutRevision.objects.create(
        filing=layout, number=2, receipt=f"{layout.number}-R2", revision=revision, place=0, drawing=changed,
        filed_by=manager, filed_at=on("2026-11-03T12:00"),
    )  # fmt: skip
    assert drawn(readers, layout) == expected(readers, second, second)


def test_drawings_of_a_layout_that_was_never_filed_are_not_the_boards(
    readers: Readers, preparer: Person, manager: Person
) -> None:
    draft = ready_to_file(preparer, "688a")
    revision = filing.file_submission(manager, draft, version=1, attested=True)
    layout = LayoutFiling.objects.create(
        number="LF-2026-00009", submission=draft, parts=["layout"], status=LayoutStatus.DRAFT, created_by=manager
    )
    drawing_row(layout, revision)
    assert drawn(readers, layout) == expected(readers, {"felt-1.svg"}, set())
