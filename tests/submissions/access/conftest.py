"""The world of the proofs of access, built once for a module."""

from __future__ import annotations

import pytest

from tests.submissions.access.world import World, build


@pytest.fixture(scope="module")
def world(module_rows: None) -> World:
    """Nothing in it is changed: each test reads the rows again."""
    return build()


@pytest.fixture(autouse=True)
def _without_second_factor(settings: object, db: None) -> None:
    settings.SECOND_FACTOR = False  # it is asked for in `accounts` and `web`; here it would hide who is refused
