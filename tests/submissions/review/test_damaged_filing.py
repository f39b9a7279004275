"""A filing whose stored text was changed is not decided upon."""

from __future__ import annotations

import pytest
from django.db import connection

from submissions.core import append_only
from submissions.core.errors import Refusal
from submissions.filings import filing
from submissions.filings.review import decisions
from submissions.models import Person, Revision, Simulation
from tests.submissions.example_drafts import ready_to_file


def test_damaged_filing_is_not_recommended(preparer: Person, manager: Person, analyst: Person) -> None:
    draft = ready_to_file(preparer, "687a")
    filing.file_submission(manager, draft, version=1, attested=True)
    Simulation.objects.update(passed=True)
    draft.refresh_from_db()
    append_only.drop(connection)
    try:
        Revision.objects.update(attestation="x", snapshot="{}")
    finally:
        append_only.create(connection)
    with pytest.raises(Refusal) as refusal:
        decisions.recommend_approval(analyst, draft, version=2)
    assert refusal.value.code == "snapshot-damaged"
