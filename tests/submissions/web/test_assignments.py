"""Assigning from the page of a filing and from the queue; what the search and the API say of it."""

from __future__ import annotations

import pytest
from django.urls import reverse

from submissions.filings.review.assignments import assign_work, assignment_of
from submissions.models import Assignment, Person, Submission
from tests.submissions.api.clients import made, system
from tests.submissions.web.clients import browser


@pytest.fixture
def filed(filed_of_module: Submission, db: None) -> Submission:
    return Submission.objects.get(pk=filed_of_module.pk)


def send(actor: Person, submission: Submission, **fields: object):
    return browser(actor).post(reverse("assign", args=[submission.number]), fields, follow=True)


def page(person: Person, submission: Submission) -> str:
    return browser(person).get(reverse("submission", args=[submission.number])).content.decode()


def test_assign_to_me_and_unassign_from_the_page(filed: Submission, analyst: Person) -> None:
    assert "Unassigned" in page(analyst, filed)
    assert f"{filed.number} is assigned to you." in send(analyst, filed, person="me").content.decode()
    shown = page(analyst, filed)
    assert "Assigned to Analyst One" in shown
    assert "Assign to me" not in shown
    assert f"{filed.number} is unassigned." in send(analyst, filed, person="nobody").content.decode()
    assert not Assignment.objects.exists()


def test_assign_to_a_colleague_of_the_list(filed: Submission, analyst: Person, director: Person) -> None:
    assert f'<option value="{director.pk}">Director One, Director</option>' in page(analyst, filed)
    send(analyst, filed, person=director.pk)
    assert assignment_of(filed).person == director


@pytest.mark.parametrize("sent", ["", "0", "x", "manager"])
def test_assign_refused_without_a_person_of_the_board(
    filed: Submission, analyst: Person, manager: Person, sent: str
) -> None:
    answer = send(analyst, filed, person=manager.pk if sent == "manager" else sent)
    assert answer.status_code == 400
    assert "Choose an active analyst or director" in answer.content.decode()


def test_assign_returns_to_the_queue_it_came_from(filed: Submission, analyst: Person) -> None:
    answer = send(analyst, filed, person="me", queue="chapter=686a")
    assert answer.redirect_chain == [("/?chapter=686a", 302)]


def test_licensee_sees_nothing_of_an_assignment(filed: Submission, analyst: Person, manager: Person) -> None:
    assign_work(analyst, filed, analyst)
    assert "Assign" not in page(manager, filed).split("<h2")[0]
    assert "Assigned to" not in page(manager, filed)


def test_search_by_assignment(filed: Submission, analyst: Person, manager: Person) -> None:
    client, address = browser(analyst), reverse("search")

    def numbers(assigned: object) -> list[str]:
        return [row.number for row in client.get(address, {"assigned": assigned}).context["page"]]

    assert (numbers("none"), numbers(analyst.pk)) == ([filed.number], [])
    assign_work(analyst, filed, analyst)
    assert (numbers("none"), numbers(analyst.pk)) == ([], [filed.number])
    assert client.get(address, {"assigned": manager.pk}).status_code == 400
    assert browser(manager).get(address, {"assigned": "none"}).status_code == 400


def test_api_names_the_assignee_to_the_board_only(filed: Submission, analyst: Person, manager: Person) -> None:
    assign_work(analyst, filed, analyst)
    shown = []
    for reader in (analyst, manager):
        token = made(reader.organization).token
        answer = system(token).get(f"/api/v1/submissions/{filed.number}/")
        shown.append(answer.json()["assigned_to"])
    assert shown == ["Analyst One", None]
