"""The demo's months of filings: written once, every status is there, and the history that they leave is whole."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from datetime import date, timedelta
from pathlib import Path

import pytest
from django.conf import LazySettings, settings
from django.core.management import call_command

from portal.demo_history import PLAN, planned_steps
from submissions.models import Event, Order, Rulemaking, Submission
from tests.portal.collected_static import mark_as_collected
from tests.portal.running import clean_environment, shared_environment

STATUSES = {"draft", "filed", "returned", "recommended", "approved", "rejected", "withdrawn"}


@pytest.fixture
def var(settings: LazySettings, tmp_path: Path) -> Path:
    """The folder of a new portal, with the keys and the checkpoints that this process looks at, too."""
    settings.KEYS, settings.CHECKPOINTS = tmp_path / "keys", tmp_path / "checkpoints"
    mark_as_collected(tmp_path / "static")
    return tmp_path


def demo_history(var: Path) -> str:
    """Return what the command prints, in a process of its own as `make run` starts it."""
    environment = {**clean_environment(), **shared_environment(), "PORTAL_VAR": str(var)}
    command = (sys.executable, "manage.py", "demo_history")
    done = subprocess.run(command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.processes
@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_new_demo_has_filings_in_every_status_and_a_history_that_verifies(
    var: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    demo_history(var)
    assert set(Submission.objects.values_list("status", flat=True)) == STATUSES
    assert Submission.objects.count() >= 12
    events = list(Event.objects.order_by("sequence").values_list("at", flat=True))
    assert events == sorted(events)
    assert list(Rulemaking.objects.values_list("state", flat=True)) == [Rulemaking.State.PUBLISHED]
    orders = [(order.kind, order.all_licensees, order.decision_id is not None) for order in Order.objects.all()]
    assert sorted(orders) == [("condition", False, True), ("waiver", True, False)]
    call_command("verify_history")
    assert "each sealed with the one before" in capsys.readouterr().out
    assert "nothing was added" in demo_history(var)
    assert list(Event.objects.order_by("sequence").values_list("at", flat=True)) == events


@pytest.mark.parametrize("today", [date(2026, 11, 22) + timedelta(days=day) for day in range(7)])
def test_steps_of_a_story_keep_their_order_on_working_days(today: date) -> None:
    plan = tomllib.loads(PLAN.read_text(encoding="utf-8"))
    steps = planned_steps(plan, today)
    moments = [moment for moment, _, _ in steps]
    assert moments == sorted(set(moments))
    assert all(moment.weekday() < 5 and moment.date() < today for moment in moments)
    for story in {id(story): story for _, story, _ in steps}.values():
        assert [step for _, other, step in steps if other is story] == story.plan["steps"]
