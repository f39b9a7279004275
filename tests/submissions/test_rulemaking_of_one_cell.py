"""One cell of one paytable changes on a day, from the loader to the signed PDF (687a, DJWT-05: Three-of-a-Kind).

A version is in effect before the day; what shows its odds shows those of the day asked about, what was frozen stays,
and the version filed again for the day has the later odds.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from functools import partial

import pytest
import time_machine
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from lxml import html
from pytest_django import Settings

from games.runs.engine import analyze
from submissions.audit.row_verification import verify_history
from submissions.core.errors import Refusal
from submissions.documents.context import document_context
from submissions.documents.document_record import document_record, sealed_record
from submissions.documents.signed_pdf import seal_pdf
from submissions.documents.submission_document import store_document
from submissions.documents.verification import Identity, examine
from submissions.filings import copies, filing, planned_day
from submissions.filings.compliance import current_periods, judge_periods
from submissions.filings.diff import compare_revisions
from submissions.filings.evidence import computations
from submissions.filings.review import decisions
from submissions.layouts import layout_filings, layout_review, readiness
from submissions.layouts.affected_versions import AffectedVersion, affected_versions
from submissions.layouts.paper_content import guide_content, payout_sign_content
from submissions.layouts.readiness import PaperState
from submissions.models import Job, LayoutFiling, Paper, Part, Person, Revision, Submission, Version
from submissions.rules import chapter_on
from submissions.tasks import run_task
from tests.games.chapters.examples import example
from tests.submissions.approved import Cast, change
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.layouts.papers import words
from tests.submissions.rulemakings import CELL, publish, rulemaking
from tests.submissions.signed_documents import two_pages
from tests.submissions.web.clients import browser

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
DAYS_AHEAD = 30
ROUNDS = 2_000_000  # with fewer, one rare hand can look like a fault
approve = partial(decisions.approve_submission, confirmed=True)
NATURAL, OUTCOME = "Three-of-a-Kind (Natural)", "Three-of-a-Kind"
SIGN_AND_GUIDE = (Part.SIGN, Part.GUIDE)


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director)


@pytest.fixture
def first_day() -> date:
    return timezone.localdate() + timedelta(days=DAYS_AHEAD)


@pytest.fixture(autouse=True)
def _rounds(settings: Settings) -> None:
    settings.SIMULATION_ROUNDS = ROUNDS


@pytest.fixture
def version(cast: Cast, first_day: date, monkeypatch: pytest.MonkeyPatch) -> Revision:
    """In effect from today, before the Board published the change."""
    revision = cast.version("687a", trips_paytable="DJWT-05")
    publish(monkeypatch, rulemaking("687a", first_day, CELL))
    return revision


def approved(cast: Cast, draft: Submission) -> Revision:
    """Filed, simulated, approved for the planned day; the job of its document is due."""
    draft.refresh_from_db()
    revision = filing.file_submission(cast.manager, draft, version=draft.version, attested=True)
    work(Job.Kind.SIMULATE)
    for person, step in ((cast.analyst, decisions.recommend_approval), (cast.director, approve)):
        draft.refresh_from_db()
        step(person, draft, version=draft.version)
    return revision


def work(kind: Job.Kind) -> None:
    for job in Job.objects.filter(kind=kind, state=Job.State.DUE):
        run_task(job)
        job.refresh_from_db()
        assert job.state == Job.State.DONE, job.message


def papers(
    cast: Cast, revision: Revision, parts: Sequence[Part] = SIGN_AND_GUIDE, rules_on: date | None = None
) -> LayoutFiling:
    """Sign and guide, filed and approved; their job is due."""
    layout = layout_filings.start_layout_filing(cast.manager, revision.submission, 0, parts, rules_on=rules_on)
    layout_filings.file_layout(cast.manager, layout, version=layout.version)
    for person, step in ((cast.analyst, layout_review.recommend), (cast.director, layout_review.approve)):
        layout.refresh_from_db()
        step(person, layout, version=layout.version)
    return layout


def frozen_odds(revision: Revision) -> list[str]:
    """What the snapshot says of the outcome: natural, with a joker."""
    (configuration,) = revision.content["configurations"]
    (table,) = [table for table in configuration["paytables"] if table["wager"] == "trips"]
    ((_, *pays),) = [row for row in table["rows"] if row[0] == OUTCOME]
    return pays


def document_odds(revision: Revision) -> list[str]:
    """The odds of the outcome in the HTML that becomes the pages of the document."""
    context = {"document": document_context(document_record(revision)), "draft": False}
    page = html.fromstring(render_to_string("documents/submission.html", context))
    (row,) = page.xpath(f"//table[contains(caption, 'DJWT-05')]//tr[th='{OUTCOME}']")
    return [cell.text for cell in row.xpath("./td")]


def seal(revision: Revision) -> bytes:
    """The record of the revision, sealed and stored with two pages; `document_odds` has those of the whole document."""
    content = sealed_record(revision)
    sealed = seal_pdf(two_pages(content), f"Rules Submission {revision.receipt}", content["approved"]["by"])
    return bytes(store_document(revision, content, sealed).signed.content)


def hold_on(day: date) -> Fraction:
    (row,) = [row for row in analyze(chapter_on("687a", day)).wagers if row.paytable == "DJWT-05"]
    return row.hold


def affected(day: date) -> AffectedVersion:
    (row,) = affected_versions(current_periods(Version.objects.all(), day))
    return row


def test_version_is_affected_from_the_day_and_blocked_on_none(version: Revision, first_day: date) -> None:
    before, eve = timezone.localdate(), first_day - timedelta(days=1)
    for day in (before, eve):
        computations.compute_figures(chapter_on("687a", day), example("687a", trips_paytable="DJWT-05"))
    computations.compute_figures(chapter_on("687a", first_day), example("687a", trips_paytable="DJWT-05"))
    report = judge_periods(current_periods(Version.objects.all(), before), before)
    assert (report.judged, report.other_rules, report.breaches) == (1, 0, ())
    row = affected(before)
    assert (row.term.version.revision, row.since, row.is_coming(before)) == (version, first_day, True)
    (group,) = row.groups
    (difference,) = group.effect.differences
    assert (difference.part, difference.before, difference.after) == (NATURAL, "6 to 1", "5 to 1")
    (hold,) = group.effect.holds
    assert (hold.before, hold.after) == (hold_on(eve), hold_on(first_day))
    assert hold.after > hold.before
    assert {update.part for update in group.papers} == set(SIGN_AND_GUIDE)
    assert "Three-of-a-Kind 6 to 1 / 1 to 1 → 5 to 1 / 1 to 1" in group.papers[0].why[0]


def test_sign_and_guide_have_the_odds_of_the_day(version: Revision, first_day: date) -> None:
    answers = version.content["configurations"][0]["answers"]
    for day, odds in ((first_day - timedelta(days=1), "6 to 1"), (first_day, "5 to 1")):
        chapter = chapter_on("687a", day)
        for content in (payout_sign_content(chapter, answers), guide_content(chapter, answers)):
            wagers = content.get("wagers") or [wager for column in content["columns"] for wager in column]
            (trips,) = [wager for wager in wagers if wager.wager == "trips"]
            assert [row[1] for row in trips.table.rows if row[0] == OUTCOME] == [odds]


def test_papers_are_announced_before_and_required_from_the_day(cast: Cast, version: Revision, first_day: date) -> None:
    papers(cast, version)
    (today,) = readiness.readiness_of_revision(version)
    (later,) = readiness.readiness_of_revision(version, first_day)
    state = {part.part: (part.state, part.required_from) for part in today.parts if part.part in SIGN_AND_GUIDE}
    assert state == dict.fromkeys(SIGN_AND_GUIDE, (PaperState.APPROVED, first_day))
    assert {part.state for part in later.parts if part.part in SIGN_AND_GUIDE} == {PaperState.UPDATE_REQUIRED}
    assert all("6 to 1" in " ".join(part.why) for part in later.parts if part.part in SIGN_AND_GUIDE)
    papers(cast, version, [Part.GUIDE], rules_on=first_day)
    Job.objects.filter(kind=Job.Kind.PAPERS).delete()  # only the sign of the day is sealed here
    papers(cast, version, [Part.SIGN], rules_on=first_day)
    work(Job.Kind.PAPERS)
    for day in (None, first_day):
        (group,) = readiness.readiness_of_revision(version, day)
        assert [(part.state, part.required_from) for part in group.parts if part.part in SIGN_AND_GUIDE] == [
            (PaperState.APPROVED, None)
        ] * 2
    sign = Paper.objects.get()
    assert "5 to 1" in words(bytes(sign.signed.content))


def test_version_filed_again_for_the_day_has_the_later_odds(
    cast: Cast, first_day: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With everything that is simulated and sealed. The earlier document, made now, still has the earlier odds."""
    draft = ready_to_file(cast.manager, "687a")
    change(cast.manager, draft, {"trips_paytable": "DJWT-05"})
    version = approved(cast, draft)
    publish(monkeypatch, rulemaking("687a", first_day, CELL))
    draft = copies.start_amendment(cast.manager, version.submission)
    planned_day.plan_effective_day(cast.manager, draft, first_day)
    later = approved(cast, draft)
    assert (frozen_odds(version), frozen_odds(later)) == (["6 to 1", "1 to 1"], ["5 to 1", "1 to 1"])
    assert (later.content["rules_on"], later.content["takes_effect"]) == (first_day.isoformat(),) * 2
    assert Version.objects.get(revision=later).from_day == first_day
    (part,) = compare_revisions(version, later).parts
    assert part.lines == ()
    (table,) = part.paytables
    (hold,) = part.changed_holds
    expected = 100 * (hold_on(first_day) - hold_on(timezone.localdate()))
    assert abs(Fraction(hold.change) - expected) <= Fraction(1, 10_000)  # of shown holds, with four decimals
    assert [row for row in table.rows if row[3]] == [(OUTCOME, "6 to 1 / 1 to 1", "5 to 1 / 1 to 1", True)]
    content = seal(later)
    with time_machine.travel(timezone.now() + timedelta(days=DAYS_AHEAD)):
        examination = examine(content)
        assert (examination.identity, examination.good, examination.problems) == (Identity.SEALED, True, ())
        assert [document_odds(each) for each in (version, later)] == [frozen_odds(version), frozen_odds(later)]
    report = verify_history()
    assert (report.broken, report.differences) == (None, ())


def test_approval_for_a_day_with_other_rules_is_refused(cast: Cast, version: Revision, first_day: date) -> None:
    draft = copies.start_amendment(cast.manager, version.submission)
    planned_day.plan_effective_day(cast.manager, draft, first_day)
    cast.file(draft)
    draft.refresh_from_db()
    decisions.recommend_approval(cast.analyst, draft, version=draft.version)
    draft.refresh_from_db()
    eve = first_day - timedelta(days=1)
    with pytest.raises(Refusal) as refused:
        decisions.approve_submission(cast.director, draft, version=draft.version, from_day=eve, confirmed=True)
    assert refused.value.code == "other-rules-on-day"
    assert NATURAL in refused.value.message
    decisions.approve_submission(cast.director, draft, version=draft.version, from_day=first_day, confirmed=True)


def test_pages_say_what_changes_and_from_which_day(cast: Cast, version: Revision, first_day: date) -> None:
    shown = " ".join(browser(cast.manager).get(reverse("changed-rules")).content.decode().split())
    assert "All checked versions of your organization comply" in shown
    assert "1 of 1 version is affected by rule changes" in shown
    for words_shown in (NATURAL, "6 to 1", "5 to 1", "Payout sign: update required", "Gaming guide: update required"):
        assert words_shown in shown
    draft = copies.start_amendment(cast.manager, version.submission)
    planned_day.plan_effective_day(cast.manager, draft, first_day)
    for name in ("checklist", "file"):
        box = " ".join(browser(cast.manager).get(reverse(name, args=[draft.number])).content.decode().split())
        assert "1 change of this chapter from today until" in box, name
        assert NATURAL in box
