"""The workbench in tests: a rulemaking from its draft to its publication, by the actions and the job alone."""

from __future__ import annotations

from datetime import date, timedelta

from django.utils import timezone

from submissions.models import Job, Person, Rulemaking
from submissions.rulemakings import drafting, trials
from submissions.rulemakings.trials import Trial
from submissions.tasks import run_task

SOURCE = "57 Pa.B. 1001"
CELL = '[[paytable]]\nwager = "trips"\nname = "DJWT-05"\nchanged_rows = [["Three-of-a-Kind", [5, 1], [1, 1]]]\n'


def first_day() -> date:
    """The day on which the changes of a test begin."""
    return timezone.localdate() + timedelta(days=40)


def head(chapter: str = "687a", day: date | None = None) -> str:
    effective = (day or first_day()).isoformat()
    return f'number = "{chapter}"\neffective = {effective}\ntitle = "The change"\nsource = "{SOURCE}"\n\n'


def written(analyst: Person, *texts: str, title: str = "Trips Bonus Wager") -> Rulemaking:
    """A draft with these changes."""
    rulemaking = drafting.start_rulemaking(analyst, title=title, source=SOURCE)
    for text in texts:
        drafting.write_change(analyst, rulemaking, text, version=rulemaking.version)
        rulemaking.refresh_from_db()
    return rulemaking


def tried(analyst: Person, rulemaking: Rulemaking) -> Trial:
    """The result of the trial, as a worker leaves it."""
    trials.try_rulemaking(analyst, rulemaking)
    job = trials.trial_job_of(rulemaking)
    assert job is not None
    run_task(job)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.message
    result = trials.trial_of(rulemaking)
    assert result is not None
    return result


def published(analyst: Person, director: Person, *texts: str) -> Rulemaking:
    """A rulemaking with these changes, written by one person and published by another."""
    rulemaking = written(analyst, *texts)
    tried(analyst, rulemaking)
    return drafting.publish_rulemaking(director, rulemaking, version=rulemaking.version, confirmed=True)
