"""The page of the operators: for administrators of the Board; what it shows, and running a job again."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from submissions.accounts.api_credentials import sandbox_of
from submissions.audit.retention import lift_legal_hold, place_legal_hold
from submissions.core.errors import Forbidden
from submissions.models import Event, Job, Organization, Person, Submission
from submissions.operations.alerts import raise_alerts
from submissions.operations.work_checks import report_process, run_job_again
from submissions.permissions import may
from tests.cast import person
from tests.submissions.operations.rows import WHY, job, stopped_job
from tests.submissions.web.clients import HTMX, browser
from tests.submissions.web.test_security_log import administrator

PAGE = "/operations/"


@pytest.fixture(autouse=True)
def _without_second_factor(settings: object) -> None:
    settings.SECOND_FACTOR = False


@pytest.fixture
def operator(director: Person) -> Person:
    return administrator(director)


@pytest.fixture
def client(operator: Person) -> Client:
    return browser(operator)


def run_again_address(row: Job) -> str:
    return f"/operations/jobs/{row.pk}/"


def test_only_administrators_of_the_board_operate(
    operator: Person, manager: Person, analyst: Person, casino: Organization, settings: object
) -> None:
    in_sandbox = administrator(person(sandbox_of(operator.organization), "director", "Director Test"))
    others = (administrator(manager), analyst, in_sandbox)
    assert [bool(may(each, "operate")) for each in others] == [False, False, False]
    assert may(operator, "operate")
    settings.SECOND_FACTOR = True
    assert may(operator, "operate").code == "second-factor-missing"


def test_page_shows_jobs_checks_processes_and_alerts(client: Client, operator: Person, filed: Submission) -> None:
    simulation = Job.objects.get(kind=Job.Kind.SIMULATE)
    Job.objects.filter(pk=simulation.pk).update(state=Job.State.ERRORED, message=WHY, request_id="of-the-filing-1")
    job(Job.Kind.DRAFT, 3)
    report_process("sweeper", timezone.now())
    raise_alerts(timezone.now())
    page = client.get(PAGE).content.decode()
    for words in (
        WHY,
        f'<a href="/submissions/{filed.number}/">{filed.number}</a>',
        "Request of-the-filing-1",
        f'href="{run_again_address(simulation)}"',
        "Queue drafts: the oldest due job",
        '<th scope="row">Jobs stopped by an error</th><td data-label="Result"><strong>Wrong</strong>',
        '<th scope="row">Sweeper</th><td data-label="Status">Running</td>',
        f"Job {simulation.pk} (Simulation {simulation.subject}) stopped by an error",
    ):
        assert words in page, words


def test_part_that_is_read_again_is_not_a_whole_page(client: Client) -> None:
    whole, part = client.get(PAGE).content.decode(), client.get(PAGE, headers=HTMX).content.decode()
    assert ("<h1>" in whole, "<h1>" in part) == (True, False)
    for html in (whole, part):
        assert 'hx-trigger="every 10s"' in html


def test_draft_of_a_licensee_is_not_named(client: Client, filed: Submission, draft: Submission) -> None:
    """The Board does not see it before it is filed, and so its number is not shown."""
    stopped_job(4711)
    page = client.get(PAGE).content.decode()
    assert (WHY in page, draft.number in page) == (True, False)


def test_job_is_run_again_after_a_confirmation_with_an_event(client: Client, operator: Person) -> None:
    row = stopped_job()
    page = client.get(run_again_address(row)).content.decode()
    assert WHY in page
    answer = client.post(run_again_address(row))
    assert (answer.status_code, answer["Location"]) == (302, PAGE)
    row.refresh_from_db()
    assert (row.state, row.attempts) == (Job.State.DUE, 0)
    event = Event.objects.get(verb="job-run-again")
    assert (event.actor, event.after) == (operator, {"job": row.pk, "kind": "document", "subject": 1})
    assert event.before == {"state": "errored", "message": WHY}


def test_unconfirmed_operator_is_asked_first(operator: Person) -> None:
    row = stopped_job()
    answer = browser(operator, confirmed=False).post(run_again_address(row))
    assert (answer.status_code, b"Confirm that it is you" in answer.content) == (403, True)
    row.refresh_from_db()
    assert (row.state, Event.objects.filter(verb="job-run-again").count()) == (Job.State.ERRORED, 0)


def test_job_that_has_not_stopped_is_not_there(client: Client) -> None:
    assert client.post(run_again_address(job(Job.Kind.MAIL))).status_code == 404


def test_action_asks_for_the_permission_itself(manager: Person) -> None:
    row = stopped_job()
    with pytest.raises(Forbidden):
        run_job_again(administrator(manager), row)
    row.refresh_from_db()
    assert row.state == Job.State.ERRORED


def test_alert_in_notices_leads_to_the_page(client: Client) -> None:
    stopped_job()
    raise_alerts(timezone.now())
    page = client.get("/notices/").content.decode()
    assert WHY in page
    assert f'<a href="{PAGE}">Open Operations' in page


def test_link_is_shown_to_the_board_only(client: Client, manager: Person) -> None:
    assert f'href="{PAGE}"' in client.get("/security-log/").content.decode()
    assert f'href="{PAGE}"' not in browser(administrator(manager)).get("/security-log/").content.decode()


def test_number_of_jobs_changes_no_number_of_queries(client: Client, django_assert_max_num_queries: object) -> None:
    for subject in range(45):
        stopped_job(subject)
        job(Job.Kind.MAIL, subject)
    with django_assert_max_num_queries(26):
        client.get(PAGE)


def test_page_shows_present_legal_holds(client: Client, operator: Person, filed: Submission) -> None:
    assert "There are no legal holds." in client.get(PAGE).content.decode()
    place_legal_hold(operator, "Subpoena of May 3", submission=filed)
    everything = place_legal_hold(operator, "Audit")
    lift_legal_hold(operator, place_legal_hold(operator, "Over", organization=filed.organization), "It ended.")
    page = client.get(PAGE).content.decode()
    holds = page.partition('id="legal-holds"')[2].partition("</section>")[0]
    for words in ("Subpoena of May 3", f'href="/submissions/{filed.number}/"', everything.number, "Everything"):
        assert words in holds, words
    assert "Over" not in holds
