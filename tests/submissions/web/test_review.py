"""From the attestation to the register: what each page says, and what it refuses in words."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from submissions.filings import drafts, filing
from submissions.filings.review import decisions
from submissions.models import Document, Job, Person, Revision, Simulation, StoredFile, Submission
from tests.submissions.example_drafts import answer_all
from tests.submissions.web.clients import HTMX, browser, complete, work


def page(client: Client, name: str, submission: Submission, *more: str) -> str:
    return client.get(reverse(name, args=[submission.number, *more])).content.decode()


def post(client: Client, name: str, submission: Submission, *more: str, **form: object) -> tuple[int, str]:
    answer = client.post(reverse(name, args=[submission.number, *more]), form, follow=True)
    return answer.status_code, answer.content.decode()


@pytest.fixture
def tested(filed: Submission) -> Submission:
    work()
    return filed


@pytest.fixture
def recommended(tested: Submission, director: Person) -> Submission:
    decisions.recommend_approval(director, tested, version=tested.version, reason="The figures agree.")
    tested.refresh_from_db()
    return tested


def test_blocking_findings_are_listed_with_links_to_their_lines(manager: Person, draft: Submission) -> None:
    drafts.save_answers(manager, draft, {"adjacent_boxes_allowed": True, "adjacent_boxes": 7}, seen={})
    status, shown = post(browser(manager), "file", draft, version=draft.version, attested="yes")
    errors = shown.split('id="errors"')[1].split("</ul>")[0]
    assert status == 400
    assert f'href="{reverse("checklist", args=[draft.number])}#line-adjacent_boxes"' in errors
    assert "Enter a number from 1 to 6." in errors
    assert not Revision.objects.exists()


def test_what_there_is_can_be_printed_and_nothing_is_stored(manager: Person, draft: Submission) -> None:
    drafts.save_answers(manager, draft, {"adjacent_boxes_allowed": True, "adjacent_boxes": 7}, seen={})
    client, link = browser(manager), reverse("draft", args=[draft.number])
    assert client.get(link).status_code == 202
    work()
    answer = client.get(link)
    assert all(f'href="{link}"' in page(client, name, draft) for name in ("checklist", "file", "submission"))
    assert answer["Content-Disposition"] == f'attachment; filename="{draft.number}-draft.pdf"'
    assert b"".join(answer.streaming_content).startswith(b"%PDF-")
    assert not Document.objects.exists()


def test_filing_without_the_attestation_is_refused(manager: Person) -> None:
    submission = complete(manager)
    status, shown = post(browser(manager), "file", submission, version=submission.version)
    assert (status, "The attestation is missing." in shown) == (400, True)


def test_preparer_is_told_who_files(preparer: Person) -> None:
    shown = page(browser(preparer), "file", complete(preparer))
    assert "A Table Games Manager files it." in shown


def test_attestation_page_names_who_may_sign_as_manager(manager: Person) -> None:
    shown = page(browser(manager), "file", complete(manager))
    assert "Interpretation note: who may sign" in shown
    assert "A person in a higher office signs under the same role." in shown


def test_filing_gives_a_receipt_and_twice_is_told_kindly(manager: Person) -> None:
    submission = complete(manager)
    client = browser(manager)
    form = {"version": submission.version, "attested": "yes"}
    first, second = post(client, "file", submission, **form), post(client, "file", submission, **form)
    revision = Revision.objects.get()
    assert first[0] == 200
    assert f"Receipt {revision.receipt}" in first[1]
    assert revision.sha256 in first[1]
    assert second[0] == 409
    assert "Manager East filed it at " in second[1]


def test_progress_tells_rounds_and_ends_the_asking(manager: Person, filed: Submission) -> None:
    address = reverse("progress", args=[filed.number])
    waiting = browser(manager).get(address, headers=HTMX)
    assert (waiting.status_code, "Waiting for a worker." in waiting.content.decode()) == (200, True)
    work()
    done = browser(manager).get(address, headers=HTMX)
    assert done.status_code == 286
    assert "The simulation agrees with the exact figures" in done.content.decode()


def test_analyst_sees_the_evidence_with_its_denominator(analyst: Person, tested: Submission) -> None:
    shown = page(browser(analyst), "submission", tested)
    assert "share of all money wagered, in percent" in shown
    assert "<strong>5.6052</strong>" in shown  # the Bonus Wager: 1 - 94.394773 percent
    assert Simulation.objects.get().result["generator"] in shown


def test_recommendation_waits_for_the_simulation(analyst: Person, filed: Submission) -> None:
    shown = page(browser(analyst), "submission", filed)
    button = shown.split('formaction="' + reverse("decide", args=[filed.number, "recommend"]))[1].split("</p>")[0]
    assert "disabled" in button.split(">")[0]
    assert "The simulation is still running." in button


def test_own_recommendation_cannot_be_approved(director: Person, recommended: Submission) -> None:
    client = browser(director)
    shown = page(client, "submission", recommended)
    status, answer = post(client, "decide", recommended, "approve", confirmed="yes", version=recommended.version)
    assert "You recommended this submission. Another person must approve it." in shown
    assert (status, "Another person must approve it" in answer) == (403, True)


def test_return_needs_a_question_and_shows_it_to_the_licensee(
    analyst: Person, preparer: Person, filed: Submission
) -> None:
    client = browser(analyst)
    refused = post(client, "decide", filed, "return", version=filed.version, reason=" ")
    done = post(client, "decide", filed, "return", version=filed.version, reason="Which shuffler at table 4?")
    assert (refused[0], "A return needs at least one question." in refused[1]) == (400, True)
    assert done[0] == 200
    assert "Which shuffler at table 4?" in page(browser(preparer), "checklist", filed)


def test_second_filing_shows_what_changed(analyst: Person, manager: Person, filed: Submission) -> None:
    decisions.return_to_licensee(analyst, filed, version=filed.version, reason="Boxes?")
    filed.refresh_from_db()
    drafts.save_answers(manager, filed, {"verbal_wagers": False}, seen=filed.configurations.get().answers)
    filed.refresh_from_db()
    answer_all(manager, filed, "None.")
    filing.file_submission(manager, filed, version=filed.version, attested=True)
    changes = page(browser(analyst), "submission", filed).split('id="changes"')[1].split("</dl>")[0]
    assert "Do you accept verbal wagers" in changes
    assert changes.count("<dt>") == 1


def test_approved_version_is_in_the_register_and_verifies(
    other_director: Person, manager: Person, recommended: Submission
) -> None:
    post(browser(other_director), "decide", recommended, "approve", confirmed="yes", version=recommended.version)
    revision = Job.objects.get(kind=Job.Kind.DOCUMENT).subject  # what that job writes is tested in `documents`
    signed = StoredFile.keep(b"%PDF-", "application/pdf")
    Document.objects.create(
        revision_id=revision, signed=signed, unsigned_sha256="1" * 64, pages=1, signer="Seal",
        signed_at=timezone.now(), verification={}, demo=True,
    )  # fmt: skip
    client, number = browser(), recommended.number
    register = client.get(reverse("register")).content.decode()
    verified = register.split('href="/verify/')[1].split('"')[0]
    answer = browser(manager).get(reverse("document", args=[number]))
    assert "Casino East" in register
    assert client.get(f"/verify/{verified}").status_code == 200
    assert b"".join(answer.streaming_content).startswith(b"%PDF-")


def test_history_tells_who_did_what_and_why(manager: Person, recommended: Submission) -> None:
    shown = page(browser(manager), "submission", recommended).split('id="history-title"')[1]
    told = ("recommended approval", "finished the simulation", "filed it", "changed answers", "started the Rules")
    places = [shown.index(words) for words in told]
    assert places == sorted(places)
    assert "The figures agree." in shown
