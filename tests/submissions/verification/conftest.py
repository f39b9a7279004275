"""The fixtures of signed documents, for this package."""

from tests.submissions.signed_documents import (  # noqa: F401  pytest finds fixtures by name
    approved,
    document,
    example,
    filed,
    signed,
    the_record,
)
