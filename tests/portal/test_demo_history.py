"""The demo's months of filings: written once, every status is there, and the history that they leave is whole."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tomllib
from datetime import date, timedelta
from pathlib import Path

import pytest
from django.conf import settings

from portal.demo import history

MOST_SECONDS = 1_200  # on a busy machine; about 60 are needed
STATUSES = {"draft", "filed", "returned", "recommended", "approved", "rejected", "withdrawn"}


def manage(var: Path, *arguments: str) -> str:
    """What the command prints, in a portal of its own in this folder."""
    environment = {"PATH": os.environ["PATH"], "PORTAL_VAR": str(var)}
    command = (sys.executable, "manage.py", *arguments)
    done = subprocess.run(
        command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, timeout=MOST_SECONDS
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def rows(var: Path, statement: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(var / "portal.sqlite3") as database:
        return database.execute(statement).fetchall()


@pytest.mark.processes
@pytest.mark.slow
def test_new_demo_has_filings_in_every_status_and_a_history_that_verifies(tmp_path: Path) -> None:
    manage(tmp_path, "demo_history")
    assert {status for (status,) in rows(tmp_path, "SELECT status FROM submissions_submission")} == STATUSES
    assert len(rows(tmp_path, "SELECT id FROM submissions_submission")) >= 12
    events = rows(tmp_path, "SELECT at FROM submissions_event ORDER BY sequence")
    assert events == sorted(events)
    assert rows(tmp_path, "SELECT state FROM submissions_rulemaking") == [("published",)]
    orders = rows(tmp_path, "SELECT kind, all_licensees, decision_id IS NOT NULL FROM submissions_order ORDER BY kind")
    assert orders == [("condition", 0, 1), ("waiver", 1, 0)]
    assert "each sealed with the one before" in manage(tmp_path, "verify_history")
    assert "nothing was added" in manage(tmp_path, "demo_history")
    assert rows(tmp_path, "SELECT at FROM submissions_event ORDER BY sequence") == events


@pytest.mark.parametrize("today", [date(2026, 11, 22) + timedelta(days=day) for day in range(7)])
def test_steps_of_a_story_keep_their_order_on_working_days(today: date) -> None:
    plan = tomllib.loads(history.PLAN.read_text(encoding="utf-8"))
    steps = history.planned_steps(plan, today)
    moments = [moment for moment, _, _ in steps]
    assert moments == sorted(set(moments))
    assert all(moment.weekday() < 5 and moment.date() < today for moment in moments)
    for story in {id(story): story for _, story, _ in steps}.values():
        assert [step for _, other, step in steps if other is story] == story.plan["steps"]
