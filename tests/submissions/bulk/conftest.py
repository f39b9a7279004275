"""Fixtures of bulk actions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from submissions.bulk import batch_worker, sheet_files


@pytest.fixture
def reads_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read workbooks in this process: a child for each takes half a second. `test_read_xlsx` reads in the child."""

    def rows_here(content: bytes) -> Any:
        return json.loads(json.dumps(sheet_files.rows_of_workbook(content)))

    monkeypatch.setattr(sheet_files, "_read_in_child", rows_here)


@pytest.fixture
def works_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a worker go on at once between its transactions: nobody waits for the database. Not in `test_worker`."""
    monkeypatch.setattr(batch_worker, "YIELD_S", 0.0)
