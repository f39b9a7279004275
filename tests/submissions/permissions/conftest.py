"""The actors of the tests of permissions, built once for a module."""

from __future__ import annotations

import copy

import pytest

from tests.submissions.permissions import actors
from tests.submissions.permissions.actors import Actors


@pytest.fixture(scope="module")
def built(module_rows: None) -> Actors:
    return actors.everyone()


@pytest.fixture
def who(built: Actors, db: None) -> Actors:
    return copy.deepcopy(built)
