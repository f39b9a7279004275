"""Approved versions with everything that a table shows of them."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.utils import timezone

from submissions.models import Document, Person, Revision, Simulation, StoredFile
from tests.submissions import filing_rows

FIRST, SECOND = date(2026, 3, 1), date(2026, 6, 1)
PAYTABLE: dict[str, Any] = {
    "wager": "trips", "wager_name": "Trips Wager", "name": "DJWT-05", "citation": "§ 687a.12(d)", "columns": ["Pay"],
    "rows": [["Five wilds", "2000 to 1"], ["Straight", "5 to 1"]], "envy": ["$500", ""],
}  # fmt: skip
WAGERS = [
    {"key": "ante", "name": "Ante", "citation": "§ 687a.6"},
    {"key": "trips", "name": "Trips Wager", "citation": "§ 687a.7"},
]


def version_of(
    manager: Person, chapter: str = "687a", day: date = FIRST, *, name: str = "All tables", hold: float = -0.031858
) -> Revision:
    """In effect from that day."""
    paytables = [PAYTABLE]
    revision = filing_rows.filing(manager, chapter, {}, wagers=WAGERS, paytables=paytables, name=name, findings=[])
    filing_rows.put_in_force(revision, day, manager)
    exact = {"wager": "ante", "spot": "", "method": "exact", "hold_pct": 3.5, "hold_fraction": "7/200"}
    exact |= {"loss_per_ante_pct": 7.1, "loss_per_initial_pct": 3.55, "average_wagered": 2.03}
    estimate = {"wager": "trips", "spot": "", "method": "estimate", "hold_pct": hold, "standard_error_pct": 0.002}
    wagers = [{**exact, "hit_frequency_pct": 40.1}, {**estimate, "hold_fraction": None, "hit_frequency_pct": 12.5}]
    Simulation.objects.create(
        revision=revision, seed=1, rounds=10, block_rounds=1, analysis={"wagers": wagers}, passed=True,
        finished_at=timezone.now(),
    )  # fmt: skip
    return revision


def signed(revision: Revision) -> Document:
    return Document.objects.create(
        revision=revision, unsigned_sha256="1" * 64, signed=StoredFile.keep(b"%PDF-", "application/pdf"), pages=9,
        signer="Demo Seal", signed_at=timezone.now(), verification={}, demo=True,
    )  # fmt: skip


@pytest.fixture
def approved(manager: Person) -> Revision:
    return version_of(manager)
