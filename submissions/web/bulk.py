"""Bulk updates of one's own organisation: the list, the workbook to download, the upload.

What is uploaded waits for its confirmation on the batch's own page (`bulk_batch`), whatever is in it. Not here: how a
spreadsheet is read, and what becomes of it (`actions.bulk`).
"""

from __future__ import annotations

from typing import cast

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from submissions.access import demand, may
from submissions.access.programs import batches_visible_to
from submissions.actions.bulk import sheets, taking, workbook
from submissions.actions.bulk.results import standings
from submissions.actions.bulk.shapes import FIELDS, MOST, VERBS
from submissions.errors import Refusal
from submissions.models import SCOPES_OF, Batch, Organisation, Person
from submissions.web.receiving import oversize

PAGE = 25
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def index(request: HttpRequest) -> HttpResponse:
    """GET: the batches, newest first, and the form. POST: take the spreadsheet in."""
    if request.method != "POST":
        return _page(request)
    try:
        batch = _taken(request)
    except Refusal as refusal:
        return _page(request, refusal)
    return redirect("batch", batch.number)


@require_safe
def download(request: HttpRequest) -> HttpResponse:
    """What can be changed now, as a workbook."""
    content = workbook.download(cast(Person, request.user), request.build_absolute_uri("/bulk/"))
    name = f"configurations-{timezone.localdate():%Y-%m-%d}.xlsx"
    response = HttpResponse(content, content_type=XLSX)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _taken(request: HttpRequest) -> Batch:
    person = cast(Person, request.user)
    demand(person, "bulk")  # before a file of theirs is opened
    content, name = _file(request)
    parcel = sheets.parcel(content, form=sheets.form_of(content), name=name)
    mode = request.POST.get("mode", "")
    return taking.take_in(person, parcel, mode=mode, together="together" in request.POST, asks=True)


def _file(request: HttpRequest) -> tuple[bytes, str]:
    """The file and its name."""
    file = request.FILES.get("sheet")
    if oversize(request):  # known once the form was read
        raise Refusal("sheet-too-large", f"The file is larger than {sheets.LARGEST >> 20} MB.", fix="Send it in parts.")
    file = request.FILES.get("sheet")
    if file is None:
        raise Refusal("file-missing", "No file was chosen.", fix="Choose the workbook or the CSV file.")
    return file.read(), str(file.name or "")


def _page(request: HttpRequest, refusal: Refusal | None = None) -> HttpResponse:
    person = cast(Person, request.user)
    page = Paginator(batches_visible_to(person), PAGE).get_page(request.GET.get("page"))
    scopes = SCOPES_OF[Organisation.Kind(person.organisation.kind)] if person.organisation else ()
    verbs = {name: verb for name, verb in VERBS.items() if verb.scope in scopes}
    had = {name for verb in verbs.values() for name in (*verb.needs, *verb.takes)} - {"answers"}
    context = {
        "page": page,
        "rows": standings(list(page)),
        "may_send": may(person, "bulk"),
        "refusal": refusal,
        "typed": request.POST,
        "modes": Batch.Mode,
        "most": MOST,
        "megabytes": sheets.LARGEST >> 20,
        "verbs": verbs,
        "fields": {name: field for name, field in FIELDS.items() if name in had},
        "empty": sheets.EMPTY,
        "here": "bulk",
    }
    return render(request, "pages/bulk.html", context, status=refusal.status if refusal else 200)
