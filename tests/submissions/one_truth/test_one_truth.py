"""One truth in many places: figure, paytable, finding and status of random legal configurations.

`make soak` takes every chapter and 20 configurations at random, the suite the few in `DIFFERENT` and 3 configurations.

The truth is what `python -m games check`, `analyze` and `show` print. It is compared with what each place gives out:

- of all configurations of a chapter (its example and those at random): the API's judge, the checklist, the API of the
  draft, the payout sign, the guide, the bulk workbook;
- of those that are filed (2 of each chapter; `PORTAL_SOAK` of them): the page before filing, the receipt, the page of
  the filing (for the Board as it is filed, for the licensee once it is approved), the API of the filing with its
  evidence, search by page and by API, the CSV export;
- of those that are approved (1 of each chapter; all that are filed with `PORTAL_SOAK`): the pages and the API of what
  is in effect;
- of those that are an amendment (all that are filed but the first): the differences to the version before, as a draft
  and as filed;
- of those that are signed (1 of each chapter in `SIGNED`; 3 of every chapter with `PORTAL_SOAK`): the record in the
  PDF, the words on its pages. Of the others that are approved, the record and the HTML that become the PDF.

Without `PORTAL_SOAK` the configurations of a chapter have at most 2 different sets of answers that change figures: each
more is some seconds of exact counting. All contradictions are collected before the test fails.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from games.registry import chapter as chapter_of
from games.registry import folders
from submissions.filings import copies, drafts
from submissions.filings.review import decisions
from submissions.models import Document, Job, Organization, Person, Simulation, Submission
from submissions.tasks import run_task
from tests.soak import SOAK, also
from tests.submissions.api.clients import made, system
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.one_truth import draft_doors, filed_doors
from tests.submissions.one_truth.by_command import truth_by_command
from tests.submissions.one_truth.differences_door import compare_differences, differences_page
from tests.submissions.one_truth.filed_doors import Filed
from tests.submissions.one_truth.ledger import Ledger, Truth
from tests.submissions.one_truth.legal_answers import legal_configurations
from tests.submissions.web.clients import browser

# Wagers of several spots; no wagers but a rake; several columns, an envy bonus and parts of a wager; an estimate and a
# line that takes a file.
DIFFERENT = ["593", "637a", "687a", "688a"]
OTHERS = sorted(set(folders()) - set(DIFFERENT))
CONFIGURATIONS = 21 if SOAK else 4  # of each chapter
FILED = min(SOAK, CONFIGURATIONS) or 2
APPROVED = FILED if SOAK else 1
SIGNED = ("593",)  # a PDF takes some seconds
SIGNED_IN_SOAK = 3
LEAST = 60  # comparisons for each configuration; most chapters have two to five times as many
ROUNDS = 20_000  # too few to judge a run by; what a simulation finds is tested elsewhere

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


class Doors:
    """The people and programs that look, and what they compare."""

    def __init__(self, number: str, casino: Organization, people: dict[str, Person]) -> None:
        self.ledger, self.people = Ledger(number), people
        self.manager, self.analyst = browser(people["manager"]), browser(people["analyst"])
        self.program: Client = system(made(casino).token)

    def draft(self, truth: Truth, draft: Submission) -> None:
        judged = draft_doors.through_judge(self.ledger, truth, self.program)
        draft_doors.through_checklist(self.ledger, truth, self.manager, draft, len(judged["asked"]))
        draft_doors.through_api_of_draft(self.ledger, truth, self.program, draft)
        draft_doors.through_sign(self.ledger, truth)
        draft_doors.through_guide(self.ledger, truth)

    def filing(self, filed: Filed) -> None:
        filed_doors.through_its_page(self.ledger, filed, self.analyst, who="Board")
        filed_doors.through_api(self.ledger, filed, self.program)
        filed_doors.through_search(self.ledger, filed, self.manager, self.program)
        filed_doors.through_csv(self.ledger, filed, self.analyst)

    def version(self, filed: Filed) -> None:
        filed_doors.through_receipt(self.ledger, filed, self.manager)
        filed_doors.through_its_page(self.ledger, filed, self.manager, who="licensee")
        filed_doors.through_api(self.ledger, filed, self.program)
        filed_doors.through_csv(self.ledger, filed, self.manager)
        filed_doors.through_what_is_in_effect(self.ledger, filed, self.program)

    def signed(self, filed: Filed) -> None:
        run_jobs(Job.Kind.DOCUMENT)
        document = Document.objects.get(revision=filed.revision)
        filed_doors.through_signed_pdf(self.ledger, filed, bytes(document.signed.content))


def run_jobs(*kinds: str) -> None:
    """What the workers do."""
    for job in Job.objects.filter(state=Job.State.DUE, kind__in=kinds):
        run_task(job)


def answered(manager: Person, draft: Submission, answers: dict[str, Any]) -> dict[str, Any]:
    """The draft with these answers; where a line takes a file, with the draft's own."""
    row = draft.configurations.get()
    lines = {option.key: option.kind for option in chapter_of(draft.chapter).options}
    files = {key: answer for key, answer in row.answers.items() if lines[key] == "attachment"}
    answers = {key: files.get(key, answer) for key, answer in answers.items()}
    changes = {key: answers.get(key) for key in lines if lines[key] != "attachment"}
    drafts.save_answers(manager, draft, changes, seen=row.answers)
    return {key: answer for key, answer in answers.items() if answer is not None}


def filed(doors: Doors, draft: Submission, truth: Truth) -> Filed:
    """Filed on the page, and dealt by a worker; with so few rounds, chance alone may miss the exact figures."""
    draft.refresh_from_db()
    data = {"version": draft.version, "attested": "yes"}
    response = doors.manager.post(f"/submissions/{draft.number}/file/", data)
    assert response.status_code == 302, response.content.decode()
    run_jobs(Job.Kind.SIMULATE)
    revision = draft.revisions.latest("number")
    Simulation.objects.filter(revision=revision).update(passed=True)
    draft.refresh_from_db()
    return Filed(draft, revision, truth, "filed")


def approved(doors: Doors, filing: Filed) -> Filed:
    submission = filing.submission
    decisions.recommend_approval(doors.people["analyst"], submission, version=submission.version)
    submission.refresh_from_db()
    decisions.approve_submission(doors.people["director"], submission, version=submission.version, confirmed=True)
    submission.refresh_from_db()
    return Filed(submission, filing.revision, filing.truth, "approved")


def compare_drafts(doors: Doors, configurations: list[dict[str, Any]], folder: Path) -> dict[str, Truth]:
    """Through the doors of a draft; number of the draft → truth, in the order of the configurations."""
    number, manager, truths = doors.ledger.number, doors.people["manager"], {}
    for place, answers in enumerate(configurations):
        doors.ledger.configuration = f"configuration {place}"
        draft = ready_to_file(manager, number)
        truth = truth_by_command(number, answered(manager, draft, answers), folder)
        truths[draft.number] = truth
        draft_doors.ask_for_figures(doors.ledger, truth, doors.program)
        run_jobs(Job.Kind.ANALYZE)
        doors.draft(truth, draft)
        if place == 0:
            draft_doors.every_column(doors.ledger, number, doors.manager, draft)
    doors.ledger.configuration = "all configurations"
    draft_doors.through_workbook(doors.ledger, truths, doors.manager)
    return truths


def compare_filings(doors: Doors, truths: dict[str, Truth]) -> None:
    """Filed one after the other, each as an amendment of the one before, as far as that is approved."""
    before: Filed | None = None
    for place, (key, truth) in enumerate(list(truths.items())[:FILED]):
        doors.ledger.configuration = f"configuration {place}"
        filing = first_filing(doors, key, truth) if before is None else amendment(doors, before, truth)
        filed_doors.through_receipt(doors.ledger, filing, doors.manager)
        doors.filing(filing)
        if place < APPROVED:
            before = approved(doors, filing)
            doors.version(before)
            if place < SIGNED_IN_SOAK if SOAK else truth.number in SIGNED:
                doors.signed(before)
            else:
                filed_doors.through_document(doors.ledger, before)


def first_filing(doors: Doors, number: str, truth: Truth) -> Filed:
    draft = Submission.objects.get(number=number)
    draft_doors.through_last_page(doors.ledger, truth, doors.manager, draft)
    return filed(doors, draft, truth)


def amendment(doors: Doors, before: Filed, truth: Truth) -> Filed:
    """The filing that changes what is approved into these answers, with its differences."""
    draft = copies.start_amendment(doors.people["manager"], before.submission)
    answered(doors.people["manager"], draft, dict(truth.answers))
    not_filed_yet = differences_page(doors.manager, draft, of="draft")
    draft_doors.through_last_page(doors.ledger, truth, doors.manager, draft)
    filing = filed(doors, draft, truth)
    compare_differences(doors.ledger, "differences of the draft", not_filed_yet, before, filing)
    compare_differences(doors.ledger, "differences", differences_page(doors.analyst, draft), before, filing)
    return filing


@pytest.mark.parametrize("number", also(DIFFERENT, OTHERS))
def test_every_place_says_the_same(
    number: str, casino: Organization, manager: Person, analyst: Person, director: Person, tmp_path: Path, settings: Any
) -> None:
    settings.SIMULATION_ROUNDS = ROUNDS
    doors = Doors(number, casino, {"manager": manager, "analyst": analyst, "director": director})
    configurations = legal_configurations(number, CONFIGURATIONS, most_figures=CONFIGURATIONS if SOAK else 2)
    assert len(configurations) == CONFIGURATIONS
    compare_filings(doors, compare_drafts(doors, configurations, tmp_path))
    print(f"{number}: {doors.ledger.count} comparisons, {doors.ledger.by_place}")
    assert not doors.ledger.contradictions, "\n".join(doors.ledger.contradictions)
    assert doors.ledger.count >= LEAST * CONFIGURATIONS
