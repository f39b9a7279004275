"""A draft as a copy of an earlier filing: by its own address, and as an item of a batch."""

from __future__ import annotations

import pytest
from django.test import Client

from submissions.models import Attachment, Event, Organization, Person, Submission
from tests.submissions.api.clients import made, system
from tests.submissions.api.test_problems import refused
from tests.submissions.api.test_writing import step
from tests.submissions.bulk.batches import outcomes, sent
from tests.submissions.layout_rows import filed_rules


@pytest.fixture
def client(casino: Organization) -> Client:
    return system(made(casino, scopes=["read", "prepare"]).token)


@pytest.fixture
def filed(manager: Person) -> Submission:
    return filed_rules(manager, "688a")


def test_copy_has_the_answers_and_files_of_the_filing_and_the_changes(client: Client, filed: Submission) -> None:
    answer = step(client, filed, "copy", version=filed.version)
    assert answer.status_code == 201, answer.content
    result = answer.json()["made"]
    assert (result["not_copied"], result["configuration_version"], result["version"]) == ([], 1, 1)
    copy = Submission.objects.get(number=result["submission"])
    assert copy.configurations.get().answers == filed.configurations.get().answers
    assert copy.attachments.get().stored_id == filed.attachments.get().stored_id
    event = Event.objects.get(submission=copy)
    assert (event.verb, event.after["copied_from"], event.actor.is_system) == ("started", filed.number, True)
    assert answer["Location"].endswith(f"/submissions/{copy.number}/")


def test_copy_with_answers_that_are_not_allowed_leaves_nothing(client: Client, filed: Submission) -> None:
    refused(step(client, filed, "copy", version=filed.version, answers={"nothing": 1}), 400, "unknown-line")
    refused(step(client, filed, "copy", version=99), 409, "changed-meanwhile")
    refused(step(client, filed, "copy", version=filed.version, group=4), 409, "no-such-group")
    assert (Submission.objects.count(), Attachment.objects.count()) == (1, 1)


def test_filing_of_another_licensee_is_not_copied(filed: Submission, other_casino: Organization) -> None:
    others = system(made(other_casino, scopes=["read", "prepare"]).token)
    refused(step(others, filed, "copy", version=filed.version), 404, "not-found")


def test_batch_copies_and_its_later_items_go_on_with_the_copy(filed: Submission, casino: Organization) -> None:
    credential = made(casino, scopes=["prepare"]).credential
    copy = {"action": "copy", "submission": filed.number, "version": filed.version}
    change = {"action": "update", "submission": "#1", "version": 1, "answers": {}}
    assert outcomes(sent(credential, copy, change)) == [("done", ""), ("done", "")]
    assert Submission.objects.count() == 2
