"""Two people at a layout filing at the same moment, each in a connection of their own: one wins, the other is told."""

from __future__ import annotations

import pytest

from submissions.audit.chain import verify_chain
from submissions.layouts import layout_filings as layouts
from submissions.layouts import layout_review
from submissions.models import Event, LayoutDecision, LayoutFiling, LayoutStatus, Part, Person
from tests.submissions.filing_rows import filing
from tests.submissions.layout_rows import layout_row
from tests.submissions.test_safety_together import all_at_once

pytestmark = pytest.mark.service("locks")

DONE = {
    LayoutStatus.DEFICIENT: "found it deficient",
    LayoutStatus.RECOMMENDED: "recommended it",
    LayoutStatus.REJECTED: "rejected it",
    LayoutStatus.WITHDRAWN: "withdrew it",
}
committing = pytest.mark.django_db(transaction=True)


@pytest.fixture
def sign(manager: Person) -> LayoutFiling:
    """Nothing is to be judged of it: what happens, happens at once."""
    return layout_row(filing(manager, "682a"), parts=(Part.SIGN,))


@committing
@pytest.mark.parametrize("other", ["notify", "reject", "withdraw"])
def test_two_deciding_at_once_one_wins_the_other_is_told(
    sign: LayoutFiling, manager: Person, analyst: Person, director: Person, other: str
) -> None:
    others = {
        "notify": lambda: layout_review.notify(director, sign, version=1, deficient={}, reason="Other tables."),
        "reject": lambda: layout_review.reject(director, sign, version=1, reason="Not authorized."),
        "withdraw": lambda: layouts.withdraw_layout(manager, sign, version=1, reason="Other tables."),
    }
    wrong = all_at_once(lambda: layout_review.recommend(analyst, sign, version=1), others[other])
    sign.refresh_from_db()
    last = Event.objects.latest("sequence")
    assert [one.code for one in wrong] == ["changed-meanwhile"]
    assert last.actor
    assert f"{last.actor.name} {DONE[LayoutStatus(sign.status)]} at " in wrong[0].message
    assert (sign.version, Event.objects.count(), verify_chain()) == (2, 1, (1, None))
    assert LayoutDecision.objects.count() == (sign.status != LayoutStatus.WITHDRAWN)
