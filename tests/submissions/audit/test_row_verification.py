"""What is sealed, what is older, and an end of the history that was rewritten without the secret key."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from submissions.audit.chain import event_digest, link_of
from submissions.audit.row_seals import SEALED_TABLES
from submissions.audit.row_verification import begin_sealing, verify_history
from submissions.filings import drafts
from submissions.models import Event, Person, Tip
from tests.submissions.audit.undo import triggers_lifted

pytestmark = pytest.mark.service("triggers")


def test_rows_of_an_older_version_are_told_apart(preparer: Person, manager: Person) -> None:
    assert verify_history().uncovered == tuple(sorted(SEALED_TABLES))
    assert begin_sealing() == 3  # two people and their casino
    assert begin_sealing() == 0
    report = verify_history()
    assert (report.good, report.sealed, report.older, report.count) == (True, 3, 3, 1)


def test_rewritten_end_without_the_secret_key_is_found(preparer: Person) -> None:
    """Digests, rows and tip fit; only the authentication code cannot be made from what the database holds."""
    begin_sealing()
    drafts.start_submission(preparer, "686a")
    with triggers_lifted():
        last = Event.objects.latest("sequence")
        last.reason = "never so"
        last.digest = event_digest(last)
        last.save()
        Tip.objects.update(link=link_of(last.digest, last.mac))
        broken = verify_history().broken
    assert broken is not None
    assert (broken.sequence, "message authentication code" in broken.problem) == (2, True)


def test_earlier_secret_key_is_accepted_as_a_fallback(preparer: Person, settings: Settings) -> None:
    begin_sealing()
    settings.SECRET_KEY, old = "a new key of the portal", settings.SECRET_KEY
    broken = verify_history().broken
    assert broken
    assert broken.sequence == 1
    settings.SECRET_KEY_FALLBACKS = [old]
    assert verify_history().good
