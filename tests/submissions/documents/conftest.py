"""The fixtures of signed documents, for this package."""

import pytest

from submissions.documents import checkpoints, verify
from submissions.documents.submission_document import render_document
from submissions.documents.weasyprint_pdf import RenderedPdf
from tests.submissions.called_here import called_here
from tests.submissions.documents import sample
from tests.submissions.seal_authority import Authority
from tests.submissions.signed_documents import (  # noqa: F401  pytest finds fixtures by name
    approved,
    document,
    example,
    filed,
    signed,
    the_record,
)


@pytest.fixture(scope="session")
def sample_pdf() -> RenderedPdf:
    """The whole sample on its seven pages; most tests of seals use the two of `example`."""
    return render_document(sample.record())


@pytest.fixture(scope="session")
def short_pdf() -> RenderedPdf:
    return render_document(sample.record([sample.short_configuration()]))


@pytest.fixture(scope="session")
def authority() -> Authority:
    return Authority()


@pytest.fixture
def verifies_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read files in this process: a child takes a second. `test_verify` and the tests of `verification` use it."""
    monkeypatch.setattr(verify, "_verify_in_child", called_here(verify._verify_in_child))
    monkeypatch.setattr(checkpoints, "read_record_isolated", called_here(checkpoints.read_record_isolated))
