"""The job of an approved layout filing: its papers are sealed once, anyone can verify them, and whether they hold."""

from __future__ import annotations

import json
from datetime import date
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from games.registry import chapter
from submissions.audit.record import record_event
from submissions.core.errors import Refusal
from submissions.documents import signing_keys
from submissions.documents.checkpoints import check_paper
from submissions.documents.signed_pdf import SignedPdf, require_verified, sign_pdf
from submissions.documents.signing_keys import load_seal
from submissions.documents.verification import _claimed, by_digest
from submissions.jobs import leases
from submissions.layouts import paper_pdf
from submissions.layouts.document_status import document_status
from submissions.layouts.layout_review import layout_digest
from submissions.layouts.paper_jobs import produce_papers
from submissions.layouts.paper_pdf import PaperDetails
from submissions.layouts.required_facts import facts_shown
from submissions.models import (
    Event,
    Job,
    LayoutDecision,
    LayoutFiling,
    LayoutRevision,
    LayoutStatus,
    Paper,
    Part,
    Person,
    Revision,
)
from tests.games.chapters.examples import example
from tests.submissions.approved import Cast
from tests.submissions.layout_rows import drawing_row
from tests.submissions.layouts.papers import words
from tests.submissions.web.clients import compact

GAME = "686a"
SIGN = (Part.SIGN,)
BY = {"name": "Director One", "role": "Director"}


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director, computes=False)


@pytest.fixture
def version(cast: Cast) -> Revision:
    return cast.version(GAME)


@pytest.fixture(scope="session")
def sealed_sign(key_folder: Path) -> SignedPdf:
    """Made once for the tests that need a sealed file; the job is tested by itself."""
    stated = PaperDetails("Casino East", date(2026, 11, 22), "RS-2026-00001-R1", filing="LF-2026-00001-R1")
    rendered, our_seal = (
        paper_pdf.payout_sign_pdf(chapter(GAME), example(GAME), stated),
        signing_keys.demo_seal(key_folder),
    )
    return require_verified(rendered, sign_pdf(rendered.content, "Payout sign", BY, our_seal), our_seal)


def approved(cast: Cast, revision: Revision, parts: tuple[Part, ...] = SIGN) -> LayoutRevision:
    """A filing of papers for the version, approved."""
    number = f"LF-2026-{LayoutFiling.objects.count() + 1:05}"
    filing = LayoutFiling.objects.create(
        number=number,
        submission=revision.submission,
        parts=list(parts),
        status=LayoutStatus.APPROVED,
        created_by=cast.manager,
    )
    answers = revision.content["configurations"][0]["answers"]
    filed = LayoutRevision.objects.create(
        filing=filing,
        number=1,
        receipt=f"{number}-R1",
        revision=revision,
        place=0,
        drawing=drawing_row(filing, revision) if Part.LAYOUT in parts else None,
        shown={part: found.digest for part, found in facts_shown(chapter(GAME), answers).items()},
        filed_by=cast.manager,
        filed_at=timezone.now(),
    )
    LayoutDecision.objects.create(
        layout_revision=filed, kind=LayoutDecision.Kind.APPROVE, by=cast.director, at=timezone.now()
    )
    record_approval(cast, filing, filed)
    return filed


@transaction.atomic
def record_approval(cast: Cast, filing: LayoutFiling, filed: LayoutRevision) -> None:
    after = {"filing": filing.number, "receipt": filed.receipt, "sha256": layout_digest(filed)}
    record_event(cast.director, filing.submission, "layout-approved", after=after)


def kept(filed: LayoutRevision, sealed: SignedPdf) -> Paper:
    return Paper.objects.create(layout_revision=filed, part=Part.SIGN, **sealed.keep())


def lease_on(filed: LayoutRevision) -> leases.Lease:
    job = Job.objects.create(kind=Job.Kind.PAPERS, subject=filed.filing_id, not_before=timezone.now())
    lease = leases.take_lease(job.pk)
    assert lease is not None
    return lease


def test_approved_filing_gets_its_sealed_sign(cast: Cast, version: Revision, settings: Settings) -> None:
    filed = approved(cast, version)
    produce_papers(lease_on(filed))
    (paper,) = Paper.objects.select_related("signed")
    assert (paper.name, paper.part, paper.pages) == (f"{filed.receipt}-sign", "sign", 1)
    assert paper.verification["good"] is True
    content = bytes(paper.signed.content)
    said = words(content)
    for each in (filed.receipt, version.receipt, "Demo, timestamped by itself: not a filing with the Board"):
        assert each in said
    pdf = pikepdf.open(BytesIO(content))
    reason = str(pdf.Root.AcroForm.Fields[0].V.Reason)
    assert reason == f"Payout sign {filed.receipt} approved by Director One, {cast.director.get_role_display()}"
    record = json.loads(pdf.attachments[f"{paper.name}.json"].get_file().read_bytes())
    assert record["answers"] == version.content["configurations"][0]["answers"]
    assert record["verify_at"] == f"{settings.PUBLIC_URL}/verify/{paper.name}"
    approval, seal = Event.objects.get(verb="layout-approved"), load_seal()
    assert check_paper(content, seal.roots, [seal.sha256]).sequence == approval.sequence
    (event,) = Event.objects.filter(verb="papers-signed")
    assert (event.actor, event.after["papers"]) == (None, {"sign": paper.signed_id})
    assert document_status(paper).state == "in-force"
    assert record["in_effect_at"] == f"{settings.PUBLIC_URL}/in-force/east/{GAME}/"
    assert "Scan to see the rules in effect" in said
    assert record["in_effect_at"] in said
    page = Client().get(record["in_effect_at"].removeprefix(settings.PUBLIC_URL))
    assert version.receipt in page.content.decode()  # what governs the game, for anyone who scans the sign


def test_job_that_was_killed_goes_on_with_the_next_paper(cast: Cast, version: Revision, sealed_sign: SignedPdf) -> None:
    filed = approved(cast, version, (Part.LAYOUT, Part.SIGN))
    first = kept(filed, sealed_sign)
    produce_papers(lease_on(filed))
    layout = Paper.objects.exclude(pk=first.pk).get()
    content = bytes(layout.signed.content)
    assert layout.part == "layout"
    assert f"layout as filed: {filed.drawing.name}" in words(content)
    pdf = pikepdf.open(BytesIO(content))  # held: its attachments do not keep it
    assert pdf.attachments[filed.drawing.name].get_file().read_bytes() == bytes(filed.drawing.stored.content)
    (event,) = Event.objects.filter(verb="papers-signed")
    assert event.after["papers"] == {"layout": layout.signed_id, "sign": first.signed_id}


def test_second_delivery_makes_no_second_paper(cast: Cast, version: Revision, sealed_sign: SignedPdf) -> None:
    filed = approved(cast, version)
    kept(filed, sealed_sign)
    produce_papers(lease_on(filed))
    assert Paper.objects.count() == 1
    assert not Event.objects.filter(verb="papers-signed").exists()


def test_worker_that_lost_its_lease_stores_no_paper(cast: Cast, version: Revision) -> None:
    lease = lease_on(approved(cast, version))
    Job.objects.filter(pk=lease.job.pk).update(fence=lease.fence + 1)
    with pytest.raises(leases.LeaseLost):
        produce_papers(lease)
    assert not Paper.objects.exists()


def test_filing_that_is_not_approved_is_not_sealed(cast: Cast, version: Revision) -> None:
    filing = LayoutFiling.objects.create(
        number="LF-2026-00009", submission=version.submission, parts=["sign"], created_by=cast.manager
    )
    job = Job.objects.create(kind=Job.Kind.PAPERS, subject=filing.pk, not_before=timezone.now())
    lease = leases.take_lease(job.pk)
    assert lease
    with pytest.raises(Refusal) as refusal:
        produce_papers(lease)
    assert refusal.value.code == "not-approved"


def test_paper_that_would_show_something_else_is_not_made(cast: Cast, version: Revision) -> None:
    filed = approved(cast, version)
    again = LayoutRevision.objects.create(
        filing=filed.filing, number=2, receipt=f"{filed.filing.number}-R2", revision=version, place=0,
        shown={"sign": "0" * 64}, filed_by=cast.manager, filed_at=timezone.now(),
    )  # fmt: skip
    again.decisions.create(kind="approve", by=cast.director, at=timezone.now())
    record_approval(cast, filed.filing, again)
    with pytest.raises(Refusal) as refusal:
        produce_papers(lease_on(filed))
    assert refusal.value.code == "rules-changed"
    assert not Paper.objects.exists()


def test_address_on_a_sealed_sign_leads_to_its_verification(
    client: Client, cast: Cast, version: Revision, sealed_sign: SignedPdf
) -> None:
    paper = kept(approved(cast, version), sealed_sign)
    said = compact(client.get(f"/verify/{paper.name}").content.decode())
    title = chapter(GAME).title.replace("'", "&#x27;")
    assert "<h1>Genuine and unchanged</h1>" in said
    assert f"is identical to the sealed payout sign of {title} for Casino East, and its seal is valid" in said
    assert "It is in effect today." in said
    served = client.get(f"/verify/{paper.signed_id}/document.pdf")
    assert served.content == sealed_sign.content
    assert served["Content-Disposition"] == f'inline; filename="{paper.name}.pdf"'


def test_paper_is_found_by_its_digests_and_its_name(cast: Cast, version: Revision, sealed_sign: SignedPdf) -> None:
    paper = kept(approved(cast, version), sealed_sign)
    for digest in (paper.signed_id, paper.unsigned_sha256, paper.name):
        assert by_digest(digest) == paper
    assert by_digest(f"{paper.layout_revision.receipt}-guide") is None


def test_changed_sign_is_told_beside_the_sealed_one(cast: Cast, version: Revision, sealed_sign: SignedPdf) -> None:
    paper = kept(approved(cast, version), sealed_sign)
    assert _claimed(sealed_sign.content[:-10]) == paper


def test_sign_holds_until_the_answers_in_force_call_for_another(
    client: Client, cast: Cast, version: Revision, sealed_sign: SignedPdf
) -> None:
    paper = kept(approved(cast, version), sealed_sign)
    assert document_status(paper).state == "in-force"
    amended = cast.amend(version.submission, bonus_wager=False)
    found = document_status(paper)
    assert (found.state, found.successor) == ("superseded", None)
    assert found.detail.startswith(f"{amended.receipt}, in effect today, requires another payout sign. ")
    page = client.get(f"/verify/{paper.name}").content.decode()
    assert "Not in effect today" in page
    assert "It is in effect today" not in page
    later = kept(approved(cast, amended), sealed_sign)
    found = document_status(paper)
    assert (found.state, found.successor) == ("superseded", later)
    assert document_status(later).state == "in-force"
