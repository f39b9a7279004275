"""The rows of an export: requested once, written part by part."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from submissions.core.errors import TooManyAtOnce
from submissions.jobs import export_files, leases
from submissions.models import Computation, ExportPart, Job, Person
from tests.submissions.jobs.job_rows import NOW, SECOND, State, job

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


def wanted(**given: Any) -> export_files.ExportRequest:
    values = {"kind": "queue", "file_name": "queue.csv", "media_type": "text/csv", "rows": 1200, "query": "a=1"}
    return export_files.ExportRequest(**{**values, "content": {"day": "2026-03-04"}, **given})


def test_export_is_requested_once(
    manager: Person, reader: Person, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    row = export_files.request_export(manager, wanted())
    assert (row.kind, row.arguments["person"], export_files.request_of(row)) == ("export", manager.pk, wanted())
    assert row.key.startswith("export:")
    assert Job.objects.get().subject == row.pk
    assert export_files.request_export(manager, wanted(rows=5)) == row
    others = [export_files.request_export(manager, wanted(**change)) for change in ({"query": "b"}, {"kind": "other"})]
    assert row not in others
    job("export", 99, state=State.DONE, started_at=NOW - 30 * SECOND, finished_at=NOW)
    job("draft", 99, state=State.DONE, started_at=NOW - 50 * SECOND, finished_at=NOW)
    with pytest.raises(TooManyAtOnce) as refused:
        export_files.request_export(manager, wanted(query="c"))
    assert (refused.value.code, refused.value.retry_after) == ("too-many-at-once", 30)
    assert "3" in refused.value.message
    Computation.objects.create(kind=Job.Kind.REPLAY, key="r", arguments={"person": reader.pk})
    assert list(export_files.exports_of(manager).order_by("pk")) == [row, *others]
    assert list(export_files.exports_of(reader)) == []
    assert export_files.request_export(reader, wanted()) != row
    Job.objects.filter(subject=row.pk).update(state=State.DONE)
    assert export_files.request_export(manager, wanted()) != row


@pytest.mark.parametrize(("rows", "parts"), [(0, 1), (500, 1), (501, 2), (1200, 3)])
def test_export_is_written_part_by_part(manager: Person, rows: int, parts: int) -> None:
    row = export_files.request_export(manager, wanted(rows=rows))
    assert export_files.export_size(row) == 0
    seen: list[tuple[int, int, int, str]] = []

    def make(person: Person, request: export_files.ExportRequest, part: int) -> str:
        held = Job.objects.get()
        seen.append((part, held.done_units, held.total_units, held.message))
        assert (person, request) == (manager, wanted(rows=rows))
        return f"é{part}"

    lease = leases.take_lease(Job.objects.get().pk)
    assert lease is not None
    export_files.run_export(lease, {"queue": make, "other": None})
    assert seen == [(part, part * 500, rows, "Writing rows") for part in range(parts)]
    stored = ExportPart.objects.filter(export=row).values_list("number", "text", "size")
    assert list(stored) == [(part, f"é{part}", 3) for part in range(parts)]
    row.refresh_from_db()
    assert (row.result, export_files.export_size(row)) == ({"parts": parts}, 3 * parts)
    seen.clear()
    ExportPart.objects.filter(number=parts - 1).delete()
    export_files.run_export(lease, {"queue": make})
    assert [part for part, *_ in seen] == [parts - 1]


def test_export_under_a_lost_lease_stores_nothing(manager: Person) -> None:
    row = export_files.request_export(manager, wanted())
    lease = leases.take_lease(Job.objects.get().pk)
    assert lease is not None

    def make(*_: Any) -> str:
        Job.objects.update(fence=99)
        return "x"

    with pytest.raises(leases.LeaseLost):
        export_files.run_export(lease, {"queue": make})
    assert (row.parts.count(), timezone.now()) == (0, NOW)
