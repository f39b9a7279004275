"""Some months of filings for a new demo: the actions that people use, each on its day, in the order of the days.

`history.toml` names them. The clock of this process is set to each moment, so events, receipts, seals and timestamps
agree with one another; the jobs of a day (simulations, documents) run in this process, before anything else is started.
The figures and the dealt rounds are real; `ROUNDS` is less than a chapter asks for, and each document says so.
"""

import logging
import tomllib
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import time_machine
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

from portal.demo import cast
from portal.demo.history_steps import STEPS, Step, Story, run_jobs

PLAN = Path(__file__).with_suffix(".toml")
ROUNDS = 2_000_000  # of each simulation; with fewer, one rare hand can look like a fault
FIRST_HOUR, MINUTES_APART = time(9, 12), 37  # of a day's steps
FRIDAY = 4  # as `date.weekday` counts

Say = Callable[[str], None]


def write(say: Say) -> int:
    """Prepare a portal that knows nobody, and carry out the whole plan. Returns the number of steps."""
    plan = tomllib.loads(PLAN.read_text(encoding="utf-8"))
    steps = planned_steps(plan, timezone.localdate())
    with _at(steps[0][0] - timedelta(days=1)):
        call_command("prepare", verbosity=0)
        cast.create()
    logging.disable(logging.WARNING)  # no broker answers yet, and none is needed
    settings.SIMULATION_ROUNDS = ROUNDS
    for number, (moment, story, step) in enumerate(steps, 1):
        with _at(moment):
            story.day = timezone.localdate()
            STEPS[step["do"]](story, step)
            run_jobs()
        say(f"{number} of {len(steps)}: {moment:%B %-d}, {story.plan['chapter']}: {step['do'].replace('_', ' ')}")
    return len(steps)


def planned_steps(plan: Mapping[str, Any], today: date) -> list[tuple[datetime, Story, Step]]:
    """Every step with its moment and its story, the earliest first."""
    stories = [Story(row) for row in (*plan["filing"], plan["rulemaking"], plan["waiver"])]
    rows = [
        (_working_day(today - timedelta(days=step["days"])), story, step)
        for story in stories
        for step in story.plan["steps"]
    ]
    rows.sort(key=lambda row: row[0])
    moments: list[tuple[datetime, Story, Step]] = []
    for day, story, step in rows:
        first = timezone.make_aware(datetime.combine(day, FIRST_HOUR))
        same_day = sum(moment.date() == day for moment, _, _ in moments)
        moments.append((first + timedelta(minutes=MINUTES_APART * same_day), story, step))
    return moments


def _working_day(day: date) -> date:
    return day - timedelta(days=max(0, day.weekday() - FRIDAY))


def _at(moment: datetime) -> time_machine.travel:
    return time_machine.travel(moment, tick=True)
