"""The feed: exactly the events that the histories show, each once, in an order that no later event breaks."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from submissions.filings import drafts, filing
from submissions.filings.review import comments, decisions
from submissions.models import Event, Organization, Person, Submission
from submissions.permissions import history_visible_to
from submissions.permissions.visible import START, events_after
from tests.submissions.api.clients import made, system
from tests.submissions.example_drafts import answer_all, ready_to_file

pytestmark = pytest.mark.service("queries")

FEED = "/api/v1/events/"
GAME, LINE = "682a", "aces_bonus_minimum"


def file(manager: Person, submission: Submission) -> None:
    submission.refresh_from_db()
    filing.file_submission(manager, submission, version=submission.version, attested=True)
    submission.refresh_from_db()


def change(manager: Person, submission: Submission, answer: str) -> None:
    seen = submission.configurations.get().answers
    drafts.save_answers(manager, submission, {LINE: answer}, seen=seen)


@pytest.fixture
def histories(manager: Person, stranger: Person, analyst: Person) -> list[Submission]:
    """One filed, returned, changed and filed again; one returned and being changed; one of another; one never filed."""
    again, returned, other = (ready_to_file(who, GAME) for who in (manager, manager, stranger))
    draft = ready_to_file(manager, GAME)
    for who, one in ((manager, again), (manager, returned), (stranger, other)):
        file(who, one)
    for one in (again, returned):
        comments.write_comment(analyst, one, revision=1, audience="licensee", text="Why?", option=LINE)
        decisions.return_to_licensee(analyst, one, version=one.version, reason="One thing.")
        one.refresh_from_db()
        change(manager, one, "10.00")
        answer_all(manager, one)
    change(manager, draft, "15.00")
    file(manager, again)
    return [again, returned, other, draft]


def shown(person: Person, submissions: list[Submission]) -> list[int]:
    return sorted(event.pk for one in submissions for event in history_visible_to(person, one))


def fed(person: Person, *, step: int = 500) -> list[int]:
    """The whole feed, so many events at a time."""
    place, found = START, []
    while more := events_after(person, place, step):
        place = more[-1][0]
        found += [event.pk for _, event in more]
    return found


def test_feed_is_what_the_histories_show(histories: list[Submission], manager: Person, analyst: Person) -> None:
    for person in (manager, analyst):
        assert sorted(fed(person)) == shown(person, histories)
        assert fed(person, step=1) == fed(person, step=3) == fed(person)


def test_what_was_drafted_comes_with_its_filing(histories: list[Submission], manager: Person, analyst: Person) -> None:
    """Whoever had read everything before the filing is told of the drafting then, and of nothing twice."""
    _, returned, *_ = histories
    last = events_after(analyst, START, 500)[-1][0]
    change(manager, returned, "20.00")
    assert events_after(analyst, last, 500) == []
    file(manager, returned)
    verbs = [event.verb for _, event in events_after(analyst, last, 500)]
    assert verbs == ["saved", "answered", "saved", "filed"]
    assert sorted(fed(analyst)) == shown(analyst, histories)


def test_drafts_are_not_the_boards(histories: list[Submission], analyst: Person) -> None:
    *_, draft = histories
    assert not Event.objects.filter(submission=draft, pk__in=fed(analyst)).exists()


def test_reader_of_another_licensee_is_told_its_own(histories: list[Submission], stranger: Person) -> None:
    *_, other, _ = histories
    assert fed(stranger) == shown(stranger, [other]) == list(other.events.values_list("pk", flat=True))


def test_cursor_is_kept_over_an_empty_page(histories: list[Submission], board: Organization, manager: Person) -> None:
    """Page by page, then nothing, then what came after."""
    client = system(made(board).token)
    page, told = read(client, f"{FEED}?limit=4"), []
    while page["next"]:
        told += page["results"]
        page = read(client, page["next"])
    told += page["results"]
    assert [one["number"] for one in told] == fed(Person.objects.get(name="Analyst One"))
    kept = page["cursor"]
    assert read(client, f"{FEED}?cursor={kept}") == {"next": None, "cursor": kept, "results": []}
    file(manager, histories[1])
    later = read(client, f"{FEED}?cursor={kept}")["results"]
    assert (later[-1]["verb"], later[-1]["submission"], later[-1]["licensee"]) == ("filed", histories[1].number, "east")


def read(client: Client, address: str) -> Any:
    answer = client.get(address)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_feed_tells_an_event_as_the_history_does(histories: list[Submission], casino: Organization) -> None:
    client, one = system(made(casino).token), histories[0]
    own = [row for row in read(client, f"{FEED}?limit=200")["results"] if row["submission"] == one.number]
    for row in read(client, f"/api/v1/submissions/{one.number}/events/")["results"]:
        match = next(each for each in own if each["number"] == row["number"])
        assert {name: match[name] for name in ("verb", "what", "who", "reason")} == {
            name: row[name] for name in ("verb", "what", "who", "reason")
        }


def test_event_of_a_chapter_that_is_no_longer_known_stops_nobody(
    histories: list[Submission], casino: Organization
) -> None:
    Submission.objects.filter(pk=histories[0].pk).update(chapter="999a")
    client, number = system(made(casino).token), histories[0].number
    told = read(client, f"{FEED}?limit=200&fields=submission,changes")["results"]
    assert {"submission": number, "changes": []} in told
    assert {"changes": []} in read(client, f"/api/v1/submissions/{number}/events/?fields=changes")["results"]


def test_queries_of_the_feed_do_not_grow(histories: list[Submission], board: Organization) -> None:
    client = system(made(board).token)
    client.get(FEED)
    asked = []
    for limit in (2, 200):
        with CaptureQueriesContext(connection) as found:
            assert client.get(f"{FEED}?limit={limit}").status_code == 200
        asked.append(len(found))
    assert asked == [5, 5]


@pytest.mark.parametrize("cursor", ["after-1", "after-0-0", "after-1-", "1-1", "after-1-1-1", "after-१-१"])
def test_cursor_of_another_list_is_refused(casino: Organization, cursor: str) -> None:
    answer = system(made(casino).token).get(FEED, {"cursor": cursor})
    assert (answer.status_code, answer.json()["code"]) == (400, "no-such-cursor")
