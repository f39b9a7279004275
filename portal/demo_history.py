"""Some months of filings for a new demo: the actions that people use, each on its day, in the order of the days.

`demo_history.toml` names them. The clock of this process is set to each moment, so events, receipts, seals and
timestamps agree with one another; the jobs of a day (simulations, documents) run in this process, before anything else
is started. The figures and the dealt rounds are real; `ROUNDS` is less than a chapter asks for, and each document says
so.
"""

import json
import logging
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import time_machine
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

from games.checking.chapter_files import EXAMPLE
from games.registry import folder_of
from portal import demo
from submissions.filings import copies, drafts, filing, questions
from submissions.filings.orders.order_entry import ConditionText, OrderContent, enter_order
from submissions.filings.review import comments, decisions
from submissions.layouts import layout_filings, layout_review, uploaded_drawings
from submissions.models import Job, OrderKind, Part, Person, Remark, Reply, Rulemaking, Status, Submission
from submissions.rulemakings import drafting, trials
from submissions.tasks import run_task

Step = Mapping[str, Any]


class Incomplete(Exception):
    """The plan cannot be carried out: a job did not end well, or a step comes before the one it needs."""


@dataclass(slots=True)
class Story:
    """One filing of the plan, its rulemaking or its waiver, and what has become of it so far."""

    plan: Mapping[str, Any]
    submission: Submission | None = None
    rulemaking: Rulemaking | None = None
    day: date = field(default=date.min)

    @property
    def licensee(self) -> str:
        return str(self.plan["licensee"])

    def latest(self) -> Submission:
        """Return the submission as it is now."""
        if self.submission is None:
            raise Incomplete("a filing of history.toml does not begin with `start`")
        self.submission.refresh_from_db()
        return self.submission


def run_jobs() -> None:
    """Run every due job, as a worker runs it."""
    while jobs := list(Job.objects.filter(state=Job.State.DUE).order_by("pk")):
        for job in jobs:
            run_task(job)
            job.refresh_from_db()
            if job.state not in (Job.State.DONE, Job.State.DIVIDED):
                raise Incomplete(f"{job.get_kind_display()}: {job.message}")


def start(story: Story, step: Step) -> None:
    preparer = demo.person("preparer", story.licensee)
    chapter = story.plan["chapter"]
    answers: dict[str, Any] = {}
    if story.plan.get("amends"):
        own = Submission.objects.filter(organization=preparer.organization, chapter=chapter)
        story.submission = copies.start_amendment(preparer, own.get(status=Status.APPROVED, amends=None))
    else:
        story.submission = drafts.start_submission(preparer, chapter)
        example = json.loads((folder_of(chapter) / EXAMPLE).read_text(encoding="utf-8"))
        answers = {key: answer for key, answer in example.items() if answer is not None}
    drafts.save_answers(preparer, story.latest(), answers | story.plan.get("answers", {}))


def file(story: Story, step: Step) -> None:
    submission = story.latest()
    filing.file_submission(_manager(story), submission, version=submission.version, attested=True)


def ask(story: Story, step: Step) -> None:
    submission = story.latest()
    number = submission.revisions.latest("number").number
    to_licensee, line = Remark.Audience.LICENSEE, step.get("line", "")
    comments.write_comment(
        _analyst(), submission, revision=number, text=step["text"], audience=to_licensee, option=line
    )


def return_(story: Story, step: Step) -> None:
    submission = story.latest()
    decisions.return_to_licensee(_analyst(), submission, version=submission.version)


def reply(story: Story, step: Step) -> None:
    preparer = demo.person("preparer", story.licensee)
    drafts.save_answers(preparer, story.latest(), step["answers"])
    for remark in _questions(story):
        questions.answer_question(preparer, remark, kind=Reply.Kind.ANSWER, text=step["text"])


def settle(story: Story, step: Step) -> None:
    for remark in _questions(story):
        comments.resolve_comment(_analyst(), remark)


def recommend(story: Story, step: Step) -> None:
    submission = story.latest()
    decisions.recommend_approval(_analyst(), submission, version=submission.version)


def approve(story: Story, step: Step) -> None:
    submission = story.latest()
    from_day = story.day + timedelta(days=step.get("effective_in", 0))
    conditions = (ConditionText(**step["condition"]),) if "condition" in step else ()
    decisions.approve_submission(
        _director(), submission, version=submission.version, from_day=from_day, confirmed=True, conditions=conditions
    )


def reject(story: Story, step: Step) -> None:
    submission = story.latest()
    decisions.reject_submission(_director(), submission, version=submission.version, reason=step["reason"])


def withdraw(story: Story, step: Step) -> None:
    submission = story.latest()
    filing.withdraw_submission(_manager(story), submission, version=submission.version, reason=step["reason"])


def file_layout(story: Story, step: Step) -> None:
    manager = _manager(story)
    layout = layout_filings.start_layout_filing(manager, story.latest(), 0, list(Part))
    uploaded_drawings.use_reference_drawing(manager, layout)
    run_jobs()  # the inspection of the drawing
    layout.refresh_from_db()
    layout_filings.file_layout(manager, layout, version=layout.version)


def approve_layout(story: Story, step: Step) -> None:
    layout = story.latest().layout_filings.latest("pk")
    for element in layout_review.unsettled(layout.revisions.latest("number")):
        layout_review.judge(_analyst(), layout, element.key, accepted=True, reason="Seen on the drawing.")
    for person, decide in ((_analyst(), layout_review.recommend), (_director(), layout_review.approve)):
        layout.refresh_from_db()
        decide(person, layout, version=layout.version)


def draft(story: Story, step: Step) -> None:
    plan = story.plan
    effective = timezone.localdate() + timedelta(days=plan["effective_in"] + step["days"])
    row = drafting.start_rulemaking(_analyst(), title=plan["title"], source=plan["source"])
    head = {"number": plan["chapter"], "effective": effective, "title": plan["title"], "source": plan["source"]}
    lines = [f"{key} = {json.dumps(value) if isinstance(value, str) else value}" for key, value in head.items()]
    drafting.write_change(_analyst(), row, "\n".join((*lines, plan["change"])), version=row.version)
    row.refresh_from_db()
    trials.try_rulemaking(_analyst(), row)
    story.rulemaking = row


def publish(story: Story, step: Step) -> None:
    row = story.rulemaking
    if row is None:
        raise Incomplete("the rulemaking of history.toml does not begin with `draft`")
    row.refresh_from_db()
    trials.try_rulemaking(_analyst(), row)  # again where a version was approved in between
    run_jobs()
    drafting.publish_rulemaking(_director(), row, version=row.version, confirmed=True)


def waive(story: Story, step: Step) -> None:
    """Enter a waiver for all licensees, from its day on for the days of the plan."""
    plan, names = story.plan, ("chapter", "rule", "citation", "text", "docket")
    content = OrderContent(
        kind=OrderKind.WAIVER,
        first_day=story.day,
        last_day=story.day + timedelta(days=plan["days"]),
        **{name: plan[name] for name in names},
    )
    enter_order(_director(), content)


STEPS: Mapping[str, Callable[[Story, Step], None]] = {
    step.__name__.rstrip("_"): step
    for step in (
        start, file, ask, return_, reply, settle, recommend, approve, reject, withdraw, file_layout, approve_layout,
        draft, publish, waive,
    )
}  # fmt: skip


def _manager(story: Story) -> Person:
    return demo.person("manager", story.licensee)


_analyst = partial(demo.person, "analyst", "board")
_director = partial(demo.person, "director", "board")


def _questions(story: Story) -> Iterator[Remark]:
    """Yield the questions that the last return asked."""
    submission = story.latest()
    rows = Remark.objects.filter(revision__submission=submission, audience=Remark.Audience.LICENSEE)
    yield from rows.exclude(state=Remark.State.RESOLVED)


PLAN = Path(__file__).with_suffix(".toml")
ROUNDS = 2_000_000  # of each simulation; with fewer, one rare hand can look like a fault
FIRST_HOUR, MINUTES_APART = time(9, 12), 37  # of a day's steps
FRIDAY = 4  # as `date.weekday` counts


def write_history(say: demo.Say) -> int:
    """Prepare a portal that knows nobody, and carry out the whole plan. Returns the number of steps."""
    plan = tomllib.loads(PLAN.read_text(encoding="utf-8"))
    steps = planned_steps(plan, timezone.localdate())
    with _at(steps[0][0] - timedelta(days=1)):
        call_command("prepare", verbosity=0)
        demo.create_cast()
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
    """Return every step with its moment and its story, the earliest first."""
    stories = [Story(row) for row in (*plan["filing"], plan["rulemaking"], plan["waiver"])]
    rows = []
    for story in stories:
        for step in story.plan["steps"]:
            day = today - timedelta(days=step["days"])
            rows.append((day - timedelta(days=max(0, day.weekday() - FRIDAY)), story, step))
    rows.sort(key=lambda row: row[0])
    moments: list[tuple[datetime, Story, Step]] = []
    for day, story, step in rows:
        first = timezone.make_aware(datetime.combine(day, FIRST_HOUR))
        same_day = sum(moment.date() == day for moment, _, _ in moments)
        moments.append((first + timedelta(minutes=MINUTES_APART * same_day), story, step))
    return moments


def _at(moment: datetime) -> time_machine.travel:
    return time_machine.travel(moment, tick=True)
