"""Items one at a time: what each address does and refuses. Who may write at all: `test_write_scopes`."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from submissions.bulk import intake
from submissions.filings.review import comments, decisions
from submissions.models import (
    Batch,
    Event,
    Job,
    Organization,
    Person,
    Remark,
    Status,
    Submission,
)
from submissions.tasks import run_task
from tests.submissions.api.clients import made, system
from tests.submissions.api.test_problems import refused
from tests.submissions.approved import Cast
from tests.submissions.example_drafts import ready_to_file

SUBMISSIONS = "/api/v1/submissions/"
BOXES = {"adjacent_boxes_allowed": True, "adjacent_boxes": 3}


def post(client: Client, address: str, body: Any, **headers: str) -> Any:
    return client.post(address, body, content_type="application/json", headers=headers)


def step(client: Client, submission: Submission, verb: str, **body: Any) -> Any:
    return post(client, f"{SUBMISSIONS}{submission.number}/{verb}/", body)


def work() -> None:
    """What the workers would do with batches."""
    for job in Job.objects.filter(kind__in=(Job.Kind.CHECK, Job.Kind.BULK), state=Job.State.DUE):
        run_task(job)


@pytest.fixture
def client(casino: Organization) -> Client:
    return system(made(casino, scopes=["read", "prepare", "file"]).token)


@pytest.fixture
def boards(board: Organization) -> Client:
    return system(made(board, scopes=["read", "review"]).token)


@pytest.fixture
def draft(manager: Person) -> Submission:
    return ready_to_file(manager, "687a")


@pytest.fixture
def filed(manager: Person, analyst: Person, director: Person, draft: Submission) -> Submission:
    Cast(manager, analyst, director, computes=False).file(draft)
    draft.refresh_from_db()
    return draft


# What is done at once


def test_create_starts_a_submission_and_names_its_address(client: Client) -> None:
    answer = post(client, SUBMISSIONS, {"chapter": "687a", "answers": BOXES})
    submission = Submission.objects.get()
    assert answer.status_code == 201
    assert answer["Location"] == f"http://testserver{SUBMISSIONS}{submission.number}/"
    assert answer.json()["made"] == {
        "submission": submission.number, "version": 1, "group": 0, "configuration_version": 2
    }  # fmt: skip
    assert [change["option"] for change in answer.json()["changes"]] == list(BOXES)
    assert submission.configurations.get().answers == BOXES
    assert client.get(answer["Location"]).json()["number"] == submission.number


def test_create_that_is_refused_leaves_nothing(client: Client) -> None:
    told = refused(
        post(client, SUBMISSIONS, {"chapter": "687a", "answers": {**BOXES, "adjacent_boxes": 7}}),
        400, "answers-not-allowed",
    )  # fmt: skip
    assert [finding["citation"] for finding in told["findings"]] == [told["section"]]
    assert (Submission.objects.count(), Event.objects.filter(verb="started").count()) == (0, 0)


def test_update_changes_answers_and_tells_the_next_version(client: Client, draft: Submission) -> None:
    row = draft.configurations.get()
    answer = step(client, draft, "update", version=row.version, answers={"adjacent_boxes": 3})
    assert (answer.status_code, answer.json()["made"]["configuration_version"]) == (200, row.version + 1)
    assert [(one["before"], one["after"]) for one in answer.json()["changes"]] == [("2", "3")]
    row.refresh_from_db()
    assert row.answers["adjacent_boxes"] == 3
    stale = refused(step(client, draft, "update", version=1, answers={}), 409, "configuration-changed-meanwhile")
    assert stale["option"] == "version"


def test_groups_are_added_and_removed(client: Client, draft: Submission) -> None:
    added = step(client, draft, "add-group", version=draft.version, name="High limit", tables="7-9", pit="Pit 2")
    assert added.status_code == 200
    place = added.json()["made"]["group"]
    assert [(row.name, row.tables, row.pit) for row in draft.configurations.filter(position=place)] == [
        ("High limit", "7-9", "Pit 2")
    ]
    version = added.json()["made"]["configuration_version"]
    assert step(client, draft, "remove-group", version=version, group=place).status_code == 200
    assert draft.configurations.filter(position=place).count() == 0


def test_amend_makes_a_draft_with_other_answers(
    client: Client, manager: Person, analyst: Person, director: Person
) -> None:
    version = Cast(manager, analyst, director, computes=False).version("687a").submission
    version.refresh_from_db()
    answer = step(client, version, "amend", version=version.version, answers={"adjacent_boxes": 3})
    amendment = Submission.objects.get(amends=version)
    assert (answer.status_code, answer["Location"]) == (201, f"http://testserver{SUBMISSIONS}{amendment.number}/")
    assert [one["option"] for one in answer.json()["changes"]] == ["adjacent_boxes"]


def test_questions_are_asked_and_answered(client: Client, boards: Client, filed: Submission, analyst: Person) -> None:
    asked = step(
        boards, filed, "remark", version=filed.version, revision=1, audience="licensee", option="adjacent_boxes",
        text="At which tables?",
    )  # fmt: skip
    remark = Remark.objects.get()
    assert (asked.status_code, asked.json()["made"]["remark"]) == (200, remark.pk)
    decisions.return_to_licensee(analyst, filed, version=filed.version, reason="One question.")
    filed.refresh_from_db()
    answered = step(client, filed, "answer", version=filed.version, remark=remark.pk, kind="answered", text="At 7.")
    assert (answered.status_code, answered.json()["made"]["remark"]) == (200, remark.pk)
    assert [reply.text for reply in remark.replies.all()] == ["At 7."]


# What a named person takes


def test_file_waits_for_a_named_person_who_files(client: Client, manager: Person, draft: Submission) -> None:
    answer = step(client, draft, "file", version=draft.version)
    assert (answer.status_code, answer.json()["state"], answer.json()["total"]) == (202, "checking", 1)
    work()
    told = client.get(answer["Location"]).json()
    assert (told["state"], told["needs_signature"], told["items"]["passed"]) == ("waiting", True, 1)
    assert told["links"]["confirm"] is None
    refusal = refused(post(client, f"{answer['Location']}confirm/", {}), 403, "person-needed")
    assert told["links"]["page"] in refusal["fix"]
    draft.refresh_from_db()
    assert draft.status == Status.DRAFT
    intake.confirm_batch(manager, Batch.objects.get(), attested=True)
    work()
    draft.refresh_from_db()
    assert (draft.status, draft.revisions.get().filed_by) == (Status.FILED, manager)
    told = client.get(answer["Location"]).json()
    assert (told["state"], told["confirmed_by"]) == ("done", manager.name)


@pytest.mark.parametrize(
    ("verb", "body"), [("withdraw", {"reason": "Never mind."}), ("file", {}), ("recommend", {}), ("return", {})]
)
def test_steps_become_batches_that_wait(
    client: Client, boards: Client, filed: Submission, manager: Person, analyst: Person, verb: str, body: dict[str, str]
) -> None:
    if verb in ("file", "return"):
        comments.write_comment(analyst, filed, revision=1, audience="licensee", text="Which tables are these?")
    if verb == "file":
        decisions.return_to_licensee(analyst, filed, version=filed.version, reason="One thing.")
        filed.refresh_from_db()
    answer = step(boards if verb in ("recommend", "return") else client, filed, verb, version=filed.version, **body)
    assert answer.status_code == 202
    work()
    item = Batch.objects.get().items.get()
    assert (item.action, item.state, item.code) == (
        verb,
        *(("refused", "question-open") if verb == "file" else ("passed", "")),
    )


# What is refused


@pytest.mark.parametrize(
    ("body", "status", "code", "option"),
    [
        ({"version": 1}, 400, "field-missing", "answers"),
        ({"version": "1", "answers": {}}, 400, "field-shape", "version"),
        ({"version": 1, "answers": {}, "grupp": 1}, 400, "unknown-field", "grupp"),
        ({"version": 1, "answers": {}, "action": "update"}, 400, "unknown-field", "action"),
        ({"version": 1, "answers": {}, "submission": "RS-2026-00001"}, 400, "unknown-field", "submission"),
        ({"version": 9, "answers": {"adjacent_boxes": 2}}, 409, "configuration-changed-meanwhile", "version"),
        ({"version": 1, "group": 5, "answers": {}}, 409, "no-such-group", None),
        ({"version": 1, "answers": {"adjacent": 2}}, 400, "unknown-line", "adjacent"),
        ({"version": 1, "answers": {"x": "y" * 100_000}}, 400, "item-too-large", None),
        ({"version": 1, "answers": {"x": "\0"}}, 400, "control-characters", None),
        ([], 400, "body-shape", None),
    ],
)
def test_update_that_cannot_be_is_told(
    client: Client, draft: Submission, body: Any, status: int, code: str, option: str | None
) -> None:
    before = draft.configurations.values().get(), Event.objects.count()
    if isinstance(body, dict) and body["version"] == 1:
        body = {**body, "version": before[0]["version"]}
    told = refused(post(client, f"{SUBMISSIONS}{draft.number}/update/", body), status, code)
    assert told.get("option") == option
    assert (draft.configurations.values().get(), Event.objects.count()) == before


def test_body_that_cannot_be_read_is_told(client: Client, draft: Submission, settings: Any) -> None:
    address = f"{SUBMISSIONS}{draft.number}/update/"
    refused(client.generic("POST", address, b"{", "application/json"), 400, "unreadable-json")
    refused(client.generic("POST", address, b'"version"', "application/json"), 400, "body-shape")
    refused(client.generic("POST", address, b"", "application/json"), 400, "field-missing")
    told = refused(client.generic("POST", address, b"a,b", "text/csv"), 415, "media-type")
    assert told["fix"] == "Send application/json."
    large = b'"' + b"x" * (5 << 20) + b'"'
    told = refused(client.generic("POST", address, large, "application/json"), 413, "body-too-large")
    assert told["detail"] == "The body is larger than 5 MB."
    refused(post(client, f"{address}?mode=live", {}), 400, "unknown-parameter")
    pieces = {"Transfer-Encoding": "chunked"}  # then the server says no length
    refused(client.generic("POST", address, b"", "application/json", headers=pieces), 411, "length-missing")


@pytest.mark.parametrize(
    ("verb", "body"),
    [
        ("update", {"answers": {}}), ("amend", {}), ("add-group", {"name": "A", "tables": "1"}),
        ("remove-group", {"group": 1}), ("answer", {"remark": 1, "kind": "answered"}),
    ],
)  # fmt: skip
def test_submission_of_another_licensee_is_not_there(
    other_casino: Organization, draft: Submission, verb: str, body: dict[str, Any]
) -> None:
    other = system(made(other_casino, scopes=["prepare"]).token)
    told = refused(step(other, draft, verb, version=1, **body), 404, "not-found")
    nowhere = refused(post(other, f"{SUBMISSIONS}RS-2026-99999/{verb}/", {"version": 1, **body}), 404, "not-found")
    assert told["detail"].replace(draft.number, "RS-2026-99999") == nowhere["detail"]


def test_live_credential_reaches_nothing_of_the_sandbox_nor_test_ones_of_life(
    client: Client, casino: Organization, draft: Submission
) -> None:
    tester = system(made(casino, scopes=["read", "prepare", "file"], live=False).token)
    refused(step(tester, draft, "update", version=1, answers={}), 404, "not-found")
    number = post(tester, SUBMISSIONS, {"chapter": "687a"}).json()["made"]["submission"]
    refused(post(client, f"{SUBMISSIONS}{number}/update/", {"version": 1, "answers": {}}), 404, "not-found")
