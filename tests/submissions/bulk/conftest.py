"""Fixtures of bulk actions."""

from __future__ import annotations

import pytest

from submissions.bulk import batch_worker, sheet_files
from tests.submissions.called_here import called_here


@pytest.fixture
def reads_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read workbooks in this process: a child for each takes half a second. `test_read_xlsx` reads in the child."""
    monkeypatch.setattr(sheet_files, "_read_in_child", called_here(sheet_files._read_in_child))


@pytest.fixture
def works_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a worker go on at once between its transactions: nobody waits for the database. Not in `test_worker`."""
    monkeypatch.setattr(batch_worker, "YIELD_S", 0.0)
