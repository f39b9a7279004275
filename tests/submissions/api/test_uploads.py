"""Attachments from programs: raw or as a form, once for each key, with the same checks and refusals as on the page."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest
from django.test import Client

from submissions.models import AccessRecord, Attachment, Event, KeyedCall, Organization, Person, StoredFile, Submission
from tests.submissions import files
from tests.submissions.api.clients import made, system
from tests.submissions.api.test_problems import refused
from tests.submissions.api.uploading import SUBMISSIONS, form, post, raw, started

PDF = "application/pdf"


@pytest.fixture
def client(casino: Organization) -> Client:
    return system(made(casino, scopes=["read", "prepare", "file"]).token)


@pytest.fixture
def draft(client: Client) -> dict[str, Any]:
    """The draft, the line that takes a file (`option`), and the address to send it to."""
    sent, (option,) = started(client, "688a")
    return {**sent, "option": option, "address": f"{SUBMISSIONS}{sent['submission']}/attachments/"}


def test_raw_body_is_stored_as_the_answer_of_its_line(client: Client, draft: dict[str, Any]) -> None:
    content, version = files.pdf(), draft["configuration_version"]
    answer = raw(
        client, draft["address"], content, PDF, name="house rules.pdf", option=draft["option"], version=version
    )
    assert answer.status_code == 201, answer.content
    digest, received = sha256(content).hexdigest(), answer.json()
    assert received["answer"] == {"sha256": digest, "name": "house rules.pdf", "size": len(content)}
    assert (received["group"], received["configuration_version"], received["version"]) == (0, version + 1, 1)
    assert received["attachment"]["media_type"] == PDF
    submission = Submission.objects.get()
    assert submission.configurations.get().answers[draft["option"]] == received["answer"]
    event = Event.objects.get(verb="attached")
    assert event.after[draft["option"]]["sha256"] == digest
    assert event.actor.is_system
    assert answer["Location"].endswith(f"/attachments/{digest}/")
    assert client.get(answer["Location"]).content == content
    assert AccessRecord.objects.get(kind="download").object_reference.startswith("api:attachment ")


def test_form_is_stored_once_for_each_key(client: Client, draft: dict[str, Any]) -> None:
    """The boundary of a form is no part of what was sent: a library invents another one for each attempt."""
    fields = {"option": draft["option"], "version": draft["configuration_version"]}
    body = b'--%s\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
    content, answers = files.pdf(), []
    for boundary in (b"first", b"second"):
        rows = b"".join(body % (boundary, name.encode(), str(text).encode()) for name, text in fields.items())
        head = b'--%s\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n' % boundary
        sent = rows + head + content + b"\r\n--%s--\r\n" % boundary
        media_type = f"multipart/form-data; boundary={boundary.decode()}"
        answers.append(client.generic("POST", draft["address"], sent, media_type, headers={"Idempotency-Key": "one"}))
    assert [answer.status_code for answer in answers] == [201, 201], answers[0].content
    assert answers[1]["Idempotency-Replayed"] == "true"
    assert answers[0].json() == answers[1].json()
    assert Attachment.objects.count() == 1
    other = form(client, draft["address"], files.picture("PNG"), {"Idempotency-Key": "one"}, name="a.png", **fields)
    refused(other, 422, "idempotency-key-reused")


def test_picture_is_painted_again(client: Client, draft: dict[str, Any]) -> None:
    content = files.picture("PNG") + b"behind the end"
    fields = {"option": draft["option"], "version": draft["configuration_version"], "name": "house.png"}
    answer = form(client, draft["address"], content, **fields)
    assert answer.status_code == 201, answer.content
    assert answer.json()["answer"]["sha256"] != sha256(content).hexdigest()
    assert b"behind" not in bytes(StoredFile.objects.get(pk=answer.json()["answer"]["sha256"]).content)


CONTENTS = {
    "pdf": files.pdf,
    "png": lambda: files.picture("PNG"),
    "script": files.pdf_with_javascript,
    "embedded": files.pdf_with_embedded_file,
    "damaged": lambda: b"%PDF-1.7 nothing",
    "empty": lambda: b"",
}


@pytest.mark.parametrize(
    ("content", "query", "status", "code"),
    [
        ("script", {}, 400, "attachment-active-content"),
        ("embedded", {}, 400, "attachment-active-content"),
        ("damaged", {}, 400, "attachment-damaged"),
        ("empty", {}, 400, "attachment-empty"),
        ("png", {}, 400, "attachment-kind"),
        ("png", {"name": "a.png"}, 400, "attachment-kind"),  # the header says PDF
        ("pdf", {"name": "a.exe"}, 400, "attachment-kind"),
        ("pdf", {"name": ""}, 400, "parameter-empty"),
        ("pdf", {"option": "dealing"}, 400, "unknown-line"),
        ("pdf", {"option": None}, 400, "field-missing"),
        ("pdf", {"name": None}, 400, "field-missing"),
        ("pdf", {"version": None}, 400, "field-missing"),
        ("pdf", {"version": "two"}, 400, "field-shape"),
        ("pdf", {"version": 99}, 409, "configuration-changed-meanwhile"),
        ("pdf", {"group": 7}, 409, "no-such-group"),
        ("pdf", {"color": "red"}, 400, "unknown-parameter"),
    ],
)  # fmt: skip
def test_file_is_refused_as_on_the_page(
    client: Client, draft: dict[str, Any], content: str, query: dict[str, Any], status: int, code: str
) -> None:
    wanted = {"name": "a.pdf", "option": draft["option"], "version": draft["configuration_version"], **query}
    given = {name: value for name, value in wanted.items() if value is not None}
    before = Event.objects.count()
    refused(raw(client, draft["address"], CONTENTS[content](), PDF, **given), status, code)
    assert (Event.objects.count(), Attachment.objects.count()) == (before, 0)


def test_forms_that_are_none_are_refused(client: Client, draft: dict[str, Any]) -> None:
    fields = {"option": draft["option"], "version": draft["configuration_version"]}
    refused(client.post(draft["address"], fields), 400, "file-missing")
    refused(form(client, draft["address"], files.pdf(), color="red", **fields), 400, "unknown-field")
    refused(form(client, f"{draft['address']}?version=2", files.pdf(), **fields), 400, "unknown-parameter")
    twice = {**fields, "version": [2, 2]}
    refused(form(client, draft["address"], files.pdf(), **twice), 400, "parameter-twice")
    refused(client.generic("POST", draft["address"], b"x", "multipart/form-data"), 400, "not-understood")
    refused(post(client, draft["address"], fields), 415, "media-type")
    assert not Attachment.objects.exists()


def test_large_files_are_refused(client: Client, draft: dict[str, Any], settings: Any) -> None:
    settings.ATTACHMENT_LIMIT = 1000
    fields = {"option": draft["option"], "version": draft["configuration_version"], "name": "a.pdf"}
    content = b"%PDF-" + b"x" * 1000
    refused(raw(client, draft["address"], content, PDF, **fields), 400, "attachment-too-large")
    refused(form(client, draft["address"], content, **fields), 400, "attachment-too-large")
    huge = b"%PDF-" + b"x" * (21 << 20)
    for answer in (raw(client, draft["address"], huge, PDF, **fields), form(client, draft["address"], huge, **fields)):
        assert refused(answer, 413, "body-too-large")["fix"] == "Send a smaller file."


def test_quota_counts_all_files_of_a_submission(client: Client, draft: dict[str, Any], settings: Any) -> None:
    settings.ATTACHMENT_QUOTA = len(files.pdf()) + 10
    fields = {"option": draft["option"], "name": "a.pdf"}
    version = draft["configuration_version"]
    assert raw(client, draft["address"], files.pdf(), PDF, version=version, **fields).status_code == 201
    again = raw(client, draft["address"], files.pdf(), PDF, version=version + 1, **fields)
    refused(again, 400, "attachment-quota")


def test_filed_line_and_other_licensees_draft_take_no_file(
    client: Client, draft: dict[str, Any], casino: Organization, other_casino: Organization, manager: Person
) -> None:
    fields = {"option": draft["option"], "version": draft["configuration_version"], "name": "a.pdf"}
    others = system(made(other_casino, scopes=["prepare"]).token)
    refused(raw(others, draft["address"], files.pdf(), PDF, **fields), 404, "not-found")
    tester = system(made(casino, scopes=["prepare"], live=False).token)
    refused(raw(tester, draft["address"], files.pdf(), PDF, **fields), 404, "not-found")
    reading = system(made(casino).token)
    refused(raw(reading, draft["address"], files.pdf(), PDF, **fields), 403, "scope-missing")
    Submission.objects.update(status="filed")
    assert raw(client, draft["address"], files.pdf(), PDF, **fields).json()["code"] == "not-allowed"
    assert not Attachment.objects.exists()
    assert KeyedCall.objects.count() == 0


def test_sandbox_takes_files_as_life_does(casino: Organization) -> None:
    tester = system(made(casino, scopes=["read", "prepare"], live=False).token)
    sent, (option,) = started(tester, "688a")
    address, version = f"{SUBMISSIONS}{sent['submission']}/attachments/", sent["configuration_version"]
    answer = raw(tester, address, files.pdf(), PDF, name="a.pdf", option=option, version=version)
    assert answer.status_code == 201
    assert [row["option"] for row in tester.get(address).json()["results"]] == [option]
