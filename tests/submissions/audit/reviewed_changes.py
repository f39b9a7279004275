"""The changes that a security review made in the database unseen: of rows, then of the chain of events."""

# ruff: noqa: S608  the names of tables and columns are ours
from __future__ import annotations

from collections.abc import Callable

from django.db import models

from submissions.audit.chain import event_digest, link_of
from submissions.models import (
    Attachment,
    Block,
    Credential,
    Decision,
    Document,
    Event,
    Person,
    Remark,
    Revision,
    Simulation,
    Status,
    StoredFile,
    Submission,
    Tip,
    Version,
)
from tests.submissions.audit.undo import sql

Change = Callable[[], tuple[models.Model, str]]  # makes it; the row and the column that must be named


def set_cell(row: models.Model, field: str, value: object) -> tuple[models.Model, str]:
    column, key = row._meta.get_field(field).column, row._meta.pk.column
    assert sql(f'UPDATE {row._meta.db_table} SET "{column}" = %s WHERE "{key}" = %s', value, row.pk) == 1
    return row, column


def delete(row: models.Model) -> tuple[models.Model, str]:
    assert sql(f'DELETE FROM {row._meta.db_table} WHERE "{row._meta.pk.column}" = %s', row.pk) == 1
    return row, ""


def other_answers() -> tuple[models.Model, str]:
    """Of the filing that was approved: each "yes" becomes "no", as `replace(snapshot, …)` does it."""
    row = Document.objects.latest("pk").revision
    assert "true" in row.snapshot
    return set_cell(row, "snapshot", row.snapshot.replace("true", "false"))


def signed_file() -> StoredFile:
    return Document.objects.latest("pk").signed


def person() -> Person:
    return Person.objects.exclude(role="").earliest("pk")


def another(one: models.Model) -> int:
    """The key of another row of the table."""
    return int(type(one)._default_manager.exclude(pk=one.pk).earliest("pk").pk)


def without_remark() -> tuple[models.Model, str]:
    row = Remark.objects.earliest("pk")
    sql("DELETE FROM submissions_reply WHERE remark_id = %s", row.pk)
    return delete(row)


CHANGES: dict[str, Change] = {
    "answers of the approved filing": other_answers,
    "digest of a filing": lambda: set_cell(Revision.objects.earliest("pk"), "sha256", "0" * 64),
    "signed PDF": lambda: set_cell(signed_file(), "packed", b"\0"),
    "first day of a version": lambda: set_cell(Version.objects.latest("pk"), "from_day", "2020-01-01"),
    "version deleted": lambda: delete(Version.objects.latest("pk")),
    "who decided": lambda: set_cell(row := Decision.objects.latest("pk"), "by", another(row.by)),
    "what was decided": lambda: set_cell(Decision.objects.latest("pk"), "kind", "returned"),
    "status": lambda: set_cell(Submission.objects.latest("pk"), "status", Status.APPROVED),
    "result of a simulation": lambda: set_cell(row := Simulation.objects.latest("pk"), "passed", not row.passed),
    "text of a remark": lambda: set_cell(Remark.objects.earliest("pk"), "text", "Approved as filed."),
    "remark deleted": without_remark,
    "role": lambda: set_cell(person(), "role", "director"),
    "administrator": lambda: set_cell(row := person(), "administrator", not row.administrator),
    "organization": lambda: set_cell(row := person(), "organization", another(row.organization)),
    "scopes of a credential": lambda: set_cell(Credential.objects.earliest("pk"), "scopes", '["file"]'),
    "name of an attachment": lambda: set_cell(Attachment.objects.latest("pk"), "name", "other rules.pdf"),
    "block of a simulation": lambda: delete(Block.objects.earliest("pk")),
}  # fmt: skip


def cut_last() -> None:
    delete(Event.objects.latest("sequence"))


def cut_last_with_tip() -> None:
    """By write access to the database alone: the code of an end that the portal never had is missing."""
    cut_last()
    last = Event.objects.latest("sequence")
    Tip.objects.update(sequence=last.sequence, link=link_of(last.digest, last.mac))


def append() -> None:
    row = Event.objects.latest("sequence")
    row.sequence, row.previous = row.sequence + 1, link_of(row.digest, row.mac)
    row.digest = event_digest(row)
    row.save(force_insert=True)


EVENTS: dict[str, Callable[[], object]] = {
    "changed": lambda: set_cell(Event.objects.get(sequence=5), "reason", "never so"),
    "deleted": lambda: delete(Event.objects.get(sequence=5)),
    "last one deleted": cut_last,
    "last one deleted, and the end set back": cut_last_with_tip,
    "appended": append,
    "tip deleted": lambda: sql("DELETE FROM submissions_tip"),
}
