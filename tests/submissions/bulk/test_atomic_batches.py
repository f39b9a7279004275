"""An all-or-nothing batch makes nobody wait for long: the number of its items that are applied one by one is bounded,
and the time that they take.
"""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django import Settings

from submissions.bulk import batch_worker
from submissions.bulk.planned_items import Plans
from submissions.core.errors import Refusal
from submissions.models import Batch, Credential, Organization, Person, Submission
from tests.submissions.api.clients import made
from tests.submissions.bulk.batches import confirmed, counted, happened, outcomes, send, sent
from tests.submissions.example_drafts import ready_to_file

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("works_alone"), pytest.mark.service("transactions")]
CREATE = {"action": "create", "chapter": "687a"}
GROUP = {"action": "add-group", "submission": "#1", "version": 1, "name": "Pit 3", "tables": "9"}


@pytest.fixture
def program(casino: Organization, settings: Settings) -> Credential:
    settings.BULK_TOGETHER = 1
    return made(casino, scopes=["prepare", "file"]).credential


def file(draft: Submission) -> dict[str, object]:
    return {"action": "file", "submission": draft.number, "version": draft.version}


FILE = file(Submission(number="RS-2026-00001"))
RETURN = FILE | {"action": "return"}


@pytest.mark.parametrize("mode", ["live", "validate"])
@pytest.mark.parametrize(
    ("items", "sent_ones"),
    [
        ([FILE] * 2, "2 file"),
        ([GROUP | {"submission": "RS-2026-00001"}] * 5, "5 add-group"),
        ([FILE, GROUP | {"submission": "RS-2026-00001"}], "1 file, 1 add-group"),
        ([CREATE, GROUP, GROUP, GROUP, {"action": "update", "submission": "#1"}], "3 add-group, 1 create, 1 update"),
        ([CREATE | {"another": "no"}, *[CREATE] * 4], "5 create"),
        ([{"action": "nothing"}] * 5, "5 nothing"),
    ],
)
def test_more_items_than_can_be_applied_one_by_one_together_are_refused(
    items: list[object], sent_ones: str, mode: str, program: Credential
) -> None:
    with pytest.raises(Refusal) as refusal:
        send(program, *items, mode=mode, atomic=True)
    assert (refusal.value.code, refusal.value.option) == ("too-many-together", "all_or_nothing")
    assert f"wait: {sent_ones}. The limit is 1 file, 2 recommend or return, or 4 other items." in refusal.value.message
    assert "item by item" in refusal.value.fix
    assert Batch.objects.count() == 0


@pytest.mark.parametrize(
    "items", [[FILE], [CREATE, *[GROUP] * 3], [CREATE | {"another": "no"}] * 4, [{"action": "nothing"}] * 4]
)
def test_as_many_as_are_allowed_are_accepted_beside_any_number_that_is_planned(
    items: list[object], program: Credential
) -> None:
    rest = [{"action": "create", "chapter": "593"}] * 8
    assert send(program, *items, *rest, atomic=True).total == len(items) + 8


def test_board_may_return_two_in_place_of_a_filing(board: Organization, program: Credential) -> None:
    analyst = made(board, scopes=["review"]).credential
    assert send(analyst, RETURN, RETURN, atomic=True).total == 2
    with pytest.raises(Refusal, match="3 return"):
        send(analyst, RETURN, RETURN, RETURN, atomic=True)


def test_item_by_item_any_number_is_accepted(program: Credential) -> None:
    assert send(program, *[FILE] * 40).total == 40


def test_items_that_take_too_long_together_are_not_applied(
    program: Credential, manager: Person, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BULK_TOGETHER = 2
    rows = [ready_to_file(manager, "687a") for _ in range(2)]
    monkeypatch.setattr(batch_worker, "LONGEST_S", 0.0)
    monkeypatch.setattr(batch_worker, "PAUSES_S", (0.0,))
    before = happened()
    batch = confirmed(manager, sent(program, CREATE, *map(file, rows), atomic=True))
    undone = ("undone", "others-refused")
    assert outcomes(batch) == [("refused", "too-many-together"), undone, undone]
    assert (Submission.objects.filter(status="filed").count(), happened()["started"]) == (0, before["started"])


def test_batch_that_took_too_long_once_is_tried_again(
    program: Credential, manager: Person, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BULK_TOGETHER = 2
    rows = [ready_to_file(manager, "687a") for _ in range(2)]
    monkeypatch.setattr(batch_worker, "PAUSES_S", (0.0,))
    refresh = batch_worker.current_plans

    def slow_once(*given: Any) -> Plans:
        monkeypatch.setattr(batch_worker, "LONGEST_S", 60.0)  # from the next attempt on
        return refresh(*given)

    monkeypatch.setattr(batch_worker, "LONGEST_S", 0.0)
    monkeypatch.setattr(batch_worker, "current_plans", slow_once)
    batch = confirmed(manager, sent(program, CREATE, *map(file, rows), atomic=True))
    assert (counted(batch), happened()["filed"]) == ({"done": 3}, 2)
