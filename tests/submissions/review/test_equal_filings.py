"""Equal filings of several licensees: when they are offered, and that deciding together is deciding each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from submissions.filings import drafts, filing, table_groups
from submissions.filings.answer_values import answers_digest
from submissions.filings.review import comments, decisions
from submissions.filings.review.equal_filings import Terms, decide_together, equal_groups
from submissions.filings.review.pages import worklist
from submissions.filings.table_groups import GroupDescription
from submissions.models import Decision, Event, Job, Notice, Organization, Person, Role, Simulation, Submission
from tests.cast import person
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.web.clients import browser

CHAPTER = "686a"


@pytest.fixture
def managers(manager: Person, stranger: Person) -> tuple[Person, Person, Person]:
    north = Organization.objects.create(kind="licensee", name="Casino North", slug="north")
    return manager, stranger, person(north, Role.MANAGER, "Manager North")


def file(by: Person, change: Callable[[Submission], object] = lambda draft: None, chapter: str = CHAPTER) -> Submission:
    draft = ready_to_file(by, chapter)
    change(draft)
    draft.refresh_from_db()
    filing.file_submission(by, draft, version=draft.version, attested=True)
    Simulation.objects.update(passed=True)
    draft.refresh_from_db()
    return draft


@pytest.fixture
def three(managers: tuple[Person, Person, Person]) -> list[Submission]:
    return [file(by) for by in managers]


def offered(reader: Person) -> list[tuple[str, tuple[str, ...]]]:
    return [(group.step, group.numbers) for group in equal_groups(reader)]


def numbers(rows: list[Submission]) -> tuple[str, ...]:
    return tuple(row.number for row in rows)


def chosen(rows: list[Submission]) -> list[tuple[str, int]]:
    for row in rows:
        row.refresh_from_db()
    return [(row.number, row.version) for row in rows]


def test_queue_shows_the_largest_groups_and_all_behind_a_link(
    three: list[Submission],
    managers: tuple[Person, Person, Person],
    analyst: Person,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for by in managers[:2]:
        file(by, chapter="585")
    monkeypatch.setattr(worklist, "EQUAL_SHOWN", 1)
    shown = browser(analyst).get(reverse("home")).content.decode()
    assert ("3 equal filings" in shown, "2 equal filings" in shown) == (True, False)
    assert '<a href="?equal=all#equal">All groups of equal filings</a>: 1 more.' in shown
    every = browser(analyst).get(reverse("home") + "?equal=all").content.decode()
    assert ("2 equal filings" in every, "All groups" in every) == (True, False)


def test_equal_filings_offered_to_who_reviews(three: list[Submission], analyst: Person, manager: Person) -> None:
    assert offered(analyst) == [("recommend", numbers(three))]
    assert equal_groups(manager) == []


def test_filing_with_another_answer_is_not_equal(managers: tuple[Person, ...], analyst: Person) -> None:
    def other_answer(draft: Submission) -> None:
        answers = draft.configurations.get().answers
        value = not answers["verbal_wagers"]
        drafts.save_answers(managers[2], draft, {"verbal_wagers": value}, seen=answers, strict=True)

    rows = [file(managers[0]), file(managers[1])]
    file(managers[2], other_answer)
    assert offered(analyst) == [("recommend", numbers(rows))]


def test_numbers_of_tables_and_names_of_groups_may_differ(managers: tuple[Person, ...], analyst: Person) -> None:
    def group(name: str, tables: str, by: Person) -> Callable[[Submission], object]:
        return lambda draft: table_groups.add_group(by, draft, GroupDescription(name, tables))

    rows = [
        file(managers[0], group("High limit", "3, 5", managers[0])),
        file(managers[1], group("Pit A", "12", managers[1])),
    ]
    file(managers[2])  # without a group
    assert offered(analyst) == [("recommend", numbers(rows))]


def test_one_licensee_alone_is_no_group(manager: Person, analyst: Person) -> None:
    file(manager)
    assert equal_groups(analyst) == []


def test_filing_with_an_open_comment_or_without_evidence_is_left_out(three: list[Submission], analyst: Person) -> None:
    remark = comments.write_comment(analyst, three[0], revision=1, text="Why?", audience="board")
    assert offered(analyst) == [("recommend", numbers(three[1:]))]
    comments.resolve_comment(analyst, remark)
    assert offered(analyst) == [("recommend", numbers(three))]
    for result in (None, False):
        Simulation.objects.filter(revision__submission=three[1]).update(passed=result)
        assert offered(analyst) == [("recommend", (three[0].number, three[2].number))]


def test_recommended_and_filed_are_two_groups_and_never_for_the_recommender(
    three: list[Submission], director: Person, other_director: Person
) -> None:
    (group,) = equal_groups(director)
    outcomes = decide_together(director, "recommend", group.digest, chosen(three[:2]), Terms())
    assert [outcome.refusal for outcome in outcomes] == [None, None]
    assert offered(director) == []  # one is left
    assert offered(other_director) == [("approve", numbers(three[:2]))]
    own = decide_together(director, "approve", group.digest, chosen(three[:2]), Terms())
    assert [outcome.refusal.code for outcome in own if outcome.refusal] == ["not-allowed"] * 2


def test_each_gets_its_own_event_document_and_notices(
    three: list[Submission], analyst: Person, director: Person, managers: tuple[Person, ...]
) -> None:
    (group,) = equal_groups(analyst)
    decide_together(analyst, "recommend", group.digest, chosen(three), Terms())
    outcomes = decide_together(
        director, "approve", group.digest, chosen(three), Terms(reason="As filed.", confirmed=True)
    )
    assert [outcome.refusal for outcome in outcomes] == [None] * 3
    events = Event.objects.filter(verb="approved").order_by("sequence")
    assert [(event.submission.number, event.reason) for event in events] == [
        (number, "As filed.") for number in numbers(three)
    ]
    assert Decision.objects.filter(kind="approve", by=director).count() == 3
    subjects = set(Job.objects.filter(kind=Job.Kind.DOCUMENT).values_list("subject", flat=True))
    assert subjects == {row.revisions.get().pk for row in three}
    assert {
        notice.person for notice in Notice.objects.filter(event__verb="approved", person__role=Role.MANAGER)
    } == set(managers)


def test_one_that_changed_is_named_and_stops_no_other(three: list[Submission], analyst: Person) -> None:
    (group,) = equal_groups(analyst)
    seen = chosen(three)
    decisions.return_to_licensee(analyst, three[1], version=three[1].version, reason="Which rack?")
    outcomes = decide_together(analyst, "recommend", group.digest, seen, Terms())
    assert [outcome.refusal and outcome.refusal.code for outcome in outcomes] == [None, "filing-not-equal", None]
    statuses = [Submission.objects.get(pk=row.pk).status for row in three]
    assert statuses == ["recommended", "returned", "recommended"]
    assert not Decision.objects.filter(revision__submission=three[1], kind="recommend").exists()


def test_snapshot_counts_and_not_the_index(three: list[Submission], analyst: Person) -> None:
    outcomes = decide_together(analyst, "recommend", "0" * 64, chosen(three), Terms())
    assert [outcome.refusal.code for outcome in outcomes if outcome.refusal] == ["filing-not-equal"] * 3


def test_waived_finding_is_equal_to_none(three: list[Submission]) -> None:
    content = three[0].revisions.get().content
    assert answers_digest(content) != ""
    content["configurations"][0]["findings"] = [{"rule": "x", "severity": "blocking", "waiver": {"number": "BO-1"}}]
    assert answers_digest(content) == ""


def address(reader: Person) -> str:
    (group,) = equal_groups(reader)
    return reverse("equal-filings", args=[group.step, group.digest])


def test_page_shows_what_differs_and_what_is_equal(three: list[Submission], analyst: Person) -> None:
    assert "3 equal filings" in browser(analyst).get(reverse("home")).content.decode()
    text = browser(analyst).get(address(analyst)).content.decode()
    for words in ("3 equal filings: ", "What differs", "What is equal", "Casino North", *numbers(three)):
        assert words in text


def test_page_decides_with_one_confirmation(three: list[Submission], analyst: Person) -> None:
    sent: dict[str, Any] = {"filing": [f"{number}:{version}" for number, version in chosen(three[:2])]}
    where = address(analyst)
    assert browser(analyst, confirmed=False).post(where, sent).status_code == 403
    answer = browser(analyst).post(where, sent, follow=True)
    assert f"Recommended 2 filings: {three[0].number} and {three[1].number}." in answer.content.decode()
    statuses = [Submission.objects.get(pk=row.pk).status for row in three]
    assert statuses == ["recommended", "recommended", "filed"]


def test_page_names_what_was_not_decided(three: list[Submission], analyst: Person) -> None:
    where = address(analyst)
    comments.write_comment(analyst, three[2], revision=1, text="Why?", audience="board")
    sent = {"filing": [f"{number}:{version}" for number, version in chosen(three)]}
    text = browser(analyst).post(where, sent, follow=True).content.decode()
    assert f"{three[2].number} is not decided: {three[2].number} is no longer equal to the other filings" in text
    assert browser(analyst).post(where, {}).status_code == 404  # the group is decided
