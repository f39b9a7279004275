"""Status in words is status in fact: how far a draft is, what a refiling changes, which papers must be updated."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from submissions.accounts.stand_ins import name_stand_in
from submissions.filings import copies, drafts, filing, handover
from submissions.filings.pages.next_steps import LAYOUT_NEXT_STEPS, NEXT_STEPS
from submissions.filings.review import comments, decisions
from submissions.models import Configuration, LayoutStatus, Person, Simulation, Status, Submission
from tests.submissions.approved import Cast, change
from tests.submissions.example_drafts import answer_all, ready_to_file
from tests.submissions.web.clients import browser


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
    assert "0 of 3 lines answered.</strong> Next: finish the checklist. Then you file it." in shown
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
    draft = copies.start_amendment(cast.manager, first.submission)
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
    draft = copies.start_amendment(cast.manager, first.submission)
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
    draft = copies.start_amendment(cast.manager, first.submission)
    change(cast.manager, draft, {"preinspected_cards": False})
    shown = page(cast.manager, "changes", draft.number)
    assert "You do not need to update the layout, the payout sign or the gaming guide." in shown
    assert "Updates required" not in shown


def test_next_step_names_each_reader_from_their_own_side(
    manager: Person, preparer: Person, reader: Person, analyst: Person, director: Person
) -> None:
    """Every step of the table to every role: the reader is "you", and no one is named to themselves."""
    as_others_are_named = {
        manager: r"[Yy]our Table Games Manager|[Tt]he licensee",
        preparer: r"[Aa] preparer|[Tt]he licensee",
        reader: r"[Tt]he licensee",
        analyst: r"[Aa]n analyst|[Yy]our|of the Board",
        director: r"[Aa] director|[Yy]our|of the Board",
    }
    steps = [*NEXT_STEPS.values(), *LAYOUT_NEXT_STEPS.values()]
    for person, others in as_others_are_named.items():
        board_only = [*NEXT_STEPS.values(), *(steps if person.at_regulator else ())]
        told = [step.words_for(person) for step in board_only]
        assert [words for words in told if not words or re.search(others, words)] == [], person.role
    assert {status for status in Status if status not in NEXT_STEPS} == set()
    assert {status for status in LayoutStatus if status not in LAYOUT_NEXT_STEPS} == set()


def test_next_step_of_a_submission_is_told_on_its_page_by_role(cast: Cast, preparer: Person) -> None:
    draft = ready_to_file(cast.manager, "593")
    people = (cast.manager, preparer, cast.analyst, cast.director)

    def steps(*readers: Person) -> list[str]:
        shown = (page(person, "submission", draft.number) for person in readers)
        return [re.search(r"Next step</h2> ?<p> ?(.*?) ?</p>", each)[1] for each in shown]

    assert "Next: you review and file it." in page(cast.manager, "submission", draft.number)
    assert "Next: your Table Games Manager reviews it and files it." in page(preparer, "submission", draft.number)
    cast.file(draft)
    files = ["You file", "You file", "The licensee files", "The licensee files"]
    for person, words in zip(people, files, strict=True):
        assert f"{words} them separately" in " ".join(page(person, "submission", draft.number).split())
    assert steps(*people) == [
        "An analyst of the Board reviews the filing.",
        "An analyst of the Board reviews the filing.",
        "You recommend approval or return the filing.",
        "An analyst recommends approval or returns the filing.",
    ]
    draft.refresh_from_db()
    decisions.recommend_approval(cast.analyst, draft, version=draft.version)
    assert steps(*people) == [
        "A director of the Board decides.",
        "A director of the Board decides.",
        "A director, other than the one who recommended, decides.",
        "You decide, unless you recommended it. Then another director decides.",
    ]


def test_stand_in_is_told_what_the_manager_is_told(cast: Cast, preparer: Person) -> None:
    draft = ready_to_file(preparer, "593")
    today = timezone.localdate()
    name_stand_in(cast.manager, preparer, first_day=today, last_day=today, reason="Vacation.")
    assert "Next: you review and file it." in page(preparer, "submission", draft.number)


def test_page_that_files_again_has_no_heading_without_words_under_it(cast: Cast, returned: Submission) -> None:
    """No line is answered differently, but something else changed: a table group."""
    answers = returned.configurations.get().answers
    Configuration.objects.create(submission=returned, position=1, name="High limit", tables="3", answers=answers)
    shown = page(cast.manager, "file", returned.number)
    words = shown.split(f"Changed since {returned.number}-R1</h2>")[1].split("</section>")[0]
    assert "The table groups changed. The answers are the same as in" in words


def test_checklist_is_not_ready_to_file_beside_a_line_that_is_not_saved(manager: Person, preparer: Person) -> None:
    draft = ready_to_file(manager, "686a")
    address, seen = reverse("checklist", args=[draft.number]), {"seen-adjacent_boxes": "3"}
    assert "Ready to file." in page(manager, "checklist", draft.number)
    drafts.save_answers(preparer, draft, {"adjacent_boxes": 2}, seen={"adjacent_boxes": 3})
    for headers in ({}, {"HX-Request": "true"}):  # without script, and with it
        for sent in ("4", "many"):  # someone else changed the line; a value that cannot be saved
            answer = browser(manager).post(address, {"answer-adjacent_boxes": sent, **seen}, headers=headers)
            shown = " ".join(answer.content.decode().split())
            summary = shown.split('id="summary"')[1].split("</section>")[0]
            assert ("<strong>1 line</strong> not saved" in summary, "Ready to file." in summary) == (True, False), sent


def test_checklist_promises_to_save_only_by_script(manager: Person) -> None:
    shown = page(manager, "checklist", ready_to_file(manager, "593").number)
    assert ">The portal saves each change" not in shown
    assert 'data-with-script="The portal saves each change as you make it.">Select Save' in shown
