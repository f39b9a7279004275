"""Filings as rows, for tests of what lists and counts them: quick, on any day, with just the answers that matter."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, datetime
from hashlib import sha256
from typing import Any

from django.utils import timezone

from submissions.filings.answer_values import index_answers
from submissions.models import Organization, Person, Revision, Simulation, Status, Submission, Version

NOON = "2026-03-03T12:00"


def draft(by: Person, chapter: str = "687a") -> Submission:
    numbers = Submission.objects.filter(number__startswith="RS-2026-").values_list("number", flat=True)
    latest = numbers.order_by("number").last()
    place = int(latest[-5:]) + 1 if latest else 1
    return Submission.objects.create(
        number=f"RS-2026-{place:05}", organization=by.organization, chapter=chapter, created_by=by
    )


def filing(
    by: Person,
    chapter: str = "687a",
    answers: Mapping[str, Any] | None = None,
    *,
    at: str = NOON,
    status: Status = Status.FILED,
    submission: Submission | None = None,
    **configuration: Any,
) -> Revision:
    """A filing of a new submission, or the next one of `submission`; `at` is Pennsylvania's time."""
    submission = submission or draft(by, chapter)
    number = submission.revisions.count() + 1
    one = {"name": "All tables", "tables": "", "lines": [], "wagers": [], "paytables": [], **configuration}
    configurations = [{**one, "answers": dict(answers or {})}]
    content = {"rules_on": at[:10], "chapter": {"number": chapter}, "configurations": configurations, "attachments": []}
    text = json.dumps(content)
    revision = Revision.objects.create(
        submission=submission,
        number=number,
        receipt=f"{submission.number}-R{number}",
        snapshot=text,
        sha256=sha256(text.encode()).hexdigest(),
        rules_digest="0" * 64,
        engine="games",
        attestation="I have reviewed it.",
        filed_by=by,
        filed_at=timezone.make_aware(datetime.fromisoformat(at)),
    )
    index_answers(revision)
    Submission.objects.filter(pk=submission.pk).update(status=status)
    return revision


def put_in_force(revision: Revision, from_day: date, by: Person) -> Version:
    """As an approval leaves it, on any day."""
    Submission.objects.filter(pk=revision.submission_id).update(status=Status.APPROVED)
    submission = revision.submission
    return Version.objects.create(
        organization=submission.organization,
        chapter=submission.chapter,
        from_day=from_day,
        revision=revision,
        by=by,
        made_at=timezone.now(),
    )


def computed(revision: Revision, **holds: float) -> Simulation:
    """The figures of a filing, with every member that they have: what each wager holds, in percent."""
    wagers = [
        {
            "wager": wager, "paytable": "", "spot": "", "method": "exact", "hold_pct": hold, "hold_fraction": None,
            "standard_error_pct": None, "hit_frequency_pct": 20.0, "standard_deviation": 1.5, "largest_win": 30.0,
            "published": [],
        }
        for wager, hold in holds.items()
    ]  # fmt: skip
    analysis = {"chapter": revision.submission.chapter, "rules_digest": "", "engine": "1", "wagers": wagers}
    return Simulation.objects.create(
        revision=revision, seed=1, rounds=10, block_rounds=1, analysis=analysis, passed=True
    )


def manager_of(name: str) -> Person:
    """The manager of a further casino."""
    casino = Organization.objects.create(kind="licensee", name=name, slug=name.lower().replace(" ", "-"))
    return Person.objects.create(
        email=f"manager@{casino.slug}.example.test",
        name=f"Manager of {name}",
        organization=casino,
        role="table_games_manager",
        password="!",
    )
