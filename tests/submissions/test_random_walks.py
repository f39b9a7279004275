"""Random steps by random people with fresh and stale versions: no submission leaves the printed table.

A step that is refused changes nothing; one that is taken is in the history. Whatever happened, the chain holds, on
every day one version is in force at most, and what the Board said to itself is not seen outside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any, TypeVar

import pytest
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from submissions import permissions
from submissions.audit.chain import verify_chain
from submissions.core.errors import Refusal
from submissions.filings import filing, versions
from submissions.filings.review import decisions
from submissions.models import (
    Decision,
    Event,
    Mail,
    Notice,
    Organization,
    Person,
    Remark,
    Role,
    Simulation,
    Submission,
    Version,
)
from tests.cast import person
from tests.soak import SOAK
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.verbs import VERBS, Saying
from tests.submissions.workflow_page import grid, steps

Thing = TypeVar("Thing")

PARTS = 4 if SOAK else 1
WALKS, LENGTH = 26 if SOAK else 5, 100  # `make soak` takes 10,000 steps, the suite 500
AHEAD = 12  # days: how far an approval may lie in the future
WITHIN_THE_BOARD = "Not for the casino's ears."
PRINTED_STEPS, PRINTED_GRID = steps(), grid()
STEPS = {verb for _, verb, _ in PRINTED_STEPS}
ENDS = ("withdraw", "reject", "delete")  # taken less often: a walk would be over soon
MOST = 12  # submissions of a walk
CHANGES = (
    ("verbal_wagers", True), ("verbal_wagers", False), ("bars_midshoe_entry", True), ("bars_midshoe_entry", False),
    ("adjacent_boxes", 3), ("adjacent_boxes", 99),  # the last one blocks
)  # fmt: skip
AS_PRINTED = {"reopen": "resolve", "regroup": "edit"}  # one permission for both
ABOUT_A_REMARK = ("answer", "resolve", "reopen")

WAYS = ("due", "due", "due", "due", "worker", "anything", "anything")  # what is due to somebody, or anything to anybody
which = st.integers(0, 9)
says = st.fixed_dictionaries(
    {
        "lag": st.sampled_from((0, 0, 0, 0, 0, 0, 1, 2)),
        "words": st.sampled_from(("Which shuffler?", "The sign says so.", "Table 4.", "")),
        "days": st.integers(-1, AHEAD),
        "change": st.sampled_from(CHANGES),
        "asked": st.sampled_from(("", "adjacent_boxes", "verbal_wagers", "no_such_line")),
        "audience": st.sampled_from(Remark.Audience.values),
        "disputes": st.booleans(),
        "nth": which,
    }
)


class Walk(RuleBasedStateMachine):
    """One life of some submissions, undone at its end."""

    people: list[Person] = []
    drafts: list[int] = []
    count: Counter[str] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.whole = transaction.atomic()
        self.whole.__enter__()
        self.states, self.events = states(), Event.objects.count()

    def teardown(self) -> None:
        try:
            holds(self.people)
        finally:
            transaction.set_rollback(True)
            self.whole.__exit__(None, None, None)

    @rule(way=st.sampled_from(WAYS), choice=st.integers(0, 999), place=which, said=says)
    def step(self, way: str, choice: int, place: int, said: dict[str, Any]) -> None:
        """One rule for all: of several, a walk would leave some out for good."""
        self.count["steps"] += 1
        submission = self.nth_submission(place)
        if way == "worker":
            self.end_simulations(submission, passed=choice % 4 > 0)
        elif way == "anything":
            self.take(nth(sorted(VERBS), choice), nth(self.people, said["nth"]), submission, said)
        else:
            self.do_what_is_due(submission, choice, said)

    def do_what_is_due(self, submission: Submission, choice: int, said: dict[str, Any]) -> None:
        """A verb that somebody may use here, by one of those; where all is over, something new is begun."""
        due = [(verb, one) for one in self.people for verb in due_to(one, submission)]
        verbs = sorted({verb for verb, _ in due if verb not in ENDS or choice % 8 == 0})
        if verbs:
            verb = nth(verbs, choice)
            actor = nth([one for use, one in due if use == verb], choice)
            self.take("reopen" if verb == "resolve" and said["disputes"] else verb, actor, submission, said)
        elif len(self.states) < MOST:
            self.states[ready_to_file(nth(self.people, 0), "686a").pk] = ("draft", 1)
            self.events = Event.objects.count()

    def end_simulations(self, submission: Submission, *, passed: bool) -> None:
        """What a worker finds; how it finds it is tested elsewhere, and takes longer than all of this."""
        runs = Simulation.objects.filter(revision__submission=submission, passed=None)
        self.count["simulated"] += runs.update(passed=passed)

    def nth_submission(self, place: int) -> Submission:
        return Submission.objects.get(pk=nth(list(self.states), place))

    def take(self, verb: str, actor: Person, submission: Submission, said: dict[str, Any]) -> None:
        """Take the step, and hold what came of it against the printed table."""
        saying, status = what_is_said(verb, submission, said), submission.status
        try:
            with transaction.atomic():
                VERBS[verb](actor, submission, saying)
        except (Refusal, Remark.DoesNotExist) as refusal:
            self.count[getattr(refusal, "code", "no remark")] += 1
            assert (states(), Event.objects.count()) == (self.states, self.events)
            return
        self.count[verb] += 1
        assert AS_PRINTED.get(verb, verb) in due_to(
            actor, Submission(organization=submission.organization, status=status)
        )
        self.compare(verb, submission, saying)

    def compare(self, verb: str, submission: Submission, saying: Saying) -> None:
        """Only this submission moved, and only along the table, from where the person saw it."""
        before, self.states = self.states, states()
        events, self.events = self.events, Event.objects.count()
        (status, version), (moved, risen) = before[submission.pk], self.states[submission.pk]
        assert all(self.states[pk] == state for pk, state in before.items() if pk != submission.pk)
        if verb in STEPS:
            assert (status, verb, moved) in PRINTED_STEPS
            assert (risen, saying.version) == (version + 1, version)
            assert self.events > events
        else:
            assert (moved, risen) == (status, version)
            assert self.events >= events


def due_to(person: Person, submission: Submission) -> list[str]:
    """What the printed table lets this person do; nothing with what belongs to another licensee."""
    if person.at_licensee and person.organization_id != submission.organization_id:
        return []
    return PRINTED_GRID[submission.status, person.role]


def what_is_said(verb: str, submission: Submission, said: dict[str, Any]) -> Saying:
    remarks = list(Remark.objects.filter(revision__submission=submission)) if verb in ABOUT_A_REMARK else []
    about = nth(remarks, said["nth"]) if remarks else None
    audience = about.audience if about else said["audience"]
    inside = verb in (*ABOUT_A_REMARK, "remark") and audience == Remark.Audience.BOARD
    return Saying(
        version=submission.version - said["lag"],
        words=WITHIN_THE_BOARD if inside else said["words"],
        day=timezone.localdate() + timedelta(days=said["days"]),
        line=said["change"][0],
        value=said["change"][1],
        asked=said["asked"],
        audience=said["audience"],
        disputes=said["disputes"],
        about=about,
    )


def states() -> dict[int, tuple[str, int]]:
    return {pk: (status, version) for pk, status, version in Submission.objects.values_list("pk", "status", "version")}


def nth(things: Sequence[Thing], place: int) -> Thing:
    return things[place % len(things)]


def holds(people: Iterable[Person]) -> None:
    """What has to be true whatever was done."""
    assert verify_chain() == (Event.objects.count(), None)
    approvals = Decision.objects.filter(kind=Decision.Kind.APPROVE)
    assert approvals.count() == Version.objects.exclude(revision=None).count()
    assert not approvals.filter(
        revision__decisions__kind=Decision.Kind.RECOMMEND, revision__decisions__by=F("by")
    ).exists()
    one_in_force_a_day()
    for one in people:
        if one.at_licensee:
            nothing_internal_for(one)


def one_in_force_a_day() -> None:
    today = timezone.localdate()
    for day in (today + timedelta(days=ahead) for ahead in range(-1, AHEAD + 2)):
        found = list(versions.versions_in_effect(day).select_related("organization"))
        assert len({(one.organization_id, one.chapter) for one in found}) == len(found)
        assert all(versions.version_in_effect(one.organization, one.chapter, day) == one for one in found)


def nothing_internal_for(person: Person) -> None:
    for submission in permissions.visible_to(person):
        seen = [*permissions.remarks_visible_to(person, submission)]
        assert all(one.audience == Remark.Audience.LICENSEE and one.shown_with for one in seen)
        told = [*permissions.history_visible_to(person, submission).values_list("reason", "before", "after")]
        assert WITHIN_THE_BOARD not in str(told)
    told = [*Notice.objects.filter(person=person).values_list("words", flat=True)]
    mailed = [*Mail.objects.filter(to=person).values_list("subject", "body")]
    assert WITHIN_THE_BOARD not in str([told, mailed])


@pytest.fixture
def people(
    preparer: Person, manager: Person, reader: Person, stranger: Person, analyst: Person, director: Person,
    other_director: Person, board: Organization,
) -> list[Person]:  # fmt: skip
    """Everybody; what they begin with: a draft at each casino, a game in effect, one that may be approved, and one that
    may be recommended.
    """
    for owner in (preparer, stranger):
        ready_to_file(owner, "686a")
    for decided in (2, 1, 0):
        filed = ready_to_file(preparer, "686a")
        filing.file_submission(manager, filed, version=1, attested=True)
        Simulation.objects.update(passed=True)
        if decided:
            decisions.recommend_approval(analyst, filed, version=2)
        if decided == 2:
            decisions.approve_submission(director, filed, version=3, confirmed=True)
    return [preparer, manager, reader, stranger, analyst, director, other_director, person(board, Role.READER, "Seat")]


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))  # so that both cores walk
def test_random_steps_leave_the_table_never(people: list[Person], part: int) -> None:
    Walk.people, Walk.count = people, Counter()
    run_state_machine_as_test(
        Walk,
        settings=settings(
            max_examples=WALKS,
            stateful_step_count=LENGTH,
            deadline=None,
            derandomize=not SOAK,  # a merge is refused for what changed, never for an unlucky draw
            database=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert Walk.count["steps"] >= 0.96 * WALKS * LENGTH
    assert Walk.count.keys() >= {"edit", "file", "return", "answer", "recommend", "approve", "amend"}
