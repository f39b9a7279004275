"""The files that a person may open, by kind of file, its state and reader: the Board opens only what was filed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from submissions.filings import attachments, drafts, filing
from submissions.filings.review import decisions
from submissions.models import (
    Attachment,
    Computation,
    Document,
    Job,
    LayoutDrawing,
    LayoutFiling,
    LayoutRevision,
    LayoutStatus,
    Organization,
    Paper,
    Person,
    Revision,
    Role,
    StoredFile,
    Submission,
)
from submissions.permissions import (
    attachments_visible_to,
    drawings_visible_to,
    exports_visible_to,
    orders_visible_to,
    papers_visible_to,
    visible_to,
)
from submissions.permissions.visible import Visitor
from tests import cast
from tests.submissions import files, filing_rows
from tests.submissions.example_drafts import answer_all, ready_to_file
from tests.submissions.layout_rows import drawing_row, layout_row, on
from tests.submissions.orders.orders import waiver

pytestmark = pytest.mark.service("queries")

CASINO, BOARD = {"preparer", "manager", "reader"}, {"analyst", "director"}
OTHERS, SANDBOXES = {"manager of another casino"}, {"manager of the casino's sandbox", "analyst of the Board's sandbox"}
LEFT = {"former preparer", "former director", "person without an organization"}
EVERYONE = CASINO | BOARD | OTHERS | SANDBOXES | LEFT | {"visitor"}

OPENED_BY: dict[tuple[str, str], set[str]] = {
    ("attachment", "draft"): CASINO,
    ("attachment", "filed"): CASINO | BOARD,
    ("attachment", "filed and returned"): CASINO | BOARD,
    ("attachment", "filed, replaced after the return"): CASINO | BOARD,
    ("attachment", "attached after the return"): CASINO,
    ("attachment", "attached after the return, filed"): CASINO | BOARD,
    ("attachment", "withdrawn, never filed"): CASINO,
    ("drawing", "draft"): CASINO,
    ("drawing", "withdrawn, never filed"): CASINO,
    ("drawing", "filed"): CASINO | BOARD,
    ("drawing", "filed and found deficient"): CASINO | BOARD,
    ("drawing", "uploaded after the notice"): CASINO,
    ("drawing", "uploaded after the notice, filed"): CASINO | BOARD,
    ("signed paper", "approved"): EVERYONE,
    ("signed document", "approved"): CASINO | BOARD,  # on its submission's page; everyone opens it by its digest
    ("signed document", "approved in a sandbox"): SANDBOXES,
    ("document of an order", "for the casino"): CASINO | BOARD,
    ("document of an order", "for another casino"): OTHERS | BOARD,
    ("document of an order", "for every licensee"): CASINO | OTHERS | BOARD | SANDBOXES,
    ("export", "requested by the preparer"): {"preparer"},
    ("export", "requested by a person who left"): set(),
}
Opened = dict[tuple[str, str], set[str]]
Readers = dict[str, Visitor]


def make_readers() -> Readers:
    """One of each kind."""
    east, board = (
        Organization.objects.create(kind=own.kind, name=f"{own.name}, test", slug=f"{own.slug}-test", sandbox_of=own)
        for own in (cast.casino(), cast.board())
    )
    return {
        "preparer": cast.preparer(), "manager": cast.manager(), "reader": cast.reader(),
        "analyst": cast.analyst(), "director": cast.director(),
        "manager of another casino": cast.stranger(),
        "manager of the casino's sandbox": cast.person(east, Role.MANAGER, "Tester East"),
        "analyst of the Board's sandbox": cast.person(board, Role.ANALYST, "Tester Board"),
        "former preparer": former(Role.PREPARER, cast.casino()),
        "former director": former(Role.DIRECTOR, cast.board()),
        "person without an organization": former(Role.MANAGER, None),
        "visitor": AnonymousUser(),
    }  # fmt: skip


def former(role: Role, organization: Organization | None) -> Person:
    """An account that was deactivated, or is of no organization."""
    is_active = organization is None
    return Person.objects.create_user(
        f"{role}@left.example.test", name="Left", organization=organization, role=role, is_active=is_active
    )


def who_opens(readers: Readers, visible: Callable[[Visitor], QuerySet[Any]], **file: Any) -> set[str]:
    return {name for name, person in readers.items() if visible(person).filter(**file).exists()}


def who_opens_attachment(readers: Readers, submission: Submission, name: str) -> set[str]:
    """Read the submission again for each reader: the row remembers who may read it."""
    rows = Submission.objects.filter(pk=submission.pk)
    return who_opens(readers, lambda person: attachments_visible_to(person, rows.get()), name=name)


def attachments_opened(readers: Readers) -> dict[str, set[str]]:
    """Of one submission on its way, by state."""
    preparer, manager, opened, first = cast.preparer(), cast.manager(), {}, "house rules.pdf"
    draft = ready_to_file(preparer, "688a")
    opened["draft"] = who_opens_attachment(readers, draft, first)
    filing.file_submission(manager, draft, version=1, attested=True)
    opened["filed"] = who_opens_attachment(readers, draft, first)
    decisions.return_to_licensee(cast.analyst(), draft, version=2, reason="The house way is unreadable.")
    opened["filed and returned"] = who_opens_attachment(readers, draft, first)
    draft.refresh_from_db()
    attachments.attach_file(preparer, draft, "house_rules", "better.pdf", files.pdf(Lang="en"))
    opened["filed, replaced after the return"] = who_opens_attachment(readers, draft, first)
    opened["attached after the return"] = who_opens_attachment(readers, draft, "better.pdf")
    answer_all(preparer, draft)
    draft.refresh_from_db()
    filing.file_submission(manager, draft, version=draft.version, attested=True)
    opened["attached after the return, filed"] = who_opens_attachment(readers, draft, "better.pdf")
    return opened


def withdrawn_attachment_opened(readers: Readers) -> set[str]:
    draft = drafts.start_submission(cast.preparer(), "688a")
    attachments.attach_file(cast.preparer(), draft, "house_rules", "never filed.pdf", files.pdf(Lang="fr"))
    draft.refresh_from_db()
    filing.withdraw_submission(cast.manager(), draft, version=draft.version, reason="A mistake.")
    return who_opens_attachment(readers, draft, "never filed.pdf")


def who_opens_drawing(readers: Readers, layout: LayoutFiling, name: str) -> set[str]:
    return who_opens(readers, lambda person: drawings_visible_to(person, layout), name=name)


def drawings_opened(readers: Readers, revision: Revision) -> dict[str, set[str]]:
    """Of one layout filing on its way, by state."""
    opened = {}
    layout = layout_row(revision)
    opened["filed"] = who_opens_drawing(readers, layout, "felt-1.svg")
    LayoutFiling.objects.filter(pk=layout.pk).update(status=LayoutStatus.DEFICIENT)
    changed = drawing_row(layout, revision)
    opened["filed and found deficient"] = who_opens_drawing(readers, layout, "felt-1.svg")
    opened["uploaded after the notice"] = who_opens_drawing(readers, layout, "felt-2.svg")
    LayoutRevision.objects.create(
        filing=layout, number=2, receipt=f"{layout.number}-R2", revision=revision, place=0, drawing=changed,
        filed_by=revision.filed_by, filed_at=on("2026-11-03T12:00"),
    )  # fmt: skip
    opened["uploaded after the notice, filed"] = who_opens_drawing(readers, layout, "felt-2.svg")
    return opened


def unfiled_drawing_opened(readers: Readers, revision: Revision, status: LayoutStatus) -> set[str]:
    number = f"LF-2026-{LayoutFiling.objects.count() + 1:05}"
    layout = LayoutFiling.objects.create(
        number=number, submission=revision.submission, parts=["layout"], status=status, created_by=revision.filed_by
    )
    drawing_row(layout, revision)
    return who_opens_drawing(readers, layout, "felt-1.svg")


def signed_opened(readers: Readers, revision: Revision) -> Opened:
    sealed = {
        "unsigned_sha256": "1" * 64, "signed": StoredFile.keep(b"%PDF-", "application/pdf"), "pages": 1,
        "signer": "Demo Seal", "signed_at": timezone.now(), "verification": {}, "demo": True,
    }  # fmt: skip
    layout = layout_row(revision)
    paper = Paper.objects.create(layout_revision=layout.revisions.get(), part="sign", **sealed)
    opened = {("signed paper", "approved"): who_opens(readers, papers_visible_to, pk=paper.pk)}
    tested = filing_rows.filing(readers["manager of the casino's sandbox"])
    for state, row in (("approved", revision), ("approved in a sandbox", tested)):
        Document.objects.create(revision=row, **sealed)
        opened["signed document", state] = who_opens(readers, visible_to, revisions__document__revision=row)
    return opened


def others_opened(readers: Readers) -> Opened:
    """Files that belong to no submission: an order is read with its document."""
    opened: Opened = {}
    for state, licensee in (("for the casino", "east"), ("for another casino", "west"), ("for every licensee", "")):
        order = waiver(cast.director(), licensee=licensee)
        opened["document of an order", state] = who_opens(readers, orders_visible_to, pk=order.pk)
    for name, state in (
        ("preparer", "requested by the preparer"),
        ("former preparer", "requested by a person who left"),
    ):
        export = Computation.objects.create(kind=Job.Kind.EXPORT, key=name, arguments={"person": readers[name].pk})
        opened["export", state] = who_opens(readers, exports_visible_to, pk=export.pk)
    return opened


@pytest.fixture(scope="module")
def opened(module_rows: None) -> Opened:
    """Who opens each file, found while the files come into their states."""
    readers, revision = make_readers(), filing_rows.filing(cast.manager())
    assert readers.keys() == EVERYONE
    attached, drawn = attachments_opened(readers), drawings_opened(readers, revision)
    attached["withdrawn, never filed"] = withdrawn_attachment_opened(readers)
    drawn["draft"] = unfiled_drawing_opened(readers, revision, LayoutStatus.DRAFT)
    drawn["withdrawn, never filed"] = unfiled_drawing_opened(readers, revision, LayoutStatus.WITHDRAWN)
    return (
        {("attachment", state): names for state, names in attached.items()}
        | {("drawing", state): names for state, names in drawn.items()}
        | signed_opened(readers, revision)
        | others_opened(readers)
    )


def test_each_file_is_opened_by_those_of_the_table(opened: Opened) -> None:
    assert opened == OPENED_BY


def test_files_are_read_with_their_contents(
    opened: Opened, db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    submission = Submission.objects.get(pk=Attachment.objects.get(name="better.pdf").submission_id)
    layout = LayoutDrawing.objects.get(name="felt-2.svg").filing
    found = [*attachments_visible_to(cast.manager(), submission), *drawings_visible_to(cast.manager(), layout)]
    with django_assert_num_queries(0):
        assert [bool(bytes(file.stored.content)) for file in found] == [True] * 4
