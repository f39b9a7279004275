"""Every state × verb × person, against the table written out here by hand from what the Board ordered.

Both what `permissions.may` returns and what the action does; who is refused leaves no trace.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.utils.timezone import localdate as today

from submissions import permissions
from submissions.accounts import stand_ins
from submissions.core.errors import Forbidden, Refusal
from submissions.filings import handover, questions
from submissions.models import (
    Configuration,
    Event,
    Job,
    Person,
    Remark,
    Reply,
    Role,
    Simulation,
    Status,
    Submission,
    Version,
)
from submissions.permissions.workflow import TRANSITIONS
from tests import cast
from tests.cast import person
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.verbs import VERBS, Saying

Visitor = Person | AnonymousUser

# Who may do what in which state: whoever is not named here is refused. "second director" is one who did not recommend.
ALLOWED = {
    "draft": {
        "edit": {"preparer", "another preparer", "manager", "stand-in"},
        "send-to-manager": {"preparer", "another preparer", "stand-in"},
        "send-back": {"manager", "stand-in"},
        "comment": {"preparer", "another preparer", "manager", "stand-in"},
        "delete": {"preparer", "manager", "stand-in"},
        "file": {"manager", "stand-in"},
        "withdraw": {"manager", "stand-in"},
    },
    "filed": {
        "assign": {"analyst", "director", "second director"},
        "lay-out": {"preparer", "another preparer", "manager", "stand-in"},
        "withdraw": {"manager", "stand-in"},
        "remark": {"analyst", "director", "second director"},
        "resolve": {"analyst", "director", "second director"},
        "return": {"analyst", "director", "second director"},
        "recommend": {"analyst", "director", "second director"},
        "reject": {"director", "second director"},
    },
    "returned": {
        "assign": {"analyst", "director", "second director"},
        "lay-out": {"preparer", "another preparer", "manager", "stand-in"},
        "edit": {"preparer", "another preparer", "manager", "stand-in"},
        "answer": {"preparer", "another preparer", "manager", "stand-in"},
        "send-to-manager": {"preparer", "another preparer", "stand-in"},
        "send-back": {"manager", "stand-in"},
        "comment": {"preparer", "another preparer", "manager", "stand-in"},
        "file": {"manager", "stand-in"},
        "withdraw": {"manager", "stand-in"},
    },
    "recommended": {
        "assign": {"analyst", "director", "second director"},
        "lay-out": {"preparer", "another preparer", "manager", "stand-in"},
        "remark": {"analyst", "director", "second director"},
        "resolve": {"analyst", "director", "second director"},
        "return": {"analyst", "director", "second director"},
        "approve": {"second director"},
        "reject": {"director", "second director"},
    },
    "approved": {
        "lay-out": {"preparer", "another preparer", "manager", "stand-in"},
        "amend": {"preparer", "another preparer", "manager", "stand-in"},
        "discontinue": {"manager", "stand-in"},
    },
    "withdrawn": {},
    "rejected": {},
    "deleted": {},
}
AS_ONE = {"regroup": "edit", "reopen": "resolve"}  # what the Board ordered names these together
LIVES = {  # the way into each state
    "draft": (),
    "filed": ("file", "remark"),
    "returned": ("file", "return"),
    "recommended": ("file", "remark", "recommend"),
    "approved": ("file", "remark", "recommend", "approve"),
    "withdrawn": ("file", "remark", "withdraw"),
    "rejected": ("file", "remark", "reject"),
    "deleted": ("delete",),
}
BY = {
    "file": "manager",
    "withdraw": "manager",
    "delete": "preparer",
    "approve": "second director",
}  # all else by "director"


@pytest.fixture(scope="module")
def people(module_rows: None) -> dict[str, Visitor]:
    """Everybody who might try, and some who cannot be."""
    casino, other_casino, board = cast.casino(), cast.other_casino(), cast.board()
    people: dict[str, Visitor] = {
        "preparer": cast.preparer(),
        "manager": cast.manager(),
        "reader": cast.reader(),
        "analyst": cast.analyst(),
        "director": cast.director(),
        "second director": cast.other_director(),
        "reader at the Board": person(board, Role.READER, "Reader Board"),
        "preparer elsewhere": person(other_casino, Role.PREPARER, "Preparer West"),
        "manager elsewhere": cast.stranger(),
        "reader elsewhere": person(other_casino, Role.READER, "Reader West"),
        "analyst at the casino": person(casino, Role.ANALYST, "Analyst East"),
        "director at the casino": person(casino, Role.DIRECTOR, "Director East"),
        "manager at the Board": person(board, Role.MANAGER, "Manager Board"),
        "manager of no organization": person(casino, Role.MANAGER, "Manager Nowhere"),
        "stand-in": person(casino, Role.PREPARER, "Stand-in East"),
        "read-only stand-in": person(casino, Role.PREPARER, "Reader Stand-in"),
        "another preparer": person(casino, Role.PREPARER, "Preparer Two"),
        "manager who left": person(casino, Role.MANAGER, "Manager Gone"),
        "analyst who left": person(board, Role.ANALYST, "Analyst Gone"),
        "director who left": person(board, Role.DIRECTOR, "Director Gone"),
        "nobody": AnonymousUser(),
    }
    for who, one in people.items():
        if isinstance(one, Person):
            one.is_active = not who.endswith("left")
            one.organization = None if who.endswith("no organization") else one.organization
            one.save()
    for who in ("stand-in", "read-only stand-in"):
        stand_ins.name_stand_in(people["manager"], people[who], first_day=today(), last_day=today(), reason="Vacation.")
    Person.objects.filter(pk=people["read-only stand-in"].pk).update(role=Role.READER)
    people["read-only stand-in"].refresh_from_db()
    return people


@pytest.mark.parametrize("state", Status.values)
def test_who_may_do_what(people: dict[str, Visitor], db: None, state: str) -> None:
    submission = brought_to(state, people)
    everything = {(verb, who) for verb in VERBS for who in people}
    expected = {(verb, who) for verb, who in everything if who in ALLOWED[state].get(AS_ONE.get(verb, verb), ())}
    asked = {(verb, who) for verb, who in everything if may(people[who], verb, submission)}
    done = {(verb, who) for verb in VERBS for who in those_who_do(verb, submission, people)}
    assert (asked, done) == (expected, expected)


def test_role_counts_only_on_its_side_where_there_is_no_filing(people: dict[str, Visitor], db: None) -> None:
    tried = {
        "start": "manager at the Board",
        "edit-tables": "manager at the Board",
        "enter-order": "director at the casino",
    }
    assert [verb for verb, who in tried.items() if permissions.may(people[who], verb)] == []


def test_table_by_hand_names_every_state_and_verb() -> None:
    assert ALLOWED.keys() == set(Status.values)
    verbs = {AS_ONE.get(verb, verb) for verb in VERBS}
    assert {verb for allowed in ALLOWED.values() for verb in allowed} == verbs
    assert verbs == {AS_ONE.get(verb, verb) for verb in {*TRANSITIONS, *permissions.CAPABILITIES}}


def may(visitor: Visitor, verb: str, submission: Submission) -> bool:
    return bool(permissions.may(visitor, AS_ONE.get(verb, verb), submission))


def those_who_do(verb: str, submission: Submission, people: dict[str, Visitor]) -> Iterator[str]:
    """Yield who may do it, and undo each. A refused one is not undone: it must have changed nothing."""
    with transaction.atomic():
        make_ready(verb, submission, people)
        before = stored()
        for who, visitor in people.items():
            with transaction.atomic():
                refusal = refused(verb, visitor, submission)
                transaction.set_rollback(refusal is None)
            if refusal is None:
                yield who
            else:
                assert isinstance(refusal, Forbidden) or verb not in ALLOWED[submission.status]
        assert stored() == before
        transaction.set_rollback(True)


def refused(verb: str, visitor: Visitor, submission: Submission) -> Exception | None:
    try:
        VERBS[verb](visitor, submission, Saying(version=submission.version, value=1))
    except (Refusal, Remark.DoesNotExist) as refusal:  # a draft has no remarks to answer or settle
        return refusal
    return None


def make_ready(verb: str, submission: Submission, people: dict[str, Visitor]) -> None:
    """Nothing is in the way of the verb but the person: questions are answered, there is a settled remark."""
    there = Remark.objects.filter(revision__submission=submission)
    if verb == "file" and submission.status == Status.RETURNED:
        questions.answer_question(people["manager"], there.get(), kind=Reply.Kind.ANSWER, text="The sign says so.")
    elif verb == "send-back" and submission.editable:
        handover.send_to_manager(people["preparer"], submission, version=submission.version)
    elif verb == "reopen":
        there.update(state=Remark.State.RESOLVED)


def brought_to(state: str, people: dict[str, Visitor]) -> Submission:
    submission = ready_to_file(people["preparer"], "686a")
    for verb in LIVES[state]:
        take(people[BY.get(verb, "director")], verb, submission)
    return submission


def take(actor: Visitor, verb: str, submission: Submission) -> None:
    VERBS[verb](actor, submission, Saying(version=submission.version))
    Simulation.objects.update(passed=True)
    submission.refresh_from_db()


def stored() -> list[list[Any]]:
    """Where everything stands. What is only ever added to is counted by its events."""
    return [
        list(Submission.objects.values_list("status", "version")),
        list(Configuration.objects.values_list("name", "tables", "answers")),
        list(Remark.objects.values_list("state", "shown_with")),
        [Event.objects.count(), Version.objects.count(), Job.objects.count()],
    ]
