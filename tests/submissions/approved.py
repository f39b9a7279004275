"""Versions for tests: a draft put through filing, simulation and approval, on a chosen day.

The exact figures are the real ones; the rounds are not dealt, for what they show is tested elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache

from django.utils import timezone

from games.maths.export import to_json
from games.registry import chapter
from games.runs.engine import analyze
from submissions.filings import copies, drafts, filing
from submissions.filings.review import decisions
from submissions.models import Configuration, Person, Revision, Simulation, Submission
from tests.submissions.example_drafts import ready_to_file


@dataclass(frozen=True, slots=True)
class Cast:
    """Who files, who recommends, who approves; `computes` = with the exact figures, which take some games a while."""

    manager: Person
    analyst: Person
    director: Person
    computes: bool = True

    def approve(self, draft: Submission, from_day: date | None = None) -> Revision:
        """File the draft and carry it to its version."""
        revision = self.file(draft)
        draft.refresh_from_db()
        decisions.recommend_approval(self.analyst, draft, version=draft.version)
        draft.refresh_from_db()
        decisions.approve_submission(self.director, draft, version=draft.version, from_day=from_day, confirmed=True)
        draft.refresh_from_db()
        return revision

    def file(self, draft: Submission) -> Revision:
        """File it, with the figures as a worker would have left them."""
        draft.refresh_from_db()
        revision = filing.file_submission(self.manager, draft, version=draft.version, attested=True)
        configurations = revision.content["configurations"]
        for run in Simulation.objects.filter(revision=revision):
            answers = json.dumps(configurations[run.configuration]["answers"], sort_keys=True)
            found = figures(draft.chapter, answers) if self.computes else None
            Simulation.objects.filter(pk=run.pk).update(analysis=found, passed=True, finished_at=timezone.now())
        return revision

    def version(self, number: str = "686a", from_day: date | None = None, **answers: object) -> Revision:
        """A version of the chapter's example, with these answers instead of the example's."""
        draft = ready_to_file(self.manager, number)
        change(self.manager, draft, answers)
        return self.approve(draft, from_day)

    def amend(self, submission: Submission, from_day: date | None = None, **answers: object) -> Revision:
        draft = copies.start_amendment(self.manager, submission)
        change(self.manager, draft, answers)
        return self.approve(draft, from_day)


def change(actor: Person, draft: Submission, answers: Mapping[str, object], group: int = 0) -> None:
    seen = draft.configurations.get(position=group).answers
    drafts.save_answers(actor, draft, answers, seen=seen, configuration=group)


ONE_WAY_OF_DEALING = {"automated_shoe": False, "from_hand_tables": None, "automated_shoe_tables": None}
"""Then the answers name no table, and fit any group."""


def set_apart(draft: Submission, name: str, tables: str, **answers: object) -> Configuration:
    """A group of tables that begins as a copy of the first configuration; both with one way of dealing."""
    first = draft.configurations.get(position=0)
    if "from_hand_tables" in first.answers:
        first.answers |= ONE_WAY_OF_DEALING
        first.save()
    position = draft.configurations.latest("position").position + 1
    return Configuration.objects.create(
        submission=draft, position=position, name=name, tables=tables, answers={**first.answers, **answers}
    )


@cache
def figures(number: str, answers: str) -> object:
    return to_json(analyze(chapter(number), json.loads(answers)))
