"""The QR codes of a licensee's open tables as a PDF to print, or of one table."""

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from submissions.models import Organization, TableState
from submissions.permissions import tables_visible_to
from submissions.search.table_filters import TableFilterSet
from submissions.table_list.listed_tables import entries_on, in_order
from submissions.web.responses import file_response, page_of
from submissions.web.table_list.pages import QR_CODES, owner_of


@require_safe
def pdf(request: HttpRequest, licensee: str) -> FileResponse:
    """A card for each open table of today, of one game with `?chapter=`, 60 in one file (`?page=2`); with `?table=12`
    for this table only, open or closed.
    """
    from submissions.documents.qr_sheet import QrCard, qr_sheet_pdf  # Start-up cost: 0.4 s, for this page only

    owner, number = owner_of(request, licensee), request.GET.get("table", "")
    rows = entries_on(timezone.localdate(), tables_visible_to(request.user)).filter(organization=owner)
    game = {"chapter": request.GET.get("chapter", "")}
    rows = rows.filter(number=number) if number else TableFilterSet.narrow(game, rows.filter(state=TableState.OPEN))
    part = page_of(request, in_order(rows), QR_CODES)
    if not part.object_list:
        raise Http404("The table list has no such table today.")
    cards = [QrCard(row.number, table_address(owner, row.number)) for row in part]
    return file_response(qr_sheet_pdf(owner.name, cards), f"qr-codes-{owner.slug}.pdf", "application/pdf")


def table_address(owner: Organization, number: str) -> str:
    """The public address of what governs the table, as a phone reaches it."""
    return settings.PUBLIC_URL + reverse("in-force-any-table", args=[owner.slug, number])
