"""One batch: its progress, what it would change, its confirmation, and what became of each item.

The same page all along: what stands in the middle of it asks for itself anew while a worker is busy. Not here: how the
items are told (`bulk_items`).
"""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from submissions.access.programs import batches_visible_to
from submissions.actions.bulk import results, taking
from submissions.errors import Forbidden, Refusal
from submissions.models import Batch, Person
from submissions.web import bulk_items, confirming

SHOWN_AGAIN = ("attestation-missing", "nothing-to-confirm")  # beside the button, with what was ticked


@require_safe
def page(request: HttpRequest, number: str) -> HttpResponse:
    return _page(request, _batch(request, number))


@require_safe
def progress(request: HttpRequest, number: str) -> HttpResponse:
    """The middle of the page as it is now; it asks no more once nothing is under way."""
    return render(request, "parts/batch.html", _context(request, _batch(request, number)))


@require_safe
def result(request: HttpRequest, number: str) -> StreamingHttpResponse:
    """Every item and its answer, as the API gives it."""
    batch = _batch(request, number)
    response = StreamingHttpResponse(results.table(batch), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{batch.number}.csv"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


@require_POST
def confirm(request: HttpRequest, number: str) -> HttpResponse:
    batch = _batch(request, number)
    person = cast(Person, request.user)
    try:
        if batch.signs:
            confirming.demand(request)
        taking.confirm(person, batch, attested=request.POST.get("attested") == "yes")
    except confirming.Unconfirmed as refusal:
        if not _may_confirm(person, batch):  # the page is not for this person, or over
            raise
        return _page(request, batch, refusal)
    except Refusal as refusal:
        if refusal.code not in SHOWN_AGAIN:
            raise
        return _page(request, batch, refusal)
    return redirect("batch", batch.number)


@require_POST
def discard(request: HttpRequest, number: str) -> HttpResponse:
    batch = _batch(request, number)
    taking.discard(cast(Person, request.user), batch)
    return redirect("batch", batch.number)


def _batch(request: HttpRequest, number: str) -> Batch:
    return get_object_or_404(batches_visible_to(request.user), number=number)


def _page(request: HttpRequest, batch: Batch, refusal: Refusal | None = None) -> HttpResponse:
    context = _context(request, batch) | {"refusal": refusal, "here": "bulk"}
    return render(request, "pages/batch.html", context, status=refusal.status if refusal else 200)


def _context(request: HttpRequest, batch: Batch) -> dict[str, object]:
    standing = results.standings([batch])[0]
    waits = batch.state == Batch.State.WAITING
    return {
        "batch": batch,
        "standing": standing,
        "progress": standing.progress,
        "items": None if standing.progress else bulk_items.listed(request, batch),
        "to_do": standing.counts["passed"],
        "attestation": taking.attestation_of(batch) if waits else "",
        "may_not": _refused(cast(Person, request.user), batch) if waits else None,
    }


def _refused(person: Person, batch: Batch) -> Refusal | None:
    """Why this person may not confirm the batch; None if they may."""
    try:
        taking.demand_confirming(person, batch)
    except Forbidden as refusal:
        return refusal
    return None


def _may_confirm(person: Person, batch: Batch) -> bool:
    return batch.state == Batch.State.WAITING and _refused(person, batch) is None
