"""The licensee's actions on the page of a layout filing: drawing, positions, marked areas, filing, withdrawing.

After a refusal the page shows the values that were entered. Not here: the page itself (`layout_page`).
"""

from collections.abc import Callable
from functools import wraps
from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_POST

from submissions.core.errors import Conflict, Refusal
from submissions.filings import attachments
from submissions.layouts import layout_filings, uploaded_drawings
from submissions.layouts.element_status import PLACE
from submissions.models import LayoutDrawing, LayoutFiling, Person
from submissions.permissions import drawings_visible_to
from submissions.web.accounts import reauthentication
from submissions.web.filings.filing import version_of
from submissions.web.layouts.layout_page import filing_of, show
from submissions.web.upload_handler import oversize

Action = Callable[..., str]  # (request, person, filing, further parts of the address) → the message of success


def form_action(form: str) -> Callable[[Action], Callable[..., HttpResponse]]:
    """The view of an action: it redirects to the page or, after a refusal, shows it with the values of the `form`."""

    def decorator(action: Action) -> Callable[..., HttpResponse]:
        @require_POST
        @wraps(action)
        def view(request: HttpRequest, number: str, **address: int) -> HttpResponse:
            filing = filing_of(request, number)
            try:
                message = action(request, cast(Person, request.user), filing, **address)
            except Refusal as refusal:
                return show(request, number, refusal=refusal, typed=request.POST.dict(), form=form)
            messages.success(request, message)
            anchor = "#marking" if form == "marking" else ""
            return HttpResponseRedirect(reverse("layout", args=[number]) + anchor)

        return view

    return decorator


@form_action("upload")
def upload(request: HttpRequest, person: Person, filing: LayoutFiling) -> str:
    if request.POST.get("reference"):
        uploaded_drawings.use_reference_drawing(person, filing)
        return "The portal's reference drawing is being inspected."
    for field, name in oversize(request):
        if field == "drawing":
            attachments.check_size(name, int(request.META.get("CONTENT_LENGTH") or 0))
    sent = request.FILES.get("drawing")
    if sent is None:
        raise Refusal("layout-no-file")
    drawing = uploaded_drawings.upload_drawing(person, filing, sent.name or "", sent.read())
    return f"“{drawing.name}” is uploaded, and is being inspected."


@form_action("positions")
def positions(request: HttpRequest, person: Person, filing: LayoutFiling) -> str:
    uploaded_drawings.set_positions(person, filing, _integer(request.POST.get("positions", "")))
    return f"{filing.positions} betting position{'s' if filing.positions > 1 else ''}."


@form_action("inspect")
def inspect(request: HttpRequest, person: Person, filing: LayoutFiling) -> str:
    return f"“{uploaded_drawings.inspect_again(person, filing).name}” is inspected again."


@form_action("marking")
def mark_element(request: HttpRequest, person: Person, filing: LayoutFiling) -> str:
    drawing, element = _drawing(request, filing), request.POST.get("element", "")
    return f"Marked on page {uploaded_drawings.mark_element(person, drawing, element, _place(request)).page}."


@form_action("marking")
def remove_mark(request: HttpRequest, person: Person, filing: LayoutFiling, pk: int) -> str:
    uploaded_drawings.remove_mark(person, _drawing(request, filing), pk)
    return "The mark was removed."


@form_action("filing")
def file(request: HttpRequest, person: Person, filing: LayoutFiling) -> str:
    reauthentication.require_confirmation(request)
    revision = layout_filings.file_layout(
        person, filing, version=version_of(request), note=request.POST.get("note", "")
    )
    return f"Filed. The receipt is {revision.receipt}; the Bureau of Gaming Operations has 15 calendar days."


@form_action("withdrawal")
def withdraw(request: HttpRequest, person: Person, filing: LayoutFiling) -> str:
    layout_filings.withdraw_layout(person, filing, version=version_of(request), reason=request.POST.get("reason", ""))
    return "Withdrawn. It stays in the history."


def _drawing(request: HttpRequest, filing: LayoutFiling) -> LayoutDrawing:
    """The drawing that the person saw; refused if another one has replaced it."""
    drawings = drawings_visible_to(request.user, filing)
    drawing = get_object_or_404(drawings, pk=_integer(request.POST.get("drawing", "")))
    if drawing != drawings.first():
        raise Conflict("layout-replaced")
    return drawing


def _place(request: HttpRequest) -> dict[str, float]:
    """Page, and edges in shares of it, from the percents entered; NaN, which is refused, for any other text."""
    edges = {name: _number(request.POST.get(name, "")) / 100 for name in PLACE if name != "page"}
    return {"page": _integer(request.POST.get("page", "")), **edges}


def _integer(text: str) -> int:
    """A whole number of a form; 0, which no object has, for any other text."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 15 else 0


def _number(text: str) -> float:
    try:
        return float(text.strip().rstrip("%"))
    except ValueError:
        return float("nan")
