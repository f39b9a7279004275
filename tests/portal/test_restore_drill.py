"""The restore drill (`bench.restore`) with few filings: a backup under load is restored elsewhere, and work continues.

Every part is a process of its own. On PostgreSQL, where it runs, the drill's databases are beside the test's; `make
drill` does it on SQLite, too.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import connection

from bench.restore import run_drill
from tests.portal.collected_static import mark_as_collected
from tests.portal.running import database_url

FILINGS, ROUNDS = 3, 2_000_000

pytestmark = [
    pytest.mark.processes,
    pytest.mark.service("transactions"),  # a backup is what one transaction sees
    pytest.mark.xdist_group("processes"),
    pytest.mark.django_db,
]


def test_backup_under_load_is_restored_elsewhere_and_its_jobs_continue(tmp_path: Path) -> None:
    mark_as_collected(tmp_path / "first/var/static")  # the second portal is not prepared, but restored
    server = database_url() if connection.vendor == "postgresql" else ""
    drill = run_drill(tmp_path, FILINGS, ROUNDS, server)
    print(*(f"{label:<60}{figure:>20}" for label, figure in drill.figures), sep="\n")
    figures = dict(drill.figures)
    assert drill.lost == 0
    assert figures["  the command's last line"] == "lost 0"
    assert int(figures["  jobs running when it began"]) > 0
