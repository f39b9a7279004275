"""Two people deciding at the same moment, each in a connection of its own: one wins, the other is told by whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from django.utils.dateformat import format as format_date

from submissions.audit.chain import verify_chain
from submissions.models import Event, Person, Remark, Reply, Revision, Simulation, Submission
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.test_safety_together import all_at_once
from tests.submissions.verbs import VERBS, Saying

pytestmark = pytest.mark.service("locks")

committing = pytest.mark.django_db(transaction=True)
Cast = dict[str, Person]

WAY = {
    "draft": (),
    "filed": (("manager", "file"), ("analyst", "remark")),
    "returned": (("manager", "file"), ("analyst", "return")),
    "recommended": (("manager", "file"), ("analyst", "recommend")),
    "approved": (("manager", "file"), ("analyst", "recommend"), ("director", "approve")),
}
# where it stands, who does what, who does what at the same time
PAIRS = (
    ("recommended", ("director", "approve"), ("other director", "approve")),
    ("recommended", ("director", "approve"), ("other director", "reject")),
    ("recommended", ("director", "approve"), ("analyst", "return")),
    ("recommended", ("director", "reject"), ("other director", "reject")),
    ("filed", ("analyst", "return"), ("director", "return")),
    ("filed", ("analyst", "recommend"), ("director", "recommend")),
    ("filed", ("analyst", "recommend"), ("manager", "withdraw")),
    ("draft", ("manager", "file"), ("manager", "withdraw")),
    ("draft", ("manager", "file"), ("manager", "file")),
)


@pytest.fixture
def cast(
    preparer: Person, manager: Person, analyst: Person, director: Person, other_director: Person
) -> dict[str, Person]:
    return {
        "preparer": preparer,
        "manager": manager,
        "analyst": analyst,
        "director": director,
        "other director": other_director,
    }


@committing
@pytest.mark.parametrize(("state", "one", "other"), PAIRS)
def test_two_deciding_at_once_one_wins_the_other_is_told_by_whom_and_when(
    cast: Cast, state: str, one: tuple[str, str], other: tuple[str, str]
) -> None:
    submission = brought_to(state, cast)
    events, version = Event.objects.count(), submission.version
    refusals = together(cast, submission, one, other)
    submission.refresh_from_db()
    last = submission.events.last()
    assert (Event.objects.count(), submission.version) == (events + 1, version + 1)
    assert [refusal.code for refusal in refusals] == ["changed-meanwhile"]
    at = format_date(timezone.localtime(last.at), "g:i a")
    assert f"{last.actor.name} {last.verb} it at {at}" in refusals[0].message
    assert verify_chain() == (events + 1, None)


@committing
def test_saving_while_it_is_filed_is_in_the_filing_or_refused(cast: Cast) -> None:
    submission = brought_to("draft", cast)
    refusals = together(cast, submission, ("manager", "file"), ("preparer", "edit"))
    filed = Revision.objects.get().content["configurations"][0]["answers"]["adjacent_boxes"]
    kept = submission.configurations.get().answers["adjacent_boxes"]
    assert (filed, kept, [refusal.code for refusal in refusals]) in ((2, 2, []), (3, 3, ["not-allowed"]))


@committing
def test_two_answering_at_once_are_both_heard(cast: Cast) -> None:
    submission = brought_to("returned", cast)
    assert together(cast, submission, ("preparer", "answer"), ("manager", "answer")) == []
    assert {reply.by.name for reply in Reply.objects.all()} == {"Preparer East", "Manager East"}
    assert Remark.objects.get().state == Remark.State.ANSWER_GIVEN
    assert verify_chain()[1] is None


@committing
@pytest.mark.parametrize(
    ("state", "verb", "who", "code", "words"),
    [
        ("filed", "resolve", ("analyst", "director"), "remark-changed-meanwhile", "resolved it"),
        ("approved", "amend", ("preparer", "manager"), "amendment-open", "already amends this game"),
        ("approved", "discontinue", ("manager", "manager"), "already-discontinued", "by Manager East"),
    ],
)
def test_what_is_done_once_is_done_once(
    cast: Cast, state: str, verb: str, who: tuple[str, str], code: str, words: str
) -> None:
    submission = brought_to(state, cast)
    events = Event.objects.count()
    refusals = together(cast, submission, (who[0], verb), (who[1], verb))
    assert [refusal.code for refusal in refusals] == [code]
    assert words in refusals[0].message
    assert Event.objects.count() == events + 1


def together(cast: Cast, submission: Submission, *works: tuple[str, str]) -> list[Any]:
    """What was refused of works that are begun at the same moment."""

    def doing(who: str, verb: str) -> Callable[[], object]:
        return lambda: VERBS[verb](cast[who], submission, Saying(version=submission.version, value=2))

    return all_at_once(*(doing(*work) for work in works))


def brought_to(state: str, cast: Cast) -> Submission:
    submission = ready_to_file(cast["preparer"], "686a")
    for who, verb in WAY[state]:
        VERBS[verb](cast[who], submission, Saying(version=submission.version))
        Simulation.objects.update(passed=True)
        submission.refresh_from_db()
    return submission
