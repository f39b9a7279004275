"""A batch through the API: sent, read, confirmed or not, its items told one by one."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from submissions.actions import jobs
from submissions.models import Job, Organisation, Submission
from submissions.tasks import EXECUTORS
from tests.submissions.api.conftest import made, system

BULK = "/api/v1/bulk/"
CREATE = {"action": "create", "chapter": "687a", "answers": {"adjacent_boxes_allowed": True, "adjacent_boxes": 3}}
WRONG = {"action": "create", "chapter": "687a", "answers": {"adjacent_boxes_allowed": True, "adjacent_boxes": 7}}


def send(client: Client, body: Any, *, key: str = "one", **headers: str) -> Any:
    return client.post(BULK, body, content_type="application/json", headers={"Idempotency-Key": key, **headers})


def batch(*items: Any, mode: str = "live", **more: Any) -> dict[str, Any]:
    return {"mode": mode, "items": list(items), **more}


def work() -> None:
    """What the workers would do."""
    for job in Job.objects.filter(kind__in=(Job.Kind.CHECK, Job.Kind.BULK), state=Job.State.DUE):
        jobs.run(job.pk, EXECUTORS)


def counts(told: dict[str, Any]) -> dict[str, int]:
    return {state: many for state, many in told["items"].items() if many}


@pytest.fixture
def client(casino: Organisation) -> Client:
    return system(made(casino, scopes=["read", "prepare", "file"]).token)


@pytest.fixture
def tester(casino: Organisation) -> Client:
    """A program of the same casino, in its sandbox."""
    return system(made(casino, scopes=["read", "prepare", "file"], live=False).token)


def test_batch_is_taken_in_carried_out_and_told(client: Client) -> None:
    answer = send(client, batch(CREATE, WRONG))
    assert answer.status_code == 202
    number = answer.json()["number"]
    assert answer["Location"] == f"http://testserver/api/v1/bulk/{number}/"
    assert (answer.json()["state"], counts(answer.json())) == ("running", {"waiting": 2})
    assert answer.json()["progress"]["words"] == "Waiting for a worker."
    work()
    told = client.get(answer["Location"]).json()
    assert (told["state"], counts(told), told["progress"]) == ("done", {"done": 1, "refused": 1}, None)
    done, wrong = client.get(told["links"]["items"]).json()["results"]
    made_of_it = Submission.objects.get()
    assert done["made"] == {
        "submission": made_of_it.number, "version": 1, "group": 0, "configuration_version": 2
    }  # fmt: skip
    assert (wrong["place"], wrong["state"], wrong["status"], wrong["code"]) == (
        2,
        "refused",
        400,
        "answers-not-allowed",
    )
    assert wrong["findings"][0]["citation"] == wrong["section"]
