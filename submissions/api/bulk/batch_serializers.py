"""Serializers of a bulk update: its state, its links, its items and their answers.

What a program may do with one is `bulk`.
"""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as of

from submissions.api.filings.judgment import FindingSerializer
from submissions.api.filings.submissions import Row, first_or_not_found
from submissions.api.framework.read_views import BaseView, ReadSerializer
from submissions.api.framework.write_views import WriteResult
from submissions.bulk import api_actions, batch_results
from submissions.models import Batch, Item
from submissions.permissions.credentials import batches_visible_to

MADE_HELP = "The result: the names and versions that the next call needs. What does not apply is left out"
MADE: dict[str, Any] = {
    "submission": {"type": "string", "description": "`RS-2026-00001`"},
    "version": {"type": "integer", "description": "Of the submission"},
    "group": {"type": "integer", "description": "The configuration that changed; 0 = all tables, or all others"},
    "configuration_version": {"type": "integer", "description": "Of that configuration"},
    "remark": {"type": "integer", "description": "The comment that was written or answered"},
    "receipt": {"type": "string", "description": "Of the filing: `RS-2026-00001-R1`"},
    "sha256": {"type": "string", "description": "Of what was filed"},
    "not_copied": {
        "type": "array",
        "items": {"type": "string"},
        "description": "Of a copy: the lines whose answers the present rules do not take",
    },
}


class CountsSerializer(ReadSerializer):
    waiting = of.IntegerField(help_text="Not looked at yet")
    passed = of.IntegerField(help_text="Checked: they would be done")
    done = of.IntegerField()
    refused = of.IntegerField()
    undone = of.IntegerField(help_text="Not done because others were refused")


class ProgressSerializer(ReadSerializer):
    words = of.CharField(help_text="The status, in the words of the page")
    done = of.IntegerField(help_text="Items")
    total = of.IntegerField()
    left = of.CharField(help_text="The estimated time, in words; empty if it is not known")
    stopped = of.BooleanField(help_text="Stopped by an error. Nothing is lost. The operator can run it again")


class LinksSerializer(ReadSerializer):
    page = of.URLField(allow_null=True, help_text="The page on which a person reads and confirms it; null in a sandbox")
    items = of.URLField()
    result = of.URLField(help_text="Every item and its answer as CSV")
    confirm = of.URLField(
        allow_null=True, help_text="Address for a program to confirm it: in a sandbox, while it waits"
    )
    discard = of.URLField(allow_null=True, help_text="While it waits")


class BatchSerializer(ReadSerializer):
    number = of.CharField(source="batch.number", help_text="`B-2026-00001`")
    state = of.ChoiceField(Batch.State.choices, source="batch.state")
    mode = of.ChoiceField(Batch.Mode.choices, source="batch.mode")
    all_or_nothing = of.BooleanField(source="batch.atomic")
    form = of.CharField(source="batch.form", help_text="The format that was sent: json, csv, xlsx")
    sha256 = of.CharField(source="batch.sha256", help_text="Of what was sent")
    total = of.IntegerField(source="batch.total")
    items = CountsSerializer(source="counts", help_text="The number of items in each state")
    progress = ProgressSerializer(allow_null=True, help_text="null if nothing is in progress")
    needs_signature = of.BooleanField(source="batch.signs", help_text="A named person must attest and confirm it")
    by = of.CharField(source="batch.by.name")
    confirmed_by = of.CharField(source="batch.signer.name", default=None, allow_null=True)
    confirmed_at = of.DateTimeField(source="batch.signed_at", allow_null=True)
    attestation = of.CharField(source="batch.attestation", help_text="The attestation of the person who confirmed it")
    note = of.CharField(
        source="batch.note", help_text="What a file hides, what was left out of it, or why the batch ended early"
    )
    created_at = of.DateTimeField(source="batch.created_at")
    finished_at = of.DateTimeField(source="batch.finished_at", allow_null=True)
    links = LinksSerializer()


class ChangeSerializer(ReadSerializer):
    option = of.CharField()
    citation = of.CharField()
    question = of.CharField()
    before = of.CharField(help_text="In words")
    after = of.CharField(help_text="In words")


class ItemSerializer(ReadSerializer):
    place = of.IntegerField(help_text="1, 2, … as sent")
    row = of.CharField(help_text="The row in the spreadsheet")
    action = of.CharField()
    submission = of.CharField(help_text="As sent")
    state = of.ChoiceField(Item.State.choices)
    status = of.IntegerField(allow_null=True, help_text="The status that the same call alone would get")
    code = of.CharField(help_text="The error code, if it was refused; stable")
    message = of.CharField()
    section = of.CharField()
    fix = of.CharField()
    option = of.CharField(help_text="The line or the field")
    findings = FindingSerializer(many=True)
    made = of.SerializerMethodField(help_text=MADE_HELP)
    changes = ChangeSerializer(many=True)

    @extend_schema_field({"type": "object", "properties": MADE})
    def get_made(self, item: Item) -> dict[str, Any]:
        return batch_results.reported_result(item)


def batch_reports(view: BaseView, batches: Sequence[Batch]) -> list[Row]:
    """Each batch with its counts, its progress and its links."""
    return [
        {
            "batch": result.batch,
            "counts": result.counts,
            "progress": result.progress,
            "links": links(view, result.batch),
        }
        for result in batch_results.batch_progress(batches)
    ]


def links(view: BaseView, batch: Batch) -> dict[str, str | None]:
    """Confirming and discarding are there as long as they are possible."""
    waits = batch.state == Batch.State.UNCONFIRMED

    def to(name: str) -> str:
        return view.absolute_url(reverse(f"api:{name}", args=[batch.number]))

    return {
        "page": api_actions.page_of(batch) if batch.organization.is_live else None,
        "items": to("batch-items"),
        "result": to("batch-result"),
        "confirm": to("batch-confirm") if waits and not batch.organization.is_live else None,
        "discard": to("batch-discard") if waits else None,
    }


def batch_at(view: BaseView) -> Batch:
    """The batch that the address names."""
    return first_or_not_found(batches_visible_to(view.reader).filter(number=view.kwargs["number"]), "batch")


def accepted(view: BaseView, batch: Batch) -> WriteResult:
    """A batch that is on its way."""
    return WriteResult(batch_reports(view, [batch])[0], 202, reverse("api:batch", args=[batch.number]))
