"""The fixtures of signed documents, for this package."""

import pytest

from submissions.documents.submission_document import render_document
from submissions.documents.weasyprint_pdf import RenderedPdf
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
