"""The bulk updates of a person's organization: the list, the workbook to download, the upload.

Every upload waits for its confirmation on the batch's page (`batches`). Not here: how a spreadsheet is read and applied
(`submissions.bulk`).
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_safe

from submissions.bulk import intake
from submissions.bulk.batch_results import batch_progress
from submissions.bulk.item_schema import ITEM_FIELDS, ITEM_VERBS, MOST
from submissions.bulk.spreadsheets import export_workbook, import_rows
from submissions.core.errors import Refusal
from submissions.models import SCOPES_OF, Batch, Organization
from submissions.permissions import may, require
from submissions.permissions.credentials import batches_visible_to
from submissions.web.access_gate import person_of
from submissions.web.responses import page_of, render_page
from submissions.web.upload_handler import oversize

PAGE = 25
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def index(request: HttpRequest) -> HttpResponse:
    """GET: the batches, newest first, and the form. POST: accept a spreadsheet."""
    if request.method != "POST":
        return _page(request)
    try:
        batch = _accepted(request)
    except Refusal as refusal:
        return _page(request, refusal)
    return redirect("batch", batch.number)


@require_safe
def download(request: HttpRequest) -> HttpResponse:
    """The configurations that can be changed now, as a workbook."""
    content = export_workbook.download(person_of(request), request.build_absolute_uri("/bulk/"))
    name = f"configurations-{timezone.localdate():%Y-%m-%d}.xlsx"
    return HttpResponse(content, XLSX, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _accepted(request: HttpRequest) -> Batch:
    person = person_of(request)
    require(person, "bulk")  # before the file is opened
    content, name = _file(request)
    upload = import_rows.read_upload(content, form=import_rows.form_of(content), name=name)
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


def _page(request: HttpRequest, refusal: Refusal | None = None) -> HttpResponse:
    person = person_of(request)
    page = page_of(request, batches_visible_to(person), PAGE)
    scopes = SCOPES_OF[Organization.Kind(person.organization.kind)] if person.organization else ()
    verbs = {name: verb for name, verb in ITEM_VERBS.items() if verb.scope in scopes}
    used = {name for verb in verbs.values() for name in (*verb.needs, *verb.takes)} - {"answers"}
    context = {
        "page": page,
        "rows": batch_progress(list(page)),
        "may_send": may(person, "bulk"),
        "typed": request.POST,
        "modes": Batch.Mode,
        "most": MOST,
        "megabytes": import_rows.LARGEST >> 20,
        "verbs": verbs,
        "fields": {name: field for name, field in ITEM_FIELDS.items() if name in used},
        "empty": import_rows.EMPTY,
        "here": "bulk",
    }
    return render_page(request, "pages/bulk.html", context, refusal)
