"""Bulk updates: the list with the upload, and the page of a batch with its progress, confirmation and results.

Every upload waits for its confirmation on the batch's page, the middle of which reloads itself while a worker is busy.
Not here: the list of items (`items`), how a spreadsheet is read and applied (`submissions.bulk`).
"""

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from submissions.bulk import batch_results, intake
from submissions.bulk.item_schema import ITEM_FIELDS, ITEM_VERBS, MOST
from submissions.bulk.spreadsheets import export_workbook, import_rows
from submissions.bulk.spreadsheets.decimal_signs import parse_sign
from submissions.bulk.spreadsheets.result_workbook import result_workbook
from submissions.core.errors import Forbidden, Refusal
from submissions.models import SCOPES_OF, Batch, Organization, Person
from submissions.permissions import may, require
from submissions.permissions.credentials import batches_visible_to
from submissions.security_log.records import EXPORTED_ROWS
from submissions.web.access_gate import person_of
from submissions.web.accounts import reauthentication
from submissions.web.bulk import items
from submissions.web.error_summary import ANY_ENTRY
from submissions.web.responses import page_of, render_page
from submissions.web.upload_handler import oversize

BESIDE_BUTTON = ("attestation-missing", "nothing-to-confirm")  # refusals shown on the page itself
PAGE = 25
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def index(request: HttpRequest) -> HttpResponse:
    """GET: the batches, newest first, and the form. POST: accept a spreadsheet."""
    if request.method != "POST":
        return _list_page(request)
    try:
        batch = _accepted(request)
    except Refusal as refusal:
        return _list_page(request, refusal)
    return redirect("batch", batch.number)


@require_safe
def download(request: HttpRequest) -> HttpResponse:
    """The configurations that can be changed now, as a workbook."""
    content, rows = export_workbook.download(person_of(request), request.build_absolute_uri("/bulk/"))
    request.META[EXPORTED_ROWS] = rows
    name = f"configurations-{timezone.localdate():%Y-%m-%d}.xlsx"
    return HttpResponse(content, XLSX, headers={"Content-Disposition": f'attachment; filename="{name}"'})


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
    request.META[EXPORTED_ROWS] = batch.items.count()
    headers = {"Content-Disposition": f'attachment; filename="{batch.number}.csv"'}
    return StreamingHttpResponse(batch_results.result_table(batch), "text/csv; charset=utf-8", headers=headers)


@require_safe
def result_workbook_file(request: HttpRequest, number: str) -> HttpResponse:
    """The results as a workbook, with a note on each cell to correct; as in the API."""
    batch = _batch(request, number)
    request.META[EXPORTED_ROWS] = batch.items.count()
    headers = {"Content-Disposition": f'attachment; filename="{batch.number}.xlsx"'}
    return HttpResponse(result_workbook(batch), XLSX, headers=headers)


@require_POST
def confirm(request: HttpRequest, number: str) -> HttpResponse:
    batch, person = _batch(request, number), person_of(request)
    try:
        if batch.signs:
            reauthentication.require_confirmation(request)
        intake.confirm_batch(person, batch, attested=request.POST.get("attested") == "yes")
    except Refusal as refusal:
        is_unconfirmed = isinstance(refusal, reauthentication.Unconfirmed)
        could_confirm = batch.state == Batch.State.UNCONFIRMED and _refused(person, batch) is None
        if not (could_confirm if is_unconfirmed else refusal.code in BESIDE_BUTTON):
            raise
        if is_unconfirmed and request.POST.get("attested") != "yes":
            refusal.further = (Refusal("attestation-missing"),)
        return _page(request, batch, refusal)
    return redirect("batch", batch.number)


@require_POST
def discard(request: HttpRequest, number: str) -> HttpResponse:
    batch = _batch(request, number)
    intake.discard_batch(person_of(request), batch)
    return redirect("batch", batch.number)


def _accepted(request: HttpRequest) -> Batch:
    person = person_of(request)
    require(person, "bulk")  # before the file is opened
    content, name = _file(request)
    decimal = parse_sign(request.POST.get("decimal", ""))
    form = import_rows.form_of(content)
    # The batch's page names what is hidden, above the button that confirms it.
    upload = import_rows.read_upload(content, form=form, name=name, decimal=decimal, include_hidden=True)
    mode = request.POST.get("mode", "")
    return intake.accept_upload(person, upload, mode=mode, atomic="together" in request.POST, needs_confirmation=True)


def _file(request: HttpRequest) -> tuple[bytes, str]:
    """The file and its name."""
    file = request.FILES.get("sheet")  # reads the form, which measures the file
    if oversize(request):
        raise Refusal("sheet-too-large/file", megabytes=import_rows.LARGEST >> 20)
    if file is None:
        raise Refusal("file-missing")
    return file.read(), str(file.name or "")


def _list_page(request: HttpRequest, refusal: Refusal | None = None) -> HttpResponse:
    person = person_of(request)
    page = page_of(request, batches_visible_to(person), PAGE)
    scopes = SCOPES_OF[Organization.Kind(person.organization.kind)] if person.organization else ()
    verbs = {name: verb for name, verb in ITEM_VERBS.items() if verb.scope in scopes}
    used = {name for verb in verbs.values() for name in (*verb.needs, *verb.takes)} - {"answers"}
    context = {
        "page": page,
        "rows": batch_results.batch_progress(list(page)),
        "may_send": may(person, "bulk"),
        "entered": request.POST,
        "asks_for_decimal": bool(request.POST.get("decimal")) or (refusal and refusal.code == "sheet-decimal-sign"),
        "modes": Batch.Mode,
        "most": MOST,
        "megabytes": import_rows.LARGEST >> 20,
        "verbs": verbs,
        "fields": {name: field for name, field in ITEM_FIELDS.items() if name in used},
        "empty": import_rows.EMPTY,
        "error_fields": {"mode": "mode-live", ANY_ENTRY: "sheet"},
        "here": "bulk",
    }
    return render_page(request, "pages/bulk.html", context, refusal)


def _batch(request: HttpRequest, number: str) -> Batch:
    return get_object_or_404(batches_visible_to(request.user), number=number)


def _page(request: HttpRequest, batch: Batch, refusal: Refusal | None = None) -> HttpResponse:
    return render_page(request, "pages/batch.html", _context(request, batch) | {"here": "bulk"}, refusal)


def _context(request: HttpRequest, batch: Batch) -> dict[str, object]:
    state = batch_results.batch_progress([batch])[0]
    waits = batch.state == Batch.State.UNCONFIRMED
    return {
        "batch": batch,
        "batch_state": state,
        "counts": state.counts,
        "progress": state.progress,
        "items": None if state.progress else items.item_page(request, batch),
        "to_do": state.counts["passed"],
        "attestation": intake.attestation_of(batch, person_of(request)) if waits else "",
        "may_not": _refused(person_of(request), batch) if waits else None,
    }


def _refused(person: Person, batch: Batch) -> Refusal | None:
    """Why this person may not confirm the batch; None if they may."""
    try:
        intake.require_confirmation_rights(person, batch)
    except Forbidden as refusal:
        return refusal
    return None
