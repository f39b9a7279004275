"""A wager that loses money for the house is a finding on every door, and a director confirms it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.registry import chapter
from submissions.core.errors import Refusal
from submissions.documents.context import document_context
from submissions.documents.document_record import document_record
from submissions.filings.diff import compare_revisions
from submissions.filings.evidence import computations
from submissions.filings.review import decisions
from submissions.filings.review.decisions import to_confirm
from submissions.models import Decision, Event, Person, Revision, Simulation, Status, Submission
from tests.games.chapters.examples import example
from tests.submissions.api.clients import made, system
from tests.submissions.approved import Cast, change
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.web.clients import browser

RULE = "589.player-has-the-edge"
HOLD = "on the Super Wager under “Paytable B”, the hold is −18.7552 %"
# of the chapter's example
MESSAGE = f"Of all money wagered {HOLD}: taken by itself, the wager loses money for the house in the long run."
TEMPORARY = "Chapter 589 is a temporary regulation; whether it is still in effect is not known from the available text"


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director)


@pytest.fixture
def draft(manager: Person) -> Submission:
    return ready_to_file(manager, "589")


@pytest.fixture
def program(manager: Person) -> Client:
    assert manager.organization
    return system(made(manager.organization).token)


def recommended(cast: Cast, draft: Submission) -> Revision:
    revision = cast.file(draft)
    draft.refresh_from_db()
    decisions.recommend_approval(cast.analyst, draft, version=draft.version)
    draft.refresh_from_db()
    return revision


def rules_in(client: Client, draft: Submission) -> list[str]:
    rows: list[dict[str, Any]] = client.get(f"/api/v1/submissions/{draft.number}/findings/").json()["results"]
    return [row["rule"] for row in rows if row["rule"] == RULE]


def page(person: Person, name: str, draft: Submission) -> str:
    return " ".join(browser(person).get(reverse(name, args=[draft.number])).content.decode().split())


def test_draft_has_it_once_its_figures_are_stored(manager: Person, draft: Submission, program: Client) -> None:
    assert HOLD not in page(manager, "checklist", draft)
    assert rules_in(program, draft) == []
    computations.compute_figures(chapter("589"))
    assert HOLD in page(manager, "checklist", draft)
    assert HOLD in page(manager, "file", draft)
    assert rules_in(program, draft) == [RULE]


def test_judge_of_the_api_has_it(program: Client) -> None:
    computations.compute_figures(chapter("589"))
    sent = {"answers": {key: value for key, value in example("589").items() if not isinstance(value, dict)}}
    judged = program.post("/api/v1/chapters/589/judge/", sent, content_type="application/json").json()
    (finding,) = (row for row in judged["findings"] if row["rule"] == RULE)
    assert (finding["severity"], finding["message"]) == ("warning", MESSAGE)


def test_snapshot_does_not_depend_on_stored_figures(cast: Cast, draft: Submission) -> None:
    computations.compute_figures(chapter("589"))
    (row,) = cast.file(draft).content["configurations"]
    assert RULE not in [finding["rule"] for finding in row["findings"]]


def test_filing_has_it_by_its_frozen_figures(cast: Cast, draft: Submission, program: Client) -> None:
    revision = recommended(cast, draft)
    for person in (cast.manager, cast.analyst):
        assert HOLD in page(person, "submission", draft)
    assert rules_in(program, draft) == [RULE]
    record = document_record(revision)
    assert [finding["rule"] for finding in record["hold_findings"][0]] == [RULE]
    printed = [(row["rule"], row["message"]) for row in document_context(record)["common"]["findings"]]
    assert (RULE, MESSAGE) in printed


def test_filing_without_figures_has_none_yet(cast: Cast, draft: Submission) -> None:
    revision = cast.file(draft)
    Simulation.objects.filter(revision=revision).update(analysis=None)
    revision = Revision.objects.get(pk=revision.pk)
    assert [text.split(" (")[0] for text in to_confirm(revision)] == [TEMPORARY]
    assert "hold_findings" not in document_record(revision)


def test_director_confirms_it_and_the_decision_keeps_it(cast: Cast, draft: Submission) -> None:
    revision = recommended(cast, draft)
    temporary, on_hold = to_confirm(revision)
    assert (temporary.split(" (")[0], on_hold) == (TEMPORARY, MESSAGE)
    with pytest.raises(Refusal) as refused:
        decisions.approve_submission(cast.director, draft, version=draft.version)
    assert refused.value.code == "approval-not-confirmed"
    assert refused.value.message == f"You must confirm this approval: {temporary} {MESSAGE}"
    box = page(cast.director, "submission", draft).split('for="confirmed"')[1].split("</label>")[0]
    assert HOLD in box
    decisions.approve_submission(cast.director, draft, version=draft.version, confirmed=True)
    draft.refresh_from_db()
    assert draft.status == Status.APPROVED
    assert Decision.objects.get(kind="approve").confirmed == [temporary, MESSAGE]
    assert Event.objects.get(verb="approved").after["confirmed"] == [temporary, MESSAGE]


def test_chapter_without_such_a_wager_asks_no_confirmation(cast: Cast) -> None:
    assert to_confirm(recommended(cast, ready_to_file(cast.manager, "683a"))) == ()


def test_difference_names_the_paytable_that_loses_money(cast: Cast) -> None:
    before = cast.version("589", super_wager=False, super_paytable=None)
    after = cast.amend(before.submission, super_wager=True, super_paytable="Paytable B")
    (part,) = compare_revisions(before, after).parts
    assert ([finding["message"] for finding in part.new_findings], part.settled) == ([MESSAGE], ())


def test_chosen_paytable_is_the_one_that_is_judged(cast: Cast, draft: Submission) -> None:
    change(cast.manager, draft, {"super_paytable": "Paytable A"})
    _, message = to_confirm(cast.file(draft))
    assert "“Paytable A”, the hold is −25.1916 %" in message
