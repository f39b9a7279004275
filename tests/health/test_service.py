"""What `make test-service` leaves out is there and has its reason."""

from __future__ import annotations

from tests.service import PAGES_ONLY, TESTS


def test_modules_left_out_exist_and_have_a_reason() -> None:
    assert [path for path, reason in PAGES_ONLY.items() if not (TESTS / path).is_file() or not reason] == []
