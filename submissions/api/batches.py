"""What is told of a bulk update: where it stands and where to go on from it, its items and their answers.

What a program may do with one is `bulk`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from rest_framework import serializers as of

from submissions.access.programs import batches_visible_to
from submissions.actions.bulk import programs, results
from submissions.api.judging import FindingShape
from submissions.api.reading import Door, Shape
from submissions.api.submissions import only
from submissions.api.writing import Written
from submissions.models import Batch, Item
from submissions.progress import Progress


class CountsShape(Shape):
    waiting = of.IntegerField(help_text="Not looked at yet")
    passed = of.IntegerField(help_text="Checked: they would be done")
    done = of.IntegerField()
    refused = of.IntegerField()
    undone = of.IntegerField(help_text="Not done because others were refused")


class ProgressShape(Shape):
    words = of.CharField(help_text="Where it stands, as the page says it")
    done = of.IntegerField(help_text="Items")
    total = of.IntegerField()
    left = of.CharField(help_text="The time that is likely to pass, in words; empty while nothing is known")
    stopped = of.BooleanField(help_text="By an error; nothing is lost, the operator can run it again")


class LinksShape(Shape):
    page = of.URLField(allow_null=True, help_text="Where a person looks at it, and confirms it; null in a sandbox")
    items = of.URLField()
    result = of.URLField(help_text="Every item and its answer as CSV")
    confirm = of.URLField(allow_null=True, help_text="Where a program confirms it: in a sandbox, while it waits")
    discard = of.URLField(allow_null=True, help_text="While it waits")


class BatchShape(Shape):
    number = of.CharField(source="batch.number", help_text="`B-2026-00001`")
    state = of.ChoiceField(Batch.State.choices, source="batch.state")
    mode = of.ChoiceField(Batch.Mode.choices, source="batch.mode")
    all_or_nothing = of.BooleanField(source="batch.together")
    form = of.CharField(source="batch.form", help_text="What it was sent as: json, csv, xlsx")
    sha256 = of.CharField(source="batch.sha256", help_text="Of what was sent")
    total = of.IntegerField(source="batch.total")
    items = CountsShape(source="counts", help_text="How many items stand where")
    progress = ProgressShape(allow_null=True, help_text="null while nothing is under way")
    needs_signature = of.BooleanField(source="batch.signs", help_text="A named person attests and confirms it")
    by = of.CharField(source="batch.by.name")
    confirmed_by = of.CharField(source="batch.signer.name", default=None, allow_null=True)
    confirmed_at = of.DateTimeField(source="batch.signed_at", allow_null=True)
    attestation = of.CharField(source="batch.attestation", help_text="What whoever confirmed it attested")
    note = of.CharField(source="batch.note", help_text="Why it ended otherwise than by its items")
    created_at = of.DateTimeField(source="batch.created_at")
    finished_at = of.DateTimeField(source="batch.finished_at", allow_null=True)
    links = LinksShape()


class ChangeShape(Shape):
    option = of.CharField()
    citation = of.CharField()
    question = of.CharField()
    before = of.CharField(help_text="In words")
    after = of.CharField(help_text="In words")


class ItemShape(Shape):
    place = of.IntegerField(help_text="1, 2, … as sent")
    row = of.CharField(help_text="Where it stood in a spreadsheet")
    action = of.CharField()
    submission = of.CharField(help_text="As sent")
    state = of.ChoiceField(Item.State.choices)
    status = of.IntegerField(allow_null=True, help_text="What the same call alone would have been answered with")
    code = of.CharField(help_text="Why it was refused; stable")
    message = of.CharField()
    section = of.CharField()
    fix = of.CharField()
    option = of.CharField(help_text="The line or the field concerned")
    findings = FindingShape(many=True)
    made = of.SerializerMethodField(help_text="What it came to: the names and versions that the next call needs")
    changes = ChangeShape(many=True)

    def get_made(self, item: Item) -> dict[str, Any]:
        return results.made(item)


@dataclass(frozen=True, slots=True)
class Told:
    """A batch as it is told: where it stands, and where to go on from it."""

    batch: Batch
    counts: Mapping[str, int]
    progress: Progress | None
    links: Mapping[str, str | None]


def told(door: Door, batches: Sequence[Batch]) -> list[Told]:
    return [Told(one.batch, one.counts, one.progress, links(door, one.batch)) for one in results.standings(batches)]


def links(door: Door, batch: Batch) -> dict[str, str | None]:
    """Confirming and discarding are there as long as they are possible."""
    waits = batch.state == Batch.State.WAITING

    def to(name: str) -> str:
        return door.at(reverse(f"api:{name}", args=[batch.number]))

    return {
        "page": programs.page_of(batch) if batch.organisation.is_live else None,
        "items": to("batch-items"),
        "result": to("batch-result"),
        "confirm": to("batch-confirm") if waits and not batch.organisation.is_live else None,
        "discard": to("batch-discard") if waits else None,
    }


def batch_at(door: Door) -> Batch:
    """The batch that the address names."""
    found: Batch = only(batches_visible_to(door.reader).filter(number=door.kwargs["number"]), "batch")
    return found


def accepted(door: Door, batch: Batch) -> Written:
    """A batch that is on its way."""
    return Written(told(door, [batch])[0], 202, reverse("api:batch", args=[batch.number]))
