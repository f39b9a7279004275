"""What `make test-service` leaves out is there and has its reason."""

from __future__ import annotations

from tests.service import ON_BOTH, PAGES_ONLY, TESTS


def test_modules_left_out_exist_and_have_a_reason() -> None:
    left_out = (PAGES_ONLY | ON_BOTH).items()
    assert [path for path, reason in left_out if not (TESTS / path).exists() or not reason] == []
