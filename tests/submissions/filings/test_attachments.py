"""A file is what it says and cannot act, or it is refused in words, with a stable code."""

import pytest
from django.conf import settings

from submissions.core import uploads
from submissions.core.errors import Forbidden, Refusal
from submissions.filings import attachments, drafts
from submissions.models import Attachment, Person, StoredFile, Submission
from tests.submissions import files


@pytest.fixture
def draft(preparer: Person) -> Submission:
    return drafts.start_submission(preparer, "688a")


def test_attach_passive_pdf(preparer: Person, draft: Submission) -> None:
    content = files.pdf()
    attachment = attachments.attach_file(preparer, draft, "house_rules", "House rules.pdf", content)
    assert bytes(attachment.stored.content) == content
    answer = draft.configurations.get().answers["house_rules"]
    assert answer == {"sha256": attachment.stored.sha256, "name": "House rules.pdf", "size": len(content)}


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("rules.pdf", files.pdf_with_javascript(), "attachment-active-content"),
        ("rules.pdf", files.pdf_with_embedded_file(), "attachment-active-content"),
        ("rules.png", files.picture("JPEG"), "attachment-kind"),
        ("rules.png", b"not a picture at all", "attachment-kind"),
        ("rules.png", files.picture("PNG", (200, 100))[:60], "attachment-damaged"),
        ("rules.pdf", files.pdf()[:200], "attachment-damaged"),
        ("rules.docx", b"PK\x03\x04" + b"0" * 100, "attachment-kind"),
        ("rules.pdf", b"", "attachment-empty"),
    ],
)
def test_attach_refused(preparer: Person, draft: Submission, name: str, content: bytes, code: str) -> None:
    with pytest.raises(Refusal) as refusal:
        attachments.attach_file(preparer, draft, "house_rules", name, content)
    assert refusal.value.code == code
    assert refusal.value.fix
    assert Attachment.objects.count() == 0
    assert draft.configurations.get().answers == {}


def test_attach_thirty_megabytes_refused(preparer: Person, draft: Submission) -> None:
    with pytest.raises(Refusal) as refusal:
        attachments.attach_file(preparer, draft, "house_rules", "rules.pdf", b"%PDF-" + bytes(30_000_000))
    assert refusal.value.code == "attachment-too-large"
    assert "30.0 MB. The limit is 20 MB." in refusal.value.message


def test_attach_beyond_quota_refused(preparer: Person, draft: Submission, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "ATTACHMENT_QUOTA", len(files.pdf()) + 10)
    attachments.attach_file(preparer, draft, "house_rules", "rules.pdf", files.pdf())
    with pytest.raises(Refusal) as refusal:
        attachments.attach_file(preparer, draft, "house_rules", "rules.pdf", files.pdf(Lang="en"))
    assert refusal.value.code == "attachment-quota"


def test_attach_by_reader_forbidden(reader: Person, draft: Submission) -> None:
    with pytest.raises(Forbidden):
        attachments.attach_file(reader, draft, "house_rules", "rules.pdf", files.pdf())


def test_picture_is_painted_anew() -> None:
    trailing = files.picture("PNG") + b"<script>alert(1)</script>"
    kind, stored = uploads.check_upload("floor.png", trailing)
    assert kind == "image/png"
    assert b"script" not in stored


def test_picture_of_billions_of_pixels_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "LARGEST_PICTURE", 100)
    with pytest.raises(Refusal) as refusal:
        uploads.check_upload("floor.png", files.picture("PNG", (20, 10)))
    assert refusal.value.code == "attachment-too-large"


def test_name_cannot_mislead() -> None:
    assert attachments.clean_name("../../etc/rules\u202efdp.pdf") == "rulesfdp.pdf"
    assert attachments.clean_name('C:\\x\\a"<b>.pdf') == "a__b_.pdf"


def test_same_bytes_are_stored_once(preparer: Person, draft: Submission) -> None:
    attachments.attach_file(preparer, draft, "house_rules", "one.pdf", files.pdf())
    attachments.attach_file(preparer, draft, "house_rules", "two.pdf", files.pdf())
    assert StoredFile.objects.count() == 1
    assert Attachment.objects.count() == 2
