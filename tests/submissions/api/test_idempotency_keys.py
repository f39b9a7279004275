"""How the text of an Idempotency-Key is read, and which text is no key."""

from __future__ import annotations

import pytest

from submissions.core.errors import Refusal
from submissions.jobs.idempotency import parse_key


@pytest.mark.parametrize(
    ("header", "key"),
    [
        ('"8e03978e-40d5-43dd-bc93-6894a57f9324"', "8e03978e-40d5-43dd-bc93-6894a57f9324"),
        ("8e03978e-40d5-43dd-bc93-6894a57f9324", "8e03978e-40d5-43dd-bc93-6894a57f9324"),
        (r'"a \"b\" \\ c"', r'a "b" \ c'), (' "x" ', "x"), ("x" * 255, "x" * 255), ('"a, b; c=1"', "a, b; c=1"),
    ],
)  # fmt: skip
def test_key_is_read_with_or_without_quotation_marks(header: str, key: str) -> None:
    assert parse_key(header) == key


@pytest.mark.parametrize(
    "header",
    ["", '""', "x" * 256, '"a", "b"', "a, b", "a b", '"a', 'a"', '"a";p=1', r'"\x"', "schlüssel", "a\tb", '"\x7f"'],
)
def test_key_that_is_none_is_told(header: str) -> None:
    with pytest.raises(Refusal) as refusal:
        parse_key(header)
    assert refusal.value.code == "idempotency-key-unreadable"
