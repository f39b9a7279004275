"""Status in words is status in fact: how far a draft is, what a refiling changes, which papers must be updated."""

from __future__ import annotations

import pytest
from django.urls import reverse

from submissions.filings import amendments, drafts, filing, handover
from submissions.models import Person, Simulation, Submission
from submissions.review import comments, decisions
from tests.submissions.approved import Cast, change
from tests.submissions.example_drafts import answer_all, ready_to_file
from tests.submissions.web.conftest import browser


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director, computes=False)


def page(person: Person, name: str, *arguments: str, query: str = "") -> str:
    answer = browser(person).get(reverse(name, args=arguments) + query)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_empty_draft_says_how_many_lines_are_answered(manager: Person, preparer: Person) -> None:
    draft = drafts.start_submission(preparer, "593")
    assert page(preparer, "home").count("0 of 3 lines answered") == 2  # in the tasks and in the list of all
    assert page(manager, "home").count("0 of 3 lines answered") == 2  # among the drafts and in the list of all
    shown = page(manager, "submission", draft.number)
    assert (
        "0 of 3 lines answered.</strong> Next: finish the checklist. Then your Table Games Manager files it." in shown
    )
    assert "The answers are completed" not in shown


def test_complete_draft_says_so_to_who_files_and_to_who_prepares(manager: Person, preparer: Person) -> None:
    draft = ready_to_file(preparer, "593")
    assert "<strong>Send it to your manager: 3 of 3 lines answered</strong>" in page(preparer, "home")
    handover.send_to_manager(preparer, draft, version=draft.version)
    assert "<strong>Review and file: 3 of 3 lines answered</strong>" in page(manager, "home")


def test_what_was_filed_counts_no_lines(cast: Cast, manager: Person) -> None:
    submission = ready_to_file(manager, "593")
    cast.file(submission)
    assert "lines answered" not in page(manager, "home") + page(manager, "submission", submission.number)


@pytest.fixture
def returned(cast: Cast) -> Submission:
    submission = ready_to_file(cast.manager, "686a")
    filed = cast.file(submission)
    said = {"revision": filed.number, "text": "How many?", "audience": "licensee", "option": "adjacent_boxes"}
    submission.refresh_from_db()
    comments.write_comment(cast.analyst, submission, **said)
    decisions.return_to_licensee(cast.analyst, submission, version=submission.version)
    submission.refresh_from_db()
    return submission


def test_page_that_files_again_names_what_changed_and_links_the_differences(cast: Cast, returned: Submission) -> None:
    receipt = f"{returned.number}-R1"
    unchanged = page(cast.manager, "file", returned.number)
    assert f"Your answers are the same as in {receipt}, which the Board returned." in unchanged
    change(cast.manager, returned, {"adjacent_boxes": 2})
    shown = page(cast.manager, "file", returned.number)
    corrections = shown.split(f"Changed since {receipt}</h2>")[1].split("</section>")[0]
    assert "What is the total number of boxes on which a player may place a wager" in corrections
    assert ">3<" in corrections
    assert ">2<" in corrections
    link = f"{reverse('changes', args=[returned.number])}?of=draft"
    assert f'href="{link}"' in corrections
    assert f"not filed yet, compared with {receipt}" in page(
        cast.manager, "changes", returned.number, query="?of=draft"
    )
    assert browser(cast.analyst).get(link).status_code == 400


def test_first_filing_has_nothing_to_compare_on_the_page_that_files(manager: Person) -> None:
    assert 'id="corrections"' not in page(manager, "file", ready_to_file(manager, "593").number)


def test_board_finds_what_changed_since_the_filing_that_it_returned(cast: Cast) -> None:
    first = cast.version("686a")
    draft = amendments.start_amendment(cast.manager, first.submission)
    change(cast.manager, draft, {"adjacent_boxes": 2})
    cast.file(draft)
    draft.refresh_from_db()
    decisions.return_to_licensee(cast.analyst, draft, version=draft.version, reason="Which number of boxes?")
    draft.refresh_from_db()
    answer_all(cast.manager, draft)
    filing.file_submission(cast.manager, draft, version=draft.version, attested=True)
    Simulation.objects.update(passed=True)
    shown = page(cast.analyst, "submission", draft.number)
    address = reverse("changes", args=[draft.number])
    assert f'href="{address}?of={draft.number}-R2&amp;from={draft.number}-R1"' in shown
    assert f"Changes since {draft.number}-R1, which the Board returned" in shown


def test_differences_name_the_sign_and_guide_that_must_be_updated(cast: Cast) -> None:
    first = cast.version("683a", odds_posted="sign")
    draft = amendments.start_amendment(cast.manager, first.submission)
    change(cast.manager, draft, {"ante_paytable": "Paytable C"})
    shown = page(cast.manager, "changes", draft.number)
    updates = shown.split("Updates required</h3>")[1].split("</ul>")[0]
    assert "<strong>Payout sign</strong>" in updates
    assert "<strong>Gaming guide</strong>" in updates
    assert "<strong>Layout</strong>, if it repeats the sign's content" in updates
    assert updates.count("Ante: paytable A → C") == 3
    assert "need nothing new" not in shown


def test_differences_that_no_paper_shows_require_no_update(cast: Cast) -> None:
    first = cast.version("683a")
    draft = amendments.start_amendment(cast.manager, first.submission)
    change(cast.manager, draft, {"preinspected_cards": False})
    shown = page(cast.manager, "changes", draft.number)
    assert "You do not need to update the layout, the payout sign or the gaming guide." in shown
    assert "Updates required" not in shown
