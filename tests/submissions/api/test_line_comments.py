"""Comments among people of a licensee: they are for these people only. The Board sees them in no place at all."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse

from submissions.audit.row_verification import begin_sealing, verify_history
from submissions.core.errors import Conflict, Forbidden, Refusal
from submissions.documents.document_record import document_record
from submissions.filings import drafts, filing, handover, table_groups
from submissions.filings.review import decisions
from submissions.filings.table_groups import GroupDescription
from submissions.models import Delivery, LineComment, Notice, Organization, Person, Submission
from submissions.notifications import webhooks
from submissions.permissions import history_visible_to, line_comments_visible_to
from submissions.permissions.visible import START, events_after
from tests.submissions.api.clients import administrator, made, system
from tests.submissions.example_drafts import answer_all, ready_to_file
from tests.submissions.web.clients import browser

pytestmark = pytest.mark.django_db
SECRET = "Zwölf Schuhe sind zu viel"  # no page has these words by itself
LINE = "adjacent_boxes"


def write(actor: Person, submission: Submission, **given: object) -> LineComment:
    said = {"option": LINE, "text": SECRET, **given}
    return handover.write_line_comment(actor, submission, **said)  # type: ignore[arg-type]


@pytest.fixture
def returned(
    preparer: Person, manager: Person, analyst: Person, casino: Organization, board: Organization
) -> Submission:
    """Commented on as a draft and after the return; each side has a webhook for everything."""
    for organization in (casino, board):
        webhooks.create_webhook(administrator(organization), url="https://hooks.example.test/")
    submission = ready_to_file(preparer, "686a")
    write(preparer, submission)
    filing.file_submission(manager, submission, version=submission.version, attested=True)
    submission.refresh_from_db()
    decisions.return_to_licensee(analyst, submission, version=submission.version, reason="Which rack?")
    submission.refresh_from_db()
    write(manager, submission, text=f"{SECRET}!")
    return submission


def pages(client: Client, submission: Submission) -> Iterator[str]:
    """Every page of the submission and every list and export that could name it, as far as it is there."""
    number = [submission.number]
    for name in ("submission", "checklist", "file", "receipt", "progress", "changes", "round"):
        yield text(client, reverse(name, args=number))
    for address in ("/", "/notices/", "/search/", "/search/export.csv"):
        yield text(client, address)


def text(client: Client, address: str) -> str:
    answer = client.get(address, follow=True)
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return str(content.decode())


def test_people_of_the_licensee_see_it_on_the_line(
    preparer: Person, manager: Person, reader: Person, returned: Submission
) -> None:
    for person in (preparer, manager, reader):
        shown = text(browser(person), reverse("checklist", args=[returned.number]))
        assert "2 comments" in shown
        assert shown.count(SECRET) >= 2
    assert "Save comment" not in text(browser(reader), reverse("checklist", args=[returned.number]))


def test_board_sees_it_on_no_page_and_in_no_list_or_export(
    analyst: Person, director: Person, stranger: Person, manager: Person, returned: Submission
) -> None:
    answer_all(manager, returned)
    filing.file_submission(manager, returned, version=returned.version, attested=True)  # now all else is disclosed
    for person in (analyst, director, stranger):
        assert [page for page in pages(browser(person), returned) if SECRET in page] == []
        searched = text(browser(person), f"/search/?words={SECRET.split()[0]}")
        assert f'href="/submissions/{returned.number}/"' not in searched
        assert not line_comments_visible_to(person, returned).exists()
        assert "commented" not in set(history_visible_to(person, returned).values_list("verb", flat=True))


def test_board_gets_it_by_no_program(
    analyst: Person, manager: Person, board: Organization, casino: Organization, returned: Submission
) -> None:
    answer_all(manager, returned)
    filing.file_submission(manager, returned, version=returned.version, attested=True)
    boards, own = (system(made(organization).token) for organization in (board, casino))
    resource = f"/api/v1/submissions/{returned.number}/"
    addresses = ("/api/v1/submissions/", resource, f"{resource}events/", f"{resource}remarks/", "/api/v1/events/")
    assert [
        address for address in addresses if SECRET in json.dumps(boards.get(address).json(), ensure_ascii=False)
    ] == []
    assert SECRET in json.dumps(own.get("/api/v1/events/").json(), ensure_ascii=False)  # the licensee's own programs do
    assert "commented" not in {row.verb for _, row in events_after(analyst, START, 500)}
    assert {row.verb for _, row in events_after(manager, START, 500)} >= {"commented"}
    bodies = {row.webhook.organization_id: [] for row in Delivery.objects.select_related("webhook")}
    for row in Delivery.objects.select_related("webhook"):
        bodies[row.webhook.organization_id].append(row.body)
    assert [body for body in bodies[board.pk] if SECRET in body] == []
    assert [body for body in bodies[casino.pk] if SECRET in body] != []


def test_no_document_and_no_notice_of_the_board_has_it(manager: Person, analyst: Person, returned: Submission) -> None:
    answer_all(manager, returned)
    revision = filing.file_submission(manager, returned, version=returned.version, attested=True)
    assert SECRET not in json.dumps(document_record(revision), ensure_ascii=False)
    assert not Notice.objects.filter(words__contains=SECRET).exists()


def test_comment_of_a_group_is_with_that_group(preparer: Person) -> None:
    begin_sealing()
    draft = drafts.start_submission(preparer, "686a")
    group = table_groups.add_group(preparer, draft, GroupDescription("High limit", "3"))
    write(preparer, draft, position=group.position)
    assert [(row.position, row.option) for row in LineComment.objects.all()] == [(group.position, LINE)]
    address, client = reverse("checklist", args=[draft.number]), browser(preparer)
    assert "1 comment<" not in text(client, address).replace(" <", "<")
    assert SECRET in text(client, f"{address}?group={group.position}")
    with pytest.raises(Conflict):
        write(preparer, draft, position=7)
    assert verify_history().good


def test_who_does_not_prepare_it_does_not_comment(
    preparer: Person, manager: Person, reader: Person, stranger: Person, analyst: Person
) -> None:
    draft = ready_to_file(preparer, "686a")
    for person in (reader, stranger, analyst):
        with pytest.raises(Forbidden):
            write(person, draft)
    for given in ({"text": " "}, {"option": "no_such_line"}):
        with pytest.raises(Refusal):
            write(preparer, draft, **given)
    filing.file_submission(manager, draft, version=draft.version, attested=True)
    draft.refresh_from_db()
    with pytest.raises(Forbidden):
        write(preparer, draft)
    assert not LineComment.objects.exists()


def test_comment_is_saved_from_the_checklist_and_not_lost_when_refused(preparer: Person) -> None:
    draft = drafts.start_submission(preparer, "686a")
    address, client = reverse("line-comment", args=[draft.number, LINE]), browser(preparer)
    done = client.post(address, {f"comment-{LINE}": SECRET}, follow=True).content.decode()
    assert "Your comment is saved." in done
    assert LineComment.objects.get().text == SECRET
    long = "x" * 10_001
    refused = client.post(address, {f"comment-{LINE}": long})
    assert (refused.status_code, long in refused.content.decode()) == (400, True)
