"""A proxy that cuts: the portal has done the work, and its answer never arrives. Anyone who sends the same again learns
what happened, and nothing is done twice.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from urllib.parse import urlencode

import pytest
from django.conf import LazySettings
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from submissions.layouts import layout_filings
from submissions.models import (
    Batch,
    Decision,
    Event,
    Job,
    LayoutDrawing,
    Organization,
    Person,
    Revision,
    Simulation,
    Submission,
)
from tests.portal.cutting_proxy import CuttingProxy, proxy_to
from tests.submissions.api.clients import made
from tests.submissions.layout_rows import SVG, filed_rules
from tests.submissions.web.clients import browser, complete

pytestmark = pytest.mark.django_db(transaction=True)
Answer = tuple[int, Mapping[str, str], str]


@pytest.fixture
def proxy(live_server: LiveServer, settings: LazySettings) -> Iterator[CuttingProxy]:
    settings.SECOND_FACTOR = False
    with proxy_to(live_server.thread.host, live_server.thread.port) as proxy:
        yield proxy


def cookies_of(person: Person) -> dict[str, str]:
    """The headers of a form that this person's browser sends."""
    token = secrets.token_hex(16)
    session = browser(person).cookies["sessionid"].value
    return {
        "Cookie": f"sessionid={session}; csrftoken={token}",
        "X-CSRFToken": token,
        "Content-Type": "application/x-www-form-urlencoded",
    }


def post_twice(proxy: CuttingProxy, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Send it, lose the answer, send the same again: the second answer."""
    proxy.cuts = 1
    assert proxy.post(path, body, headers) is None
    assert proxy.swallowed
    answer = proxy.post(path, body, headers)
    assert answer is not None
    return answer


def verbs(submission: Submission) -> list[str]:
    return list(Event.objects.filter(submission=submission).values_list("verb", flat=True))


def test_filing_whose_answer_is_cut_is_filed_once(proxy: CuttingProxy, preparer: Person, manager: Person) -> None:
    submission = complete(preparer, "687a")
    path = reverse("file", args=[submission.number])
    form = urlencode({"attested": "yes", "version": submission.version}).encode()
    status, _, page = post_twice(proxy, path, form, cookies_of(manager))
    assert proxy.swallowed == [302]
    assert status == 409
    assert "Manager East filed it at" in page
    assert (Revision.objects.count(), verbs(submission).count("filed")) == (1, 1)


def test_decision_whose_answer_is_cut_is_taken_once(proxy: CuttingProxy, manager: Person, analyst: Person) -> None:
    submission = filed_rules(manager, "687a")
    Simulation.objects.update(passed=True)
    path = reverse("decide", args=[submission.number, "return"])
    form = urlencode({"reason": "Which shuffler?", "version": submission.version}).encode()
    status, _, page = post_twice(proxy, path, form, cookies_of(analyst))
    assert proxy.swallowed == [302]
    assert status == 409
    assert "Analyst One returned it at" in page
    assert (Decision.objects.count(), verbs(submission).count("returned")) == (1, 1)


def test_drawing_whose_answer_is_cut_is_stored_and_inspected_once(proxy: CuttingProxy, manager: Person) -> None:
    filing = layout_filings.start_layout_filing(manager, filed_rules(manager), 0, ["layout"])
    edge = "edge-of-parts"
    head = f'--{edge}\r\nContent-Disposition: form-data; name="drawing"; filename="felt.svg"\r\n\r\n'
    body = head.encode() + SVG % b"Ante" + f"\r\n--{edge}--\r\n".encode()
    headers = {**cookies_of(manager), "Content-Type": f"multipart/form-data; boundary={edge}"}
    status, found, _ = post_twice(proxy, reverse("layout-upload", args=[filing.number]), body, headers)
    assert (proxy.swallowed, status, found["Location"]) == ([302], 302, reverse("layout", args=[filing.number]))
    assert LayoutDrawing.objects.count() == 1
    assert Job.objects.filter(kind=Job.Kind.INSPECT).count() == 1


@pytest.mark.parametrize(
    ("path", "sent", "model"),
    [
        ("/api/v1/submissions/", {"chapter": "687a"}, Submission),
        ("/api/v1/bulk/", {"mode": "live", "items": [{"action": "create", "chapter": "687a"}]}, Batch),
    ],
)
def test_call_whose_answer_is_cut_gets_the_same_answer_again(
    proxy: CuttingProxy, casino: Organization, path: str, sent: dict[str, object], model: type
) -> None:
    token = made(casino, scopes=["read", "prepare", "file"]).token
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", "Idempotency-Key": "one"}
    status, found, body = post_twice(proxy, path, json.dumps(sent).encode(), headers)
    assert proxy.swallowed == [status]
    assert found["Idempotency-Replayed"] == "true"
    assert model.objects.get().number in body
