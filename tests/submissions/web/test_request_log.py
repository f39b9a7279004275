"""The number of a request: whose it is, and everywhere it goes; the line about each request, which names no one."""

from __future__ import annotations

import json
import logging
import re

import pytest
from django.conf import LazySettings
from django.test import Client

from submissions.core import log_context
from submissions.jobs import leases
from submissions.models import Job, Person, Submission
from submissions.tasks import run_task
from tests.submissions.web.clients import browser, complete

pytestmark = pytest.mark.django_db
OWN = re.compile("[0-9a-f]{32}")


@pytest.fixture(autouse=True)
def _all_lines(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)


def access_lines(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    return [line for line in caplog.records if line.name == "portal.access"]


def answered(sent: str | None = None, address: str = "/register/", **options: object) -> str:
    headers = {"X-Request-ID": sent} if sent else {}
    return str(Client(headers=headers, **options).get(address)["X-Request-ID"])


def test_number_of_a_trusted_proxy_is_used_and_of_anyone_else_not(settings: LazySettings) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 0
    assert OWN.fullmatch(answered("of-a-stranger-1"))
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    assert answered("of-the-proxy-1") == "of-the-proxy-1"
    assert OWN.fullmatch(answered())


@pytest.mark.parametrize(
    "sent", ["", "with a space", "x" * 65, "line\nbreak", "é", "<b>", f"rsp_live_{'0' * 12}_{'a' * 20}"]
)
def test_unusable_number_is_replaced(sent: str, settings: LazySettings) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    assert OWN.fullmatch(answered(sent))


def test_line_names_pattern_and_no_person(caplog: pytest.LogCaptureFixture, manager: Person, filed: Submission) -> None:
    answer = browser(manager).get(f"/submissions/{filed.number}/")
    (line,) = access_lines(caplog)
    assert (line.method, line.route, line.status_code) == ("GET", "submissions/<slug:number>/", 200)
    assert (line.request_id, line.seconds > 0) == (answer["X-Request-ID"], True)
    printed = str(line.__dict__)
    assert not [part for part in (filed.number, manager.email, manager.name) if part in printed]


def test_probes_and_refusals_for_load_write_no_line(caplog: pytest.LogCaptureFixture, settings: LazySettings) -> None:
    Client().get("/health/live")
    Client().get("/metrics")
    assert access_lines(caplog) == []
    Client().get("/register/")
    assert len(access_lines(caplog)) == 1
    settings.ACCESS_LOG = False
    Client().get("/register/")
    assert len(access_lines(caplog)) == 1


def test_nothing_is_left_for_the_next_request_of_the_thread() -> None:
    Client().get("/register/")
    assert log_context.request_id.get() == ""


def test_job_has_the_number_of_its_request_and_so_have_its_lines(caplog: pytest.LogCaptureFixture) -> None:
    token = log_context.request_id.set("of-the-request-7")
    try:
        job = leases.enqueue(Job.Kind.MAIL, 4711)  # no such mail: the executor fails, and says so
    finally:
        log_context.request_id.reset(token)
    run_task(job)
    job.refresh_from_db()
    assert job.request_id == "of-the-request-7"
    assert job.message.startswith("DoesNotExist")
    written = [line for line in caplog.records if line.name == "submissions.jobs.leases"]
    assert written
    assert {(line.request_id, line.job) for line in written} == {("of-the-request-7", job.pk)}
    assert (log_context.request_id.get(), log_context.job_id.get()) == ("", None)


def test_filing_gives_its_number_to_the_simulation(manager: Person, preparer: Person) -> None:
    submission = complete(preparer)
    answer = browser(manager).post(
        f"/submissions/{submission.number}/file/", {"version": submission.version, "attested": "yes"}
    )
    assert answer.status_code == 302
    assert Job.objects.get(kind=Job.Kind.SIMULATE).request_id == answer["X-Request-ID"]


def test_error_pages_and_problems_show_the_number(manager: Person) -> None:
    page = browser(manager).get("/no/such/page/")
    assert (page.status_code, page["X-Request-ID"] in page.content.decode()) == (404, True)
    problem = Client().get("/api/v1/submissions/")
    assert json.loads(problem.content)["request_id"] == problem["X-Request-ID"]
