"""The seal: the untouched file verifies anywhere, a changed one nowhere. Forgeries by the hundred: `test_forgeries`."""

from __future__ import annotations

from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
import time_machine
from asn1crypto import x509
from django.utils import timezone
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter

from submissions.documents import verify as verification
from submissions.documents.signed_pdf import sign_pdf
from submissions.documents.signing_keys import demo_seal
from submissions.documents.verify import verify, verify_isolated
from submissions.documents.weasyprint_pdf import RenderedPdf
from tests.submissions.seal_authority import Authority
from tests.submissions.signed_documents import Example

Roots = tuple[x509.Certificate, ...]
Seals = tuple[str, ...]


@pytest.fixture
def rendered(example: Example) -> RenderedPdf:
    return example.rendered


@pytest.fixture
def sealed(example: Example) -> bytes:
    return example.signed


@pytest.fixture
def roots(example: Example) -> Roots:
    return example.roots


@pytest.fixture
def seals(example: Example) -> Seals:
    return example.seals


def test_untouched_file_verifies(example: Example) -> None:
    found = example.found
    assert found.problems == ()
    assert found.good
    assert (found.intact, found.trusted, found.changed_since, found.covers_whole_file) == (True, True, False, True)
    assert found.signed_by == "DEMO seal of the Rules Submission Portal"


def test_whole_document_verifies_in_a_process_of_its_own(
    sample_pdf: RenderedPdf, example: Example, key_folder: Path
) -> None:
    signed = sign_pdf(sample_pdf.content, "Evidence", example.record["approved"]["by"], demo_seal(key_folder))
    assert verify_isolated(signed, key_folder / "root.crt", example.seals).good


def test_busy_machine_has_ten_times_the_seconds_of_the_processor() -> None:
    """A process that waits for the processor is not stopped by the clock long before it has used its seconds."""
    assert verification._verify_in_child.cpu_seconds == verification.SECONDS
    assert verification._verify_in_child.wall_seconds >= 10 * verification.SECONDS


def test_untouched_file_verifies_years_later(sealed: bytes, roots: Roots, seals: Seals) -> None:
    with time_machine.travel(timezone.now() + timedelta(days=5 * 365)):
        assert verify(sealed, roots, seals).problems == ()


def test_sealed_file_starts_with_the_reproducible_bytes(sealed: bytes, rendered: RenderedPdf) -> None:
    assert sealed[: len(rendered.content)] == rendered.content


def test_seal_stays_pdfa_with_its_record(sealed: bytes) -> None:
    pdf = pikepdf.open(BytesIO(sealed))
    assert pdf.open_metadata()["pdfaid:conformance"] == "A"
    assert list(pdf.attachments) == ["RS-2026-00001-R1.json"]


def test_seal_of_another_authority_is_not_ours(sealed: bytes, seals: Seals, authority: Authority) -> None:
    found = verify(sealed, [authority.root.asn1], seals)
    assert found.intact
    assert not found.trusted
    assert not found.good


def test_appended_update_is_reported(sealed: bytes, roots: Roots, seals: Seals) -> None:
    writer = IncrementalPdfFileWriter(BytesIO(sealed))
    page = writer.root["/Pages"]["/Kids"][0]
    page["/Rotate"] = generic.NumberObject(90)
    writer.update_container(page)
    written = BytesIO()
    writer.write(written)
    found = verify(written.getvalue(), roots, seals)
    assert found.changed_since
    assert not found.covers_whole_file
    assert "Something was added to the file after it was sealed." in found.problems


def test_appended_bytes_are_reported(sealed: bytes, roots: Roots, seals: Seals) -> None:
    assert not verify(sealed + b"\n", roots, seals).good


def test_file_without_seal_is_told_so(rendered: RenderedPdf, roots: Roots, seals: Seals) -> None:
    assert verify(rendered.content, roots, seals).problems == ("The file has no seal of this portal.",)


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7", b"\x00" * 1000, b"%PDF-1.7\ntrailer <</Root 1 0 R>>\n%%EOF"])
def test_what_is_no_pdf_is_a_problem_not_an_exception(content: bytes, roots: Roots, seals: Seals) -> None:
    found = verify(content, roots, seals)
    assert not found.good
    assert len(found.problems) == 1
