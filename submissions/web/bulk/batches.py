"""The page of a batch: its progress, what it would change, its confirmation, and the result of each item.

The middle of the page reloads itself while a worker is busy. Not here: the list of items (`items`).
"""

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from submissions.bulk import batch_results, intake
from submissions.core.errors import Forbidden, Refusal
from submissions.models import Batch, Person
from submissions.permissions.credentials import batches_visible_to
from submissions.web.access_gate import person_of
from submissions.web.accounts import reauthentication
from submissions.web.bulk import items
from submissions.web.responses import render_page

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
    headers = {"Content-Disposition": f'attachment; filename="{batch.number}.csv"'}
    return StreamingHttpResponse(batch_results.result_table(batch), "text/csv; charset=utf-8", headers=headers)


@require_POST
def confirm(request: HttpRequest, number: str) -> HttpResponse:
    batch, person = _batch(request, number), person_of(request)
    try:
        if batch.signs:
            reauthentication.require_confirmation(request)
        intake.confirm_batch(person, batch, attested=request.POST.get("attested") == "yes")
    except Refusal as refusal:
        is_unconfirmed = isinstance(refusal, reauthentication.Unconfirmed)
        could_confirm = batch.state == Batch.State.WAITING and _refused(person, batch) is None
        if not (could_confirm if is_unconfirmed else refusal.code in BESIDE_BUTTON):
            raise
        return _page(request, batch, refusal)
    return redirect("batch", batch.number)


@require_POST
def discard(request: HttpRequest, number: str) -> HttpResponse:
    batch = _batch(request, number)
    intake.discard_batch(person_of(request), batch)
    return redirect("batch", batch.number)


def _batch(request: HttpRequest, number: str) -> Batch:
    return get_object_or_404(batches_visible_to(request.user), number=number)


def _page(request: HttpRequest, batch: Batch, refusal: Refusal | None = None) -> HttpResponse:
    return render_page(request, "pages/batch.html", _context(request, batch) | {"here": "bulk"}, refusal)


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
        "may_not": _refused(person_of(request), batch) if waits else None,
    }


def _refused(person: Person, batch: Batch) -> Refusal | None:
    """Why this person may not confirm the batch; None if they may."""
    try:
        intake.require_confirmation_rights(person, batch)
    except Forbidden as refusal:
        return refusal
    return None
