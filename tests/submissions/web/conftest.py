"""Browsers without a browser: signed-in test clients, a draft, a complete draft, a filing, and the worker's work."""

from __future__ import annotations

import io
import json
import time
from pathlib import Path

import pikepdf
import pytest
from django.core.cache import cache
from django.test import Client

from games.rules.registry import chapter
from submissions.actions import drafts, filing, jobs, uploads
from submissions.models import Job, Person, Submission
from submissions.tasks import EXECUTORS
from submissions.web import confirming

EXAMPLES = Path(__file__).parents[2] / "games" / "chapters" / "examples"
HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def _memory_cache(settings: object) -> None:
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    cache.clear()  # nobody starts with the attempts of the test before
    settings.SIMULATION_ROUNDS = 200_000


def browser(person: Person | None = None, *, confirmed: bool = True, **options: object) -> Client:
    """Someone's browser; signed in, they have just confirmed who they are unless the test is about that."""
    client = Client(**options)
    if person:
        client.force_login(person)
        session = client.session
        session.update({confirming.CONFIRMED: time.time()} if confirmed else {})
        session.save()
    return client


def pdf() -> bytes:
    content = io.BytesIO()
    with pikepdf.new() as paper:
        paper.add_blank_page()
        paper.save(content)
    return content.getvalue()


def complete(person: Person, number: str = "686a") -> Submission:
    """A draft with every line answered, its files attached."""
    submission = drafts.start(person, number)
    answers = json.loads((EXAMPLES / f"{number}.json").read_text())
    files = [option.key for option in chapter(number).options if option.kind == "attachment"]
    drafts.save_answers(person, submission, {key: value for key, value in answers.items() if key not in files}, seen={})
    for key in files:
        uploads.attach(person, submission, key, "house-rules.pdf", pdf())
    return submission


def work() -> None:
    """What the workers do: every job that waits, one after the other."""
    for job in Job.objects.filter(state=Job.State.DUE):
        jobs.run(job.pk, EXECUTORS)


@pytest.fixture
def draft(preparer: Person) -> Submission:
    return drafts.start(preparer, "686a")


@pytest.fixture
def filed(preparer: Person, manager: Person) -> Submission:
    submission = complete(preparer)
    filing.file(manager, submission, version=submission.version, attested=True)
    submission.refresh_from_db()
    return submission
