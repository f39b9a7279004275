"""Every kind of item, done and refused: what it makes, what it changes, and that trying it out changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from submissions.bulk import batch_results
from submissions.bulk.item_handlers import _HANDLERS
from submissions.bulk.items import ITEM_VERBS
from submissions.filings import table_groups
from submissions.filings.review import comments, decisions
from submissions.models import Configuration, Credential, Event, Organization, Person, Remark, Revision, Submission
from tests.games.chapters.examples import example
from tests.submissions.api.clients import made
from tests.submissions.approved import ONE_WAY_OF_DEALING, Cast
from tests.submissions.bulk.batches import confirmed, happened, item, outcomes, sent, undone
from tests.submissions.example_drafts import ready_to_file

pytestmark = pytest.mark.usefixtures("works_alone")
COMBINATIONS = [(mode, atomic) for mode in ("validate", "live") for atomic in (False, True)]


@dataclass(frozen=True, slots=True)
class Scene:
    """A casino and the Board, with their programs, and something in every state when it is asked for."""

    cast: Cast
    casino: Credential
    board: Credential

    def draft(self) -> Submission:
        return ready_to_file(self.cast.manager, "687a")

    def filed(self) -> Submission:
        draft = self.draft()
        self.cast.file(draft)
        draft.refresh_from_db()
        return draft

    def returned(self) -> Submission:
        filed = self.filed()
        comments.write_comment(
            self.cast.analyst, filed, revision=1, text="Why so many?", audience="licensee", option="adjacent_boxes"
        )
        decisions.return_to_licensee(self.cast.analyst, filed, version=filed.version)
        filed.refresh_from_db()
        return filed

    def approved(self) -> Submission:
        return Submission.objects.get(pk=self.cast.version("687a").submission_id)


@pytest.fixture
def scene(casino: Organization, board: Organization, manager: Person, analyst: Person, director: Person) -> Scene:
    return Scene(
        Cast(manager, analyst, director, computes=False),
        made(casino, scopes=["read", "prepare", "file"]).credential,
        made(board, scopes=["read", "review"]).credential,
    )


def named(submission: Submission, **fields: object) -> dict[str, object]:
    return {"submission": submission.number, "version": submission.version, **fields}


def in_draft(scene: Scene) -> dict[str, object]:
    draft = scene.draft()
    return named(draft, version=draft.configurations.get().version)


def with_group(scene: Scene) -> dict[str, object]:
    draft = scene.draft()
    row = table_groups.add_group(scene.cast.manager, draft, table_groups.GroupDescription("Pit 3", "12-15"))
    return named(draft, group=row.position, version=row.version)


def asked(scene: Scene) -> dict[str, object]:
    return named(scene.returned(), remark=Remark.objects.get().pk)


@dataclass(frozen=True, slots=True)
class Case:
    """An item that is done, the history of it, what it names; and with what else it is refused, by which code."""

    about: Callable[[Scene], dict[str, object]]
    fields: Mapping[str, object]
    history: tuple[str, ...]
    wrong: Mapping[str, object]
    code: str
    makes: frozenset[str] = frozenset({"submission", "version"})
    by_board: bool = False
    status: int = 400


ANSWERED = frozenset({"submission", "version", "group", "configuration_version"})
MORE = {"adjacent_boxes": 3}
CASES: dict[str, Case] = {
    "create": Case(
        lambda scene: {}, {"chapter": "687a", "answers": {"adjacent_boxes_allowed": True, "adjacent_boxes": 2}},
        ("started", "saved"), {"chapter": "999"}, "unknown-chapter", ANSWERED,
    ),
    "update": Case(
        in_draft, {"answers": MORE}, ("saved",), {"answers": {"adjacent_boxes": 7}}, "answers-not-allowed", ANSWERED
    ),
    "amend": Case(
        lambda scene: named(scene.approved()), {"answers": MORE}, ("amends", "saved"), {"version": 1},
        "changed-meanwhile", ANSWERED, status=409,
    ),
    "copy": Case(
        lambda scene: named(scene.approved()), {"answers": MORE}, ("started", "saved"), {"version": 7},
        "changed-meanwhile", ANSWERED | {"not_copied"}, status=409,
    ),
    "add-group": Case(
        lambda scene: named(scene.draft()), {"name": "Pit 3", "tables": "12-15", "answers": MORE},
        ("grouped", "saved"), {"tables": "9-7"}, "group-tables-unreadable", ANSWERED,
    ),
    "remove-group": Case(with_group, {}, ("ungrouped",), {"group": 7}, "no-such-group", status=409),
    "answer": Case(
        asked, {"kind": "answered", "text": "The pit is wide."}, ("answered",), {"kind": "disputed", "text": ""},
        "reason-missing", frozenset({"submission", "version", "remark"}),
    ),
    "file": Case(
        lambda scene: named(scene.draft()), {}, ("filed",), {"version": 7}, "changed-meanwhile",
        frozenset({"submission", "version", "receipt", "sha256", "seen", "filing"}), status=409,
    ),
    "withdraw": Case(
        lambda scene: named(scene.filed()), {"reason": "The game is not offered."}, ("withdrew",), {"reason": "\x07"},
        "control-characters",
    ),
    "remark": Case(
        lambda scene: named(scene.filed()),
        {"revision": 1, "audience": "licensee", "text": "Why so many?", "option": "adjacent_boxes"}, ("remarked",),
        {"option": "nothing"}, "unknown-line", frozenset({"submission", "version", "remark"}), by_board=True,
    ),
    "recommend": Case(
        lambda scene: named(scene.filed()), {}, ("recommended",), {"version": 7}, "changed-meanwhile", by_board=True,
        status=409,
    ),
    "return": Case(
        lambda scene: named(scene.filed()), {"reason": "Which shuffler?"}, ("returned",), {"reason": ""},
        "question-missing", by_board=True,
    ),
}  # fmt: skip


def state() -> tuple[Any, ...]:
    """All that an item could change."""
    rows = Submission.objects.order_by("pk").values_list("pk", "status", "version", "changed_at")
    configurations = Configuration.objects.order_by("pk").values_list("pk", "version", "answers")
    return list(rows), list(configurations), Event.objects.count(), Remark.objects.count()


def test_every_kind_of_item_is_tried_here() -> None:
    assert CASES.keys() == ITEM_VERBS.keys() == {"create", *_HANDLERS}


@pytest.mark.parametrize("verb", CASES)
def test_wrong_item_is_refused_and_right_one_tried_out_and_nothing_is_changed(verb: str, scene: Scene) -> None:
    case = CASES[verb]
    by = scene.board if case.by_board else scene.casino
    right = {"action": verb, **case.about(scene), **case.fields}
    before = state()
    for mode, atomic in COMBINATIONS:
        batch = sent(by, {**right, **case.wrong}, mode=mode, atomic=atomic)
        assert (batch.state, outcomes(batch), state()) == ("done", [("refused", case.code)], before)
        answer = item(batch)
        assert (answer.status, bool(answer.message), answer.made, answer.changes) == (case.status, True, {}, [])
    for atomic in (False, True):
        batch = sent(by, right, mode="validate", atomic=atomic)
        assert (batch.state, outcomes(batch), state()) == ("done", [("passed", "")], before)


@pytest.mark.parametrize("verb", CASES)
def test_item_is_done_once(verb: str, scene: Scene, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests) -> None:
    case = CASES[verb]
    by, signer = (scene.board, scene.cast.analyst) if case.by_board else (scene.casino, scene.cast.manager)
    right = {"action": verb, **case.about(scene), **case.fields}
    for atomic in (False, True):
        with subtests.test(atomic=atomic), undone(monkeypatch):
            before = happened()
            batch = sent(by, right, atomic=atomic)
            if ITEM_VERBS[verb].signed:
                assert (batch.state, outcomes(batch), happened()) == ("waiting", [("passed", "")], before)
                confirmed(signer, batch)
                before["bulk-confirmed"] += 1
                batch.refresh_from_db()
            assert (batch.state, outcomes(batch)) == ("done", [("done", "")])
            assert happened() - before == dict.fromkeys(case.history, 1)
            answer = item(batch)
            assert (answer.status, answer.made.keys()) == (200, case.makes)
            last = Event.objects.filter(verb=case.history[-1]).latest("sequence")
            assert last.actor == (signer if ITEM_VERBS[verb].signed else by.service_account)


def test_changes_are_told_in_words(scene: Scene) -> None:
    draft = scene.draft()
    batch = sent(scene.casino, {"action": "update", **named(draft, version=2), "answers": MORE}, mode="validate")
    (change,) = item(batch).changes
    assert (change["option"], change["before"], change["after"]) == ("adjacent_boxes", "2", "3")


def test_answers_from_a_spreadsheet_are_read_by_their_lines(scene: Scene) -> None:
    draft = scene.draft()
    typed = {"adjacent_boxes": "3", "adjacent_boxes_allowed": "yes"}
    batch = sent(
        scene.cast.manager,
        {"action": "update", **named(draft, version=2), "answers": typed},
        form="csv",
        needs_confirmation=True,
    )
    confirmed(scene.cast.manager, batch)
    assert draft.configurations.get().answers == {**example("687a"), "adjacent_boxes": 3}


def test_finding_that_was_there_already_refuses_nothing(scene: Scene) -> None:
    """A page keeps what is wrong; a program that changes another line is not told off for it."""
    draft = scene.draft()
    row = draft.configurations.get()
    Configuration.objects.filter(pk=row.pk).update(answers={**row.answers, "adjacent_boxes": 7})
    change = {"action": "update", **named(draft, version=row.version), "answers": {"odds_posted": "layout"}}
    assert outcomes(sent(scene.casino, change, mode="validate")) == [("passed", "")]


def test_lines_that_are_still_open_refuse_nothing(scene: Scene) -> None:
    batch = sent(scene.casino, {"action": "create", "chapter": "687a"})
    assert item(batch).made.keys() == ANSWERED


def test_filing_of_answers_changed_since_the_check_is_refused(scene: Scene) -> None:
    """What was confirmed is what is filed; nothing else."""
    draft = scene.draft()
    batch = sent(scene.casino, {"action": "file", **named(draft)})
    sent(scene.casino, {"action": "update", **named(draft, version=2), "answers": MORE})
    confirmed(scene.cast.manager, batch)
    assert outcomes(batch) == [("refused", "configuration-changed-meanwhile")]
    draft.refresh_from_db()
    assert draft.status == "draft"


def test_first_filing_says_so_with_its_answers_and_findings(scene: Scene) -> None:
    batch = sent(scene.casino, {"action": "file", **named(scene.draft())})
    checked = item(batch).made["filing"]
    assert (checked["base"], checked["findings"], item(batch).changes) == ("", 1, [])  # a proposed chapter
    confirmed(scene.cast.manager, batch)
    revision = Revision.objects.get()
    assert checked["answers"] == sum(bool(line["answer"]) for line in revision.content["configurations"][0]["lines"])
    assert "filing" not in batch_results.reported_result(item(batch))


def test_filing_says_what_differs_with_the_changes_that_the_batch_makes_before(scene: Scene) -> None:
    approved = scene.cast.version("687a", **ONE_WAY_OF_DEALING)
    items = [
        {"action": "amend", **named(Submission.objects.get(pk=approved.submission_id))},
        {"action": "update", "submission": "#1", "version": 1, "answers": {"adjacent_boxes": 4}},
        {"action": "add-group", "submission": "#1", "version": 1, "name": "High limit", "tables": "3, 7-9"},
        {"action": "file", "submission": "#1", "version": 1},
    ]
    batch = sent(scene.casino, *items)
    assert outcomes(batch) == [("passed", "")] * 4
    assert item(batch, 4).made["filing"]["base"] == approved.receipt
    found, was = item(batch, 4).changes, str(approved.content["configurations"][0]["answers"]["adjacent_boxes"])
    assert [(one["option"], one["question"].split(":")[0], one["before"], one["after"]) for one in found] == [
        ("", "Table group", "no such group", "tables 3, 7-9"),
        ("adjacent_boxes", "All other tables", was, "4"),
        ("adjacent_boxes", "Tables 3, 7-9", was, "4"),
    ]
    confirmed(scene.cast.manager, batch)
    assert (item(batch, 4).state, item(batch, 4).changes) == ("done", found)
