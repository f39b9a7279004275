"""One wrong row among very many is reported alone and the rest done; or nothing is, where all or nothing is asked for.

`make soak` does it with 5,000 rows, the suite with a few.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from submissions.models import Configuration, Credential, Event, Organization, Person, Submission
from tests.games.chapters.examples import example
from tests.soak import SOAK
from tests.submissions.api.clients import made
from tests.submissions.bulk.batches import counted, sent

pytestmark = pytest.mark.django_db
ROWS = 5_000 if SOAK else 60
WRONG = ROWS // 2  # its index
CHAPTER, BEFORE, AFTER = "678a", "15.00", "25.00"
Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class World:
    program: Credential
    rows: list[Row]
    theirs: str  # a submission of another casino


def drafts_of(owner: Person, count: int, first: int) -> list[Submission]:
    made_of = [
        Submission(
            number=f"RS-2026-{place:05}", organization=owner.organization, chapter=CHAPTER, created_by=owner
        )
        for place in range(first, first + count)
    ]  # fmt: skip
    rows = Submission.objects.bulk_create(made_of, batch_size=500)
    answers = example(CHAPTER)
    Configuration.objects.bulk_create([Configuration(submission=row, answers=answers) for row in rows], batch_size=500)
    return rows


@pytest.fixture
def world(casino: Organization, manager: Person, stranger: Person) -> World:
    rows = drafts_of(manager, ROWS, 1)
    (theirs,) = drafts_of(stranger, 1, ROWS + 1)
    program = made(casino, scopes=["prepare"]).credential
    return World(program, [row_for(row.number) for row in rows], theirs.number)


def row_for(number: str) -> Row:
    return {"action": "update", "submission": number, "version": 1, "answers": {"minimum_wager": AFTER}}


def answers(**wrong: object) -> Callable[[World, Row], Row]:
    return lambda world, row: {**row, "answers": wrong}


def stale(world: World, row: Row) -> Row:
    """Somebody changed it since the program has read it."""
    Configuration.objects.filter(submission__number=row["submission"]).update(version=2)
    return row


def theirs(world: World, row: Row) -> Row:
    return {**row, "submission": world.theirs}


@dataclass(frozen=True, slots=True)
class Case:
    make: Callable[[World, Row], Row]
    code: str
    status: int = 400
    section: str = ""
    option: str = ""


CASES = {
    "unknown key": Case(answers(progressive_rest="30000.00"), "unknown-line", option="progressive_rest"),
    "paytable of another chapter": Case(
        answers(flush_bonus_paytable="Paytable 4"), "answers-not-allowed", option="flush_bonus_paytable",
        section="§ 678a.12(b)",
    ),
    "reset below the minimum": Case(
        answers(progressive_reset="29999.99"), "answers-not-allowed", option="progressive_reset",
        section="§ 678a.12(d)(3)",
    ),
    "stale version": Case(stale, "configuration-changed-meanwhile", 409, option="version"),
    "another casino's": Case(theirs, "not-found", 404, option="submission"),
    "2 MB of text": Case(answers(from_hand_tables="7, " * 700_000), "item-too-large"),
}  # fmt: skip


@pytest.mark.parametrize("atomic", [False, True], ids=["item by item", "all or nothing"])
@pytest.mark.parametrize("name", CASES)
def test_one_wrong_row_is_reported_alone(name: str, atomic: bool, world: World) -> None:
    case, rows = CASES[name], list(world.rows)
    rows[WRONG] = case.make(world, rows[WRONG])
    batch = sent(world.program, *rows, atomic=atomic)
    (wrong,) = batch.items.filter(state="refused")
    assert (wrong.place, wrong.status, wrong.code) == (WRONG + 1, case.status, case.code)
    assert (wrong.section, wrong.option, bool(wrong.message), bool(wrong.fix)) == (
        case.section,
        case.option,
        True,
        True,
    )
    changed = Configuration.objects.filter(answers__minimum_wager=AFTER).count()
    events = Event.objects.filter(verb="saved").count()
    if atomic:
        assert counted(batch) == {"refused": 1, "undone": ROWS - 1}
        assert (changed, events) == (0, 0)
    else:
        assert counted(batch) == {"refused": 1, "done": ROWS - 1}
        assert (changed, events) == (ROWS - 1, ROWS - 1)
    assert set(batch.items.filter(state="undone").values_list("status", "code")) <= {(424, "others-refused")}


@pytest.mark.parametrize("atomic", [False, True], ids=["item by item", "all or nothing"])
def test_rows_without_a_wrong_one_are_all_done(atomic: bool, world: World) -> None:
    batch = sent(world.program, *world.rows, atomic=atomic)
    assert (batch.state, counted(batch)) == ("done", {"done": ROWS})
    assert Configuration.objects.filter(answers__minimum_wager=AFTER, version=2).count() == ROWS
    assert Event.objects.filter(verb="saved").count() == ROWS
