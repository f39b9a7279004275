"""A chapter that lies in one folder of its own goes through the whole portal, which knows nothing else of it.

One chapter shows it; `make soak` takes the other invented ones through as well. What is theirs alone (a joker, a game
of the house's ways) is in `tests.games.invented`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings
from django.urls import reverse

from games.registry import chapter
from submissions.audit.chain import verify_chain
from submissions.documents.verification import Identity, examine
from submissions.filings import filing as filings
from submissions.filings.review import decisions
from submissions.layouts import layout_filings, layout_review
from submissions.layouts.required_elements import ElementStatus
from submissions.layouts.uploaded_drawings import report_of
from submissions.models import (
    Document,
    Job,
    LayoutFiling,
    LayoutStatus,
    Paper,
    Person,
    Simulation,
    Status,
    Submission,
)
from submissions.tasks import run_task
from tests import cast
from tests.games.checking.chapter_copy import further_chapters
from tests.games.invented.invented_chapters import FOLDER, NUMBERS
from tests.soak import also
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.layout_rows import drawn_layout
from tests.submissions.web.clients import browser

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("invented-chapters")]
WHOLE_WAY = also(NUMBERS[:1], NUMBERS[1:])
ROUNDS = 2_000_000  # with fewer, one rare hand can look like a fault
WRONG = (ElementStatus.MISSING, ElementStatus.TOO_FEW, ElementStatus.DIFFERENT)


@pytest.fixture(scope="module", params=WHOLE_WAY)
def approved_submission(request: pytest.FixtureRequest, module_rows: None) -> Iterator[Submission]:
    """An approved submission of the chapter, tested by a simulation."""
    with further_chapters(FOLDER), override_settings(SIMULATION_ROUNDS=ROUNDS):
        submission = filed(cast.manager(), ready_to_file(cast.manager(), request.param))
        approve(submission)
        yield submission


@pytest.fixture
def submission(approved_submission: Submission, db: None) -> Submission:
    return Submission.objects.get(pk=approved_submission.pk)


def work(kind: Job.Kind) -> None:
    """What the workers do."""
    due = Job.objects.filter(kind=kind, state=Job.State.DUE)
    assert due
    for job in due:
        run_task(job)
        job.refresh_from_db()
        assert job.state == Job.State.DONE, job.message


def filed(manager: Person, draft: Submission) -> Submission:
    """It, filed and tested."""
    filings.file_submission(manager, draft, version=draft.version, attested=True)
    work(Job.Kind.SIMULATE)
    draft.refresh_from_db()
    return draft


def approve(submission: Submission) -> None:
    approval = partial(decisions.approve_submission, confirmed=True)
    for person, decide in ((cast.analyst(), decisions.recommend_approval), (cast.director(), approval)):
        decide(person, submission, version=submission.version)
        submission.refresh_from_db()


def approved_layout(submission: Submission, manager: Person, analyst: Person, director: Person) -> LayoutFiling:
    """The reference drawing with sign and guide, filed and judged: what no machine can say is accepted."""
    layout = drawn_layout(manager, submission)
    report = report_of(layout.drawings.get())
    assert report["differences"] == []
    assert [element["element"] for element in report["elements"] if element["state"] in WRONG] == []
    layout_filings.file_layout(manager, layout, version=layout.version)
    for element in layout_review.unsettled(layout.revisions.get()):
        layout_review.judge(analyst, layout, element.key, accepted=True)
    for person, decide in ((analyst, layout_review.recommend), (director, layout_review.approve)):
        layout.refresh_from_db()
        decide(person, layout, version=layout.version)
    work(Job.Kind.PAPERS)
    layout.refresh_from_db()
    return layout


def test_draft_is_filed_tested_approved_and_sealed(submission: Submission) -> None:
    for run in Simulation.objects.all():
        assert run.passed, [wager for wager in run.result["wagers"] if not wager["passed"]]
        assert run.rounds == ROUNDS or not run.result["wagers"]
    assert submission.status == Status.APPROVED
    work(Job.Kind.DOCUMENT)
    content = bytes(Document.objects.select_related("signed").get().signed.content)
    found = examine(content)
    assert (found.identity, found.good, found.problems) == (Identity.SEALED, True, ())
    assert examine(content[:-1] + bytes([content[-1] ^ 1])).identity is Identity.CHANGED
    sent = browser().post("/verify/", {"document": SimpleUploadedFile("rules.pdf", content, "application/pdf")})
    assert "Genuine and unchanged" in sent.content.decode()
    assert chapter(submission.chapter).title in sent.content.decode()
    assert verify_chain()[1] is None


def test_reference_layout_sign_and_guide_are_approved_and_sealed(
    submission: Submission, manager: Person, analyst: Person, director: Person
) -> None:
    layout = approved_layout(submission, manager, analyst, director)
    assert layout.status == LayoutStatus.APPROVED
    papers = Paper.objects.select_related("signed")
    assert sorted(paper.part for paper in papers) == ["guide", "layout", "sign"]
    assert all(examine(bytes(paper.signed.content)).good for paper in papers)


def test_pages_show_the_chapter(submission: Submission, manager: Person) -> None:
    client, number = browser(manager), submission.chapter
    layout = drawn_layout(manager, submission)
    pages = {
        "chapters": reverse("chapters"),
        "chapter": reverse("chapter", args=[number]),
        "search": f"{reverse('search')}?chapter={number}",
        "checklist": reverse("checklist", args=[ready_to_file(manager, number).number]),
        "submission": reverse("submission", args=[submission.number]),
        "layout": reverse("layout", args=[layout.number]),
    }
    answers = {name: client.get(address) for name, address in pages.items()}
    assert {name: answer.status_code for name, answer in answers.items()} == dict.fromkeys(answers, 200)
    title = chapter(number).title
    assert [name for name, answer in answers.items() if title not in answer.content.decode()] == []
