"""The verification pages as the public sees them."""

from __future__ import annotations

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from submissions.models import Document, Revision
from tests.submissions.web.clients import compact, work


def send(client: Client, content: bytes, name: str = "document.pdf") -> str:
    """The page of the answer; the worker verifies what waits."""
    upload = {"document": SimpleUploadedFile(name, content, "application/pdf")}
    response = client.post("/verify/", upload, follow=True)
    if response.redirect_chain:
        work()
        response = client.get(response.redirect_chain[-1][0])
    assert response.status_code == 200
    return compact(response.content.decode())


def test_anyone_may_open_the_form(client: Client, db: None) -> None:
    assert client.get("/verify/").status_code == 200


def test_uploaded_document_is_genuine(client: Client, signed: bytes) -> None:
    page = send(client, signed)
    assert "<h1>Genuine and unchanged</h1>" in page
    for words in ("Casino East", "DJ Wild Stud Poker", "RS-2026-00001-R1", "Status today"):
        assert words in page


def test_flipped_byte_is_shown_with_its_place(client: Client, signed: bytes) -> None:
    changed = bytearray(signed)
    changed[-1] ^= 1
    page = send(client, bytes(changed))
    assert "<h1>This document was changed</h1>" in page
    assert f"1 byte differs from the sealed document, first byte {len(signed):,} of {len(signed):,}." in page


def test_qr_codes_address_leads_to_the_document(client: Client, document: Document, approved: Revision) -> None:
    for digest in (approved.sha256, document.signed_id, document.unsigned_sha256):
        response = client.get(f"/verify/{digest}")
        assert response.status_code == 200
        page = compact(response.content.decode())
        assert "<h1>Genuine and unchanged</h1>" in page
        assert "<summary>Preview the PDF on this page</summary>" in page
        assert "What is wrong" not in page


def test_sealed_file_is_served_as_it_is(client: Client, document: Document, signed: bytes) -> None:
    response = client.get(f"/verify/{document.signed_id}/document.pdf")
    assert response.content == signed
    assert response["Content-Type"] == "application/pdf"
    assert response["Content-Disposition"] == 'inline; filename="RS-2026-00001-R1.pdf"'


def test_unknown_digest_is_not_found(client: Client, db: None) -> None:
    assert client.get(f"/verify/{'0' * 64}").status_code == 404
    assert client.get(f"/verify/{'0' * 64}/document.pdf").status_code == 404


def test_filing_that_is_not_approved_is_as_unknown(client: Client, filed: Revision) -> None:
    assert client.get(f"/verify/{filed.sha256}").status_code == 404


def test_form_without_a_file_says_what_to_do(client: Client, db: None) -> None:
    response = client.post("/verify/")
    assert response.status_code == 400
    assert "Choose a PDF file first." in compact(response.content.decode())


def test_file_that_is_too_large_is_refused(client: Client, db: None, settings: Settings) -> None:
    settings.ATTACHMENT_LIMIT = 1024 * 1024
    response = client.post("/verify/", {"document": SimpleUploadedFile("a.pdf", b"x" * (1024 * 1024 + 1))})
    assert response.status_code == 400
    assert "larger than 1 MB" in compact(response.content.decode())


def _policy(response: HttpResponse) -> dict[str, str]:
    parts = response["Content-Security-Policy"].split(";")
    return {name: value for name, _, value in (part.strip().partition(" ") for part in parts)}


def test_signed_pdf_alone_may_be_shown_in_a_frame_of_the_portal(client: Client, document: Document) -> None:
    page, pdf = client.get(f"/verify/{document.signed_id}"), client.get(f"/verify/{document.signed_id}/document.pdf")
    assert f'<iframe class="preview__pdf" src="/verify/{document.signed_id}/document.pdf"' in page.content.decode()
    assert (_policy(page)["frame-src"], _policy(page)["frame-ancestors"]) == ("'self'", "'none'")
    assert (_policy(pdf)["frame-ancestors"], pdf["X-Frame-Options"]) == ("'self'", "SAMEORIGIN")
    assert _policy(pdf)["script-src"] == "'self'"
    others = client.get("/verify/"), client.get("/register/")
    for other in others:
        policy = _policy(other)
        assert (policy["frame-ancestors"], "frame-src" in policy, other["X-Frame-Options"]) == ("'none'", False, "DENY")
