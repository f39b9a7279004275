"""A role counts only on the side that it belongs to; what is damaged is not decided upon."""

from __future__ import annotations

import pytest
from django.db import connection

from submissions import permissions
from submissions.core.errors import Refusal
from submissions.filings import filing
from submissions.models import Organization, Person, Revision, Role, Simulation, Submission, append_only
from submissions.review import decisions
from tests.cast import person
from tests.submissions.example_drafts import ready_to_file


@pytest.fixture
def filed(preparer: Person, manager: Person) -> Submission:
    draft = ready_to_file(preparer, "687a")
    filing.file_submission(manager, draft, version=1, attested=True)
    Simulation.objects.update(passed=True)
    draft.refresh_from_db()
    return draft


@pytest.mark.parametrize("verb", ["recommend", "return"])
def test_board_role_at_a_casino_decides_nothing(filed: Submission, casino: Organization, verb: str) -> None:
    impostor = person(casino, Role.DIRECTOR, "Director East")
    assert not permissions.may(impostor, verb, filed)


def test_casino_role_at_the_board_prepares_nothing(filed: Submission, board: Organization, analyst: Person) -> None:
    decisions.return_to_licensee(analyst, filed, version=2, reason="Which shuffler?")
    filed.refresh_from_db()
    misplaced = person(board, Role.MANAGER, "Manager of the Board")
    assert [bool(permissions.may(misplaced, verb, filed)) for verb in ("start", "edit", "file", "withdraw")] == [
        False
    ] * 4


def test_damaged_filing_is_not_recommended(filed: Submission, analyst: Person) -> None:
    append_only.drop(connection)
    try:
        Revision.objects.update(attestation="x", snapshot="{}")
    finally:
        append_only.create(connection)
    with pytest.raises(Refusal) as refusal:
        decisions.recommend_approval(analyst, filed, version=2)
    assert refusal.value.code == "snapshot-damaged"
