"""An all-or-nothing batch makes nobody wait for long: the number of its items that are applied one by one is bounded,
and the time that they take.
"""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django import Settings

from submissions.bulk import atomic_batches
from submissions.bulk.planned_items import Plans
from submissions.core.errors import Refusal
from submissions.models import Batch, Credential, Organization, Person, Submission
from tests.submissions.api.conftest import made
from tests.submissions.bulk.batches import confirmed, counted, happened, outcomes, send, sent
from tests.submissions.example_drafts import ready_to_file

pytestmark = pytest.mark.django_db
CREATE = {"action": "create", "chapter": "687a"}
GROUP = {"action": "add-group", "submission": "#1", "version": 1, "name": "Pit 3", "tables": "9"}


@pytest.fixture
def program(casino: Organization, settings: Settings) -> Credential:
    settings.BULK_TOGETHER = 3
    return made(casino, scopes=["prepare", "file"]).credential


def file(draft: Submission) -> dict[str, object]:
    return {"action": "file", "submission": draft.number, "version": draft.version}


@pytest.mark.parametrize("mode", ["live", "validate"])
def test_more_items_than_can_be_applied_one_by_one_together_are_refused(mode: str, program: Credential) -> None:
    with pytest.raises(Refusal) as refusal:
        send(program, *[file(Submission(number="RS-2026-00001"))] * 4, mode=mode, atomic=True)
    assert (refusal.value.code, refusal.value.option) == ("too-many-together", "all_or_nothing")
    assert "4 items" in refusal.value.message
    assert "3" in refusal.value.message
    assert "item by item" in refusal.value.fix
    assert Batch.objects.count() == 0


def test_items_that_are_planned_are_not_counted_unless_they_are_for_the_same_submission(program: Credential) -> None:
    change = {"action": "update", "submission": "#1", "version": 1, "answers": {"adjacent_boxes": 2}}
    assert counted(sent(program, *[CREATE] * 8, CREATE, GROUP, atomic=True)) == {"done": 10}
    with pytest.raises(Refusal, match="4 items"):
        send(program, CREATE, GROUP, change, change, *[CREATE] * 8, atomic=True)


def test_games_of_which_only_one_draft_may_be_open_are_counted(program: Credential) -> None:
    only, rest = CREATE | {"another": "no"}, {"action": "create", "chapter": "593"}
    assert counted(sent(program, *[rest] * 4, only, atomic=True)) == {"done": 5}
    with pytest.raises(Refusal, match="4 items"):
        send(program, *[CREATE] * 3, only, rest, atomic=True)


def test_item_by_item_any_number_is_accepted(program: Credential) -> None:
    assert counted(sent(program, CREATE, *[GROUP] * 4))["done"] == 2


def test_items_that_take_too_long_together_are_not_applied(
    program: Credential, manager: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [ready_to_file(manager, "687a") for _ in range(2)]
    monkeypatch.setattr(atomic_batches, "LONGEST_S", 0.0)
    monkeypatch.setattr(atomic_batches, "PAUSE_S", 0.0)
    before = happened()
    batch = confirmed(manager, sent(program, CREATE, *map(file, rows), atomic=True))
    undone = ("undone", "others-refused")
    assert outcomes(batch) == [("refused", "too-many-together"), undone, undone]
    assert (Submission.objects.filter(status="filed").count(), happened()["started"]) == (0, before["started"])


def test_batch_that_took_too_long_once_is_tried_again(
    program: Credential, manager: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [ready_to_file(manager, "687a") for _ in range(2)]
    monkeypatch.setattr(atomic_batches, "PAUSE_S", 0.0)
    refresh = atomic_batches.refresh_plans

    def slow_once(*given: Any) -> Plans:
        monkeypatch.setattr(atomic_batches, "LONGEST_S", 60.0)  # from the next attempt on
        return refresh(*given)

    monkeypatch.setattr(atomic_batches, "LONGEST_S", 0.0)
    monkeypatch.setattr(atomic_batches, "refresh_plans", slow_once)
    batch = confirmed(manager, sent(program, CREATE, *map(file, rows), atomic=True))
    assert (counted(batch), happened()["filed"]) == ({"done": 3}, 2)
