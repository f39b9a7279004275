"""Fixtures of bulk actions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from submissions.bulk.spreadsheets import read_xlsx


@pytest.fixture
def reads_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read workbooks in this process: a child for each takes half a second. `test_read_xlsx` reads in the child."""

    def rows_here(content: bytes) -> Any:
        return json.loads(json.dumps(read_xlsx.rows_of_workbook(content)))

    monkeypatch.setattr(read_xlsx, "_read_in_child", rows_here)
