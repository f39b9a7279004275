"""A portal with something of every kind in it: what each address of the API tells, and of whom."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from submissions.bulk import intake
from submissions.filings.review import comments, decisions
from submissions.models import (
    Batch,
    Delivery,
    Document,
    LayoutFiling,
    Order,
    Paper,
    Person,
    Revision,
    StoredFile,
    Submission,
)
from submissions.notifications import webhooks
from tests.submissions import filing_rows
from tests.submissions.api.clients import administrator
from tests.submissions.layout_rows import filed_layout, filed_rules
from tests.submissions.table_list.lists import enter

DAY = date(2026, 3, 1)


@dataclass(frozen=True, slots=True)
class World:
    """What one casino has: a submission that was returned with a remark, its layout, an approved version, a batch, a
    webhook that something is to be sent to."""

    submission: Submission
    layout: LayoutFiling
    version: Revision
    batch: Batch
    delivery: Delivery

    @property
    def arguments(self) -> dict[str, str]:
        """What stands for the parts of an address."""
        return {
            "number": self.submission.number,
            "layout": self.layout.number,
            "licensee": self.submission.organization.slug,
            "batch": self.batch.number,
            "attachment": self.submission.attachments.latest("pk").stored_id,
            "drawing": self.layout.drawings.latest("pk").stored_id,
            "approved": self.version.submission.number,
            "signed": self.version.document.signed_id,
            "paper": Paper.objects.get(layout_revision__filing=self.layout).signed_id,
            "webhook": str(self.delivery.webhook_id),
            "delivery": self.delivery.key,
        }


def build(manager: Person, analyst: Person) -> World:
    submission = filed_rules(manager, "688a")  # the example with a file
    layout = filed_layout(manager, submission, parts=("layout", "sign"))
    sign = StoredFile.keep(b"%PDF-sign", "application/pdf")
    Paper.objects.create(
        layout_revision=layout.revisions.get(), part="sign", unsigned_sha256="2" * 64, signed=sign, pages=1,
        signer="Demo Seal", signed_at=timezone.now(), verification={}, demo=True,
    )  # fmt: skip
    submission.refresh_from_db()
    comments.write_comment(analyst, submission, revision=1, audience="licensee", text="Which tables are these?")
    decisions.return_to_licensee(analyst, submission, version=submission.version, reason="One thing.")
    submission.refresh_from_db()
    parcel = intake.Upload([{"action": "create", "chapter": "687a"}], "json", "0" * 64)
    batch = intake.accept_upload(manager, parcel, mode=Batch.Mode.VALIDATE, atomic=False)
    chief = administrator(submission.organization)
    webhook = webhooks.create_webhook(chief, url="https://hooks.example.test/").webhook
    Order.objects.create(
        number=f"BO-2026-{submission.pk:05}", kind="order", citation="§ 601a.2", all_licensees=True, first_day=DAY,
        text="Name a person.", by=analyst, at=timezone.now(),
    )  # fmt: skip
    enter(manager, ("12", "688a", "2"))
    return World(submission, layout, approved(manager), batch, webhooks.send_test(chief, webhook))


def approved(manager: Person) -> Revision:
    """A version in force, with its signed document."""
    wager = {"key": "trips", "name": "Trips Wager"}
    paytable = {"wager": "trips", "wager_name": "Trips Wager", "name": "DJWT-05"}
    line = {"key": "adjacent_boxes", "citation": "§ 687a.2", "question": "How many?", "answer": "3"}
    revision = filing_rows.filing(
        manager, answers={"adjacent_boxes": 3}, wagers=[wager], paytables=[paytable], lines=[line],
        findings=[],
    )  # fmt: skip
    filing_rows.put_in_force(revision, DAY, manager)
    filing_rows.computed(revision, trips=5.605)
    Document.objects.create(
        revision=revision, unsigned_sha256="1" * 64, signed=StoredFile.keep(b"%PDF-", "application/pdf"), pages=9,
        signer="Demo Seal", signed_at=timezone.now(), verification={}, demo=True,
    )  # fmt: skip
    return revision
