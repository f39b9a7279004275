"""The fixtures of signed documents, for this package."""

import pytest

from tests.submissions.seal_authority import Authority
from tests.submissions.signed_documents import (  # noqa: F401  pytest finds fixtures by name
    _demo_keys,
    approved,
    document,
    example,
    filed,
    key_folder,
    signed,
    the_record,
)


@pytest.fixture(scope="session")
def authority() -> Authority:
    return Authority()
