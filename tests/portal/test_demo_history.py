"""The demo's months of filings: written once, every status is there, and the history that they leave is whole."""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Iterator
from datetime import date, timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.management import call_command
from django.test import override_settings

from portal import static_files
from portal.demo import history
from submissions.models import Event, Order, Rulemaking, Submission

STATUSES = {"draft", "filed", "returned", "recommended", "approved", "rejected", "withdrawn"}


@pytest.fixture
def said(settings: LazySettings, tmp_path: Path) -> Iterator[StringIO]:
    """Yield the output of the commands. `demo_history` changes settings and silences the log of its process."""
    (tmp_path / static_files.COLLECTED).write_text(static_files.sources_digest())  # compressing them takes long
    with override_settings(SIMULATION_ROUNDS=settings.SIMULATION_ROUNDS, STATIC_ROOT=tmp_path):
        yield StringIO()
    logging.disable(logging.NOTSET)


@pytest.mark.processes
@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_new_demo_has_filings_in_every_status_and_a_history_that_verifies(said: StringIO) -> None:
    call_command("demo_history", stdout=said)
    assert set(Submission.objects.values_list("status", flat=True)) == STATUSES
    assert Submission.objects.count() >= 12
    events = list(Event.objects.order_by("sequence").values_list("at", flat=True))
    assert events == sorted(events)
    assert list(Rulemaking.objects.values_list("state", flat=True)) == [Rulemaking.State.PUBLISHED]
    orders = [(order.kind, order.all_licensees, order.decision_id is not None) for order in Order.objects.all()]
    assert sorted(orders) == [("condition", False, True), ("waiver", True, False)]
    call_command("verify_history", stdout=said)
    assert "each sealed with the one before" in said.getvalue()
    call_command("demo_history", stdout=said)
    assert "nothing was added" in said.getvalue()
    assert list(Event.objects.order_by("sequence").values_list("at", flat=True)) == events


@pytest.mark.parametrize("today", [date(2026, 11, 22) + timedelta(days=day) for day in range(7)])
def test_steps_of_a_story_keep_their_order_on_working_days(today: date) -> None:
    plan = tomllib.loads(history.PLAN.read_text(encoding="utf-8"))
    steps = history.planned_steps(plan, today)
    moments = [moment for moment, _, _ in steps]
    assert moments == sorted(set(moments))
    assert all(moment.weekday() < 5 and moment.date() < today for moment in moments)
    for story in {id(story): story for _, story, _ in steps}.values():
        assert [step for _, other, step in steps if other is story] == story.plan["steps"]
