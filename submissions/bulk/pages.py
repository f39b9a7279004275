"""Bulk updates: the list with the upload, and the page of a batch with its progress, confirmation, items and results.

Every upload waits for its confirmation on the batch's page, the middle of which reloads itself while a worker is busy.
The items are filtered by outcome; the number of queries does not grow with the batch. Not here: how a spreadsheet is
read and applied.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from submissions.accounts.pages import reauthentication
from submissions.bulk import batch_results, export_workbook, intake, item_sheets
from submissions.bulk.items import ITEM_FIELDS, ITEM_VERBS, MOST_ITEMS
from submissions.bulk.sheet_files import XLSX
from submissions.core.errors import Forbidden, Refusal
from submissions.models import SCOPES_OF, Batch, Configuration, Item, Organization, Person, Submission
from submissions.permissions import Visitor, may, require, visible_to
from submissions.permissions.credentials import batches_visible_to
from submissions.security_log.records import EXPORTED_ROWS
from submissions.web import formatting
from submissions.web.access_gate import person_of
from submissions.web.forms import PageForm, add_refusal, posted, render_form
from submissions.web.responses import page_of, render_page
from submissions.web.upload_handler import oversize

BESIDE_BUTTON = ("attestation-missing", "nothing-to-confirm")  # refusals shown on the page itself
BATCHES_PER_PAGE = 25


class UploadForm(PageForm):
    sheet = forms.FileField(
        label="Workbook or CSV file",
        help_text=f".xlsx or .csv, up to {item_sheets.LARGEST_FILE >> 20} MB and {MOST_ITEMS:,} rows.",
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput({"accept": ".xlsx,.csv"}),
    )
    mode = forms.ChoiceField(
        label="What do you want to do?",
        choices=((Batch.Mode.LIVE, "Apply after I confirm"), (Batch.Mode.VALIDATE, "Preview only (dry run)")),
        initial=Batch.Mode.LIVE,
        widget=forms.RadioSelect,
    )
    decimal = forms.ChoiceField(
        label="Decimal sign of the numbers in the file",
        choices=(("", "Choose one"), ("point", "Point: 2.5"), ("comma", "Comma: 2,5")),
        required=False,
    )
    together = forms.BooleanField(
        label="All or nothing: if the portal rejects one row, it applies none", required=False
    )


def index(request: HttpRequest) -> HttpResponse:
    """GET: the batches, newest first, and the form. POST: accept a spreadsheet."""
    form = UploadForm(*posted(request))
    if request.method == "POST":
        require(person_of(request), "bulk")
        try:
            if form.is_valid():
                return redirect("batch", _accepted(request, form.cleaned_data).number)
        except Refusal as refusal:
            add_refusal(form, refusal, "" if refusal.option in form.fields else "sheet")
    return _list_page(request, form)


@require_safe
def download(request: HttpRequest) -> HttpResponse:
    """Return the configurations that can be changed now, as a workbook."""
    content, rows = export_workbook.download(person_of(request), request.build_absolute_uri("/bulk/"))
    request.META[EXPORTED_ROWS] = rows
    name = f"configurations-{timezone.localdate():%Y-%m-%d}.xlsx"
    return HttpResponse(content, XLSX, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@require_safe
def page(request: HttpRequest, number: str) -> HttpResponse:
    return _page(request, _batch(request, number))


@require_safe
def progress(request: HttpRequest, number: str) -> HttpResponse:
    """Return the middle of the page, which reloads itself until no job is running."""
    return render(request, "parts/batch.html", _context(request, _batch(request, number)))


@require_safe
def result(request: HttpRequest, number: str, form: str) -> HttpResponse | StreamingHttpResponse:
    """Return every item and its result as CSV or as a workbook, as in the API."""
    batch = _batch(request, number)
    request.META[EXPORTED_ROWS] = batch.items.count()
    headers = {"Content-Disposition": f'attachment; filename="{batch.number}.{form}"'}
    if form == "csv":
        return StreamingHttpResponse(batch_results.result_table(batch), "text/csv; charset=utf-8", headers=headers)
    return HttpResponse(batch_results.result_workbook(batch), XLSX, headers=headers)


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


def _accepted(request: HttpRequest, values: dict[str, Any]) -> Batch:
    file = request.FILES.get("sheet")  # reads the form, which measures the file
    if oversize(request):
        raise Refusal("sheet-too-large/file", megabytes=item_sheets.LARGEST_FILE >> 20)
    if file is None:
        raise Refusal("file-missing")
    content, name = file.read(), str(file.name or "")
    form = item_sheets.form_of(content)
    # The batch's page names what is hidden, above the button that confirms it.
    upload = item_sheets.read_upload(content, form=form, name=name, decimal=values["decimal"], include_hidden=True)
    mode, together = values["mode"], values["together"]
    return intake.accept_upload(person_of(request), upload, mode=mode, atomic=together, needs_confirmation=True)


def _list_page(request: HttpRequest, form: UploadForm) -> HttpResponse:
    person = person_of(request)
    may_send = may(person, "bulk")
    form.fields["sheet"].disabled = not may_send
    page = page_of(request, batches_visible_to(person), BATCHES_PER_PAGE)
    scopes = SCOPES_OF[Organization.Kind(person.organization.kind)] if person.organization else ()
    verbs = {name: verb for name, verb in ITEM_VERBS.items() if verb.scope in scopes}
    used = {name for verb in verbs.values() for name in (*verb.needs, *verb.takes)} - {"answers"}
    context = {
        "page": page,
        "rows": batch_results.batch_progress(list(page)),
        "may_send": may_send,
        "asks_for_decimal": form["decimal"].value() or form.has_error("sheet", "sheet-decimal-sign"),
        "verbs": verbs,
        "fields": {name: field for name, field in ITEM_FIELDS.items() if name in used},
        "empty": item_sheets.EMPTY,
        "here": "bulk",
    }
    return render_form(request, "pages/bulk.html", context, form)


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
        "items": None if state.progress else item_page(request, batch),
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


ITEMS_PER_PAGE = 50
SHOWN_FIELDS = ("name", "tables", "pit", "remark", "kind", "revision", "option", "audience", "reason", "text")
NAMES_TABLES = ("update", "amend", "create", "add-group", "remove-group")  # items about a table group
UNCHANGED = Q(given__action="update", changes=[])
GOOD = Q(state__in=(Item.State.PASSED, Item.State.DONE))
LOOKS = {Item.State.REFUSED: "refused", Item.State.UNDONE: "refused", Item.State.DONE: "approved"}
OUTCOMES = {  # query parameter → its label, and which items
    "refused": ("Refused", Q(state=Item.State.REFUSED)),
    "undone": ("Not applied, because of other items", Q(state=Item.State.UNDONE)),
    "good": ("", GOOD & ~UNCHANGED),
    "same": ("Change nothing", GOOD & UNCHANGED),
    "waiting": ("Not looked at", Q(state=Item.State.PENDING)),
}


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item as text."""

    item: Item
    verb: str  # "Change answers"; as sent if it is not a known action
    name: str  # the submission's number, "what item 3 makes", or a chapter
    game: str
    tables: str  # which tables; "" if it is about the whole submission
    number: str  # of the submission to link to; "" without one
    same: bool  # done, or would be, and changes nothing
    fields: list[tuple[str, str]]  # other fields as sent: reasons, remarks, names of groups

    @property
    def other_name(self) -> str:
        """The item's own name for its submission, if that is not the submission's number."""
        return self.name if self.number and self.number != self.name else ""

    @property
    def subject(self) -> str:
        """After the name: the game and the tables that the item is about."""
        return (f", {self.game}" if self.game else "") + (f": {self.tables}" if self.tables else "")

    @property
    def state(self) -> str:
        return "Changes nothing" if self.same else self.item.get_state_display()

    @property
    def look(self) -> str:
        """The class of the badge with the state."""
        return LOOKS.get(Item.State(self.item.state), "filed")


def item_page(request: HttpRequest, batch: Batch) -> dict[str, object]:
    """Return a page of the items, all or of one outcome, with the outcomes to choose from."""
    chosen = request.GET.get("outcome", "")
    chosen = chosen if chosen in OUTCOMES else ""
    page = page_of(request, batch.items.filter(OUTCOMES[chosen][1]) if chosen else batch.items.all(), ITEMS_PER_PAGE)
    return {
        "page": page,
        "rows": list(_rows(request.user, list(page))),
        "outcomes": _outcomes(batch, chosen),
        "total": batch.total,
        "chosen": chosen,
        "query": f"outcome={chosen}&" if chosen else "",
    }


def _outcomes(batch: Batch, chosen: str) -> list[dict[str, object]]:
    """Return the kinds of outcome that there are: how many items, and whether only those are shown."""
    is_applied = batch.mode == Batch.Mode.LIVE and batch.state in (Batch.State.RUNNING, Batch.State.DONE)
    good = "Done" if is_applied else "Can be applied"
    return [
        {"key": key, "label": label or good, "count": count, "chosen": key == chosen}
        for key, (label, which) in OUTCOMES.items()
        if (count := batch.items.filter(which).count())
    ]


def _rows(person: Visitor, items: list[Item]) -> Iterator[ItemRow]:
    numbers = {number for item in items for number in (item.submission, item.made.get("submission", ""))}
    rows = visible_to(person).filter(number__in=numbers) if numbers else Submission.objects.none()
    visible = {row.number: row for row in rows}
    names = _tables(rows)
    for item in items:
        created = item.made.get("submission", "")
        number = next((number for number in (created, item.submission) if number in visible), "")
        chapter = visible[number].chapter if number else str(item.given.get("chapter", ""))[:8]
        group = item.given.get("group", 0)
        verb = ITEM_VERBS.get(item.action)
        about = visible.get(item.submission) if item.action in NAMES_TABLES else None
        yield ItemRow(
            item=item,
            verb=verb.label if verb else item.action or "No action",
            name=_name(item),
            game=formatting.game(chapter) if chapter else "",
            tables=names.get((about.pk, group), "") if about and isinstance(group, int) else "",
            number=number,
            fields=[
                (name.capitalize(), str(value))
                for name in SHOWN_FIELDS
                if (value := item.given.get(name)) not in (None, "")
            ],
            same=item.action == "update" and not item.changes and item.state in (Item.State.PASSED, Item.State.DONE),
        )


def _name(item: Item) -> str:
    if item.submission.startswith("#"):
        return f"What item {item.submission[1:]} makes"
    return item.submission or ("A new submission" if item.action == "create" else "No submission")


def _tables(rows: QuerySet[Submission]) -> dict[tuple[int, int], str]:
    """Return (submission, group) → the name and tables of the group, of submissions with several."""
    configurations = list(Configuration.objects.filter(submission__in=rows.order_by()))
    several = {row.submission_id for row in configurations if row.position}
    return {
        (row.submission_id, row.position): f"{row.display_name(several=True)}{f' ({row.tables})' if row.tables else ''}"
        for row in configurations
        if row.submission_id in several
    }
