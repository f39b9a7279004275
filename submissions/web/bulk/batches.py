"""The page of a batch: its progress, what it would change, its confirmation, and the result of each item.

The middle of the page reloads itself while a worker is busy. Not here: the list of items (`items`).
"""

from typing import cast

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from submissions.bulk import batch_results, intake
from submissions.core.errors import Forbidden, Refusal
from submissions.models import Batch, Person
from submissions.permissions.credentials import batches_visible_to
from submissions.web.accounts import reauthentication
from submissions.web.bulk import items

BESIDE_BUTTON = ("attestation-missing", "nothing-to-confirm")  # refusals shown on the page itself


@require_safe
def page(request: HttpRequest, number: str) -> HttpResponse:
    return _page(request, _batch(request, number))


@require_safe
def progress(request: HttpRequest, number: str) -> HttpResponse:
    """The middle of the page, which reloads itself until no job is running."""
    return render(request, "parts/batch.html", _context(request, _batch(request, number)))


@require_safe
def result(request: HttpRequest, number: str) -> StreamingHttpResponse:
    """Every item and its result as CSV, as in the API."""
    batch = _batch(request, number)
    response = StreamingHttpResponse(batch_results.result_table(batch), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{batch.number}.csv"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


@require_POST
def confirm(request: HttpRequest, number: str) -> HttpResponse:
    batch = _batch(request, number)
    person = cast(Person, request.user)
    try:
        if batch.signs:
            reauthentication.require_confirmation(request)
        intake.confirm_batch(person, batch, attested=request.POST.get("attested") == "yes")
    except Refusal as refusal:
        is_unconfirmed = isinstance(refusal, reauthentication.Unconfirmed)
        if not (_could_confirm(person, batch) if is_unconfirmed else refusal.code in BESIDE_BUTTON):
            raise
        return _page(request, batch, refusal)
    return redirect("batch", batch.number)


@require_POST
def discard(request: HttpRequest, number: str) -> HttpResponse:
    batch = _batch(request, number)
    intake.discard_batch(cast(Person, request.user), batch)
    return redirect("batch", batch.number)


def _batch(request: HttpRequest, number: str) -> Batch:
    return get_object_or_404(batches_visible_to(request.user), number=number)


def _page(request: HttpRequest, batch: Batch, refusal: Refusal | None = None) -> HttpResponse:
    context = _context(request, batch) | {"refusal": refusal, "here": "bulk"}
    return render(request, "pages/batch.html", context, status=refusal.status if refusal else 200)


def _context(request: HttpRequest, batch: Batch) -> dict[str, object]:
    state = batch_results.batch_progress([batch])[0]
    waits = batch.state == Batch.State.WAITING
    return {
        "batch": batch,
        "batch_state": state,
        "counts": state.counts,
        "progress": state.progress,
        "items": None if state.progress else items.item_page(request, batch),
        "to_do": state.counts["passed"],
        "attestation": intake.attestation_of(batch) if waits else "",
        "may_not": _refused(cast(Person, request.user), batch) if waits else None,
    }


def _refused(person: Person, batch: Batch) -> Refusal | None:
    """Why this person may not confirm the batch; None if they may."""
    try:
        intake.require_confirmation_rights(person, batch)
    except Forbidden as refusal:
        return refusal
    return None


def _could_confirm(person: Person, batch: Batch) -> bool:
    return batch.state == Batch.State.WAITING and _refused(person, batch) is None
