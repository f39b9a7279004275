"""One High Card Flush filing, from the empty checklist to the signed PDF and its layout, as pages would do it.

The chapter's rules are final and their text is complete, so the first filing that a visitor sees needs no reservation.
Every step looks at the state of the filing: an interrupted demo continues from there. The simulation and the
document are made by the real workers; here they are only waited for.
"""

import json
import time
from collections.abc import Callable
from pathlib import Path

from django.conf import settings

from games.checking.chapter_files import EXAMPLE
from games.registry import folder_of
from portal.demo import cast, layout
from submissions.filings import drafts, filing
from submissions.models import Document, Job, Simulation, Status, Submission
from submissions.review import decisions

CHAPTER = "678a"
ANSWERS = folder_of(CHAPTER) / EXAMPLE
LONGEST_WAIT = 600  # seconds without any progress

Say = Callable[[str], None]


class Stuck(Exception):
    """The filing does not get on; the message says why."""


def carry(say: Say) -> Path:
    """The signed PDF of the example, as a file; `say` is called with every step."""
    submission = _draft(say)
    if submission.status == Status.DRAFT:
        manager = cast.person("manager", "east")
        revision = filing.file_submission(manager, submission, version=submission.version, attested=True)
        say(f"filed by the {manager.name}: receipt {revision.receipt}, SHA-256 {revision.sha256[:12]}…")
    submission.refresh_from_db()
    if submission.status == Status.FILED:
        _wait_for_simulation(submission, say)
        decisions.recommend_approval(cast.person("analyst", "board"), submission, version=submission.version)
        say("recommended by the Analyst")
    submission.refresh_from_db()
    if submission.status == Status.RECOMMENDED:
        decisions.approve_submission(
            cast.person("director", "board"), submission, version=submission.version, confirmed=True
        )
        say("approved by the Director")
    path = _signed(submission, say)
    layout.file(submission, lambda kind, subject: _wait(kind, subject, say), say)
    return path


def _draft(say: Say) -> Submission:
    """The example's submission: the first one that the demo's preparer began for this chapter."""
    preparer = cast.person("preparer", "east")
    existing = Submission.objects.filter(created_by=preparer, chapter=CHAPTER).exclude(status=Status.WITHDRAWN)
    if first := existing.order_by("pk").first():
        return first
    submission = drafts.start_submission(preparer, CHAPTER)
    answers = json.loads(ANSWERS.read_text(encoding="utf-8"))
    drafts.save_answers(preparer, submission, answers, strict=True)
    say(f"{submission.number} · High Card Flush, § {CHAPTER}: {len(answers)} lines answered by the Preparer")
    return submission


def _wait_for_simulation(submission: Submission, say: Say) -> None:
    revision = submission.revisions.latest("number")
    for simulation in Simulation.objects.filter(revision=revision):
        _wait(Job.Kind.SIMULATE, simulation.pk, say)
        simulation.refresh_from_db()
        if not simulation.passed:
            raise Stuck(f"the simulation of {revision.receipt} does not agree with the exact figures")
        say(f"{simulation.rounds:,} rounds dealt: every wager agrees with its exact figure")


def _signed(submission: Submission, say: Say) -> Path:
    revision = submission.revisions.latest("number")
    _wait(Job.Kind.DOCUMENT, revision.pk, say)
    document = Document.objects.select_related("signed").get(revision=revision)
    path = settings.VAR / "demo" / f"{revision.receipt}.pdf"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes(document.signed.content))
    return path


def _wait(kind: Job.Kind, subject: int, say: Say) -> None:
    """Until the job has ended well; its progress is reported every few seconds."""
    reported, deadline = "", time.monotonic() + LONGEST_WAIT
    while True:
        job = Job.objects.get(kind=kind, subject=subject)
        if job.state == Job.State.DONE:
            return
        if job.ended:
            raise Stuck(f"{job.get_kind_display()}: {job.message or job.get_state_display()}")
        if (now := _progress(job)) != reported:
            reported, deadline = now, time.monotonic() + LONGEST_WAIT
            say(now)
        if time.monotonic() > deadline:
            raise Stuck(f"{job.get_kind_display()}: nothing happened for {LONGEST_WAIT} s; is a worker running?")
        time.sleep(1)


def _progress(job: Job) -> str:
    """The progress of the job in whole tenths, so that not every block is reported."""
    tenths = 10 * job.done_units // job.total_units if job.total_units else 0
    share = f", {tenths * 10} %" if job.total_units else ""
    return f"{job.get_kind_display().lower()}: {(job.message or job.get_state_display()).lower()}{share}"
