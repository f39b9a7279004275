"""What the licensee does on the page of a layout filing: drawing, positions, marked areas, filing, withdrawing.

After a refusal the page comes back with what was typed. Not here: the page itself (`layouts`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_POST

from submissions.access import drawings_visible_to
from submissions.actions import layout_drawings, layouts, uploads
from submissions.errors import Conflict, Refusal
from submissions.laid_out import PLACE
from submissions.models import LayoutDrawing, LayoutFiling, Person
from submissions.web import confirming
from submissions.web.filing import version_of
from submissions.web.layouts import filing_of, show
from submissions.web.receiving import oversize

Act = Callable[[HttpRequest, Person, LayoutFiling], str]  # says what was done


@require_POST
def upload(request: HttpRequest, number: str) -> HttpResponse:
    return _take(request, number, "upload", _upload)


@require_POST
def positions(request: HttpRequest, number: str) -> HttpResponse:
    return _take(request, number, "positions", _positions)


@require_POST
def inspect(request: HttpRequest, number: str) -> HttpResponse:
    return _take(request, number, "inspect", _inspect)


@require_POST
def mark(request: HttpRequest, number: str) -> HttpResponse:
    return _take(request, number, "marking", _mark)


@require_POST
def unmark(request: HttpRequest, number: str, pk: int) -> HttpResponse:
    def take_back(request: HttpRequest, person: Person, filing: LayoutFiling) -> str:
        layout_drawings.unmark(person, _meant(request, filing), pk)
        return "The mark was removed."

    return _take(request, number, "marking", take_back)


@require_POST
def file(request: HttpRequest, number: str) -> HttpResponse:
    return _take(request, number, "filing", _file)


@require_POST
def withdraw(request: HttpRequest, number: str) -> HttpResponse:
    return _take(request, number, "withdrawal", _withdraw)


def _take(request: HttpRequest, number: str, form: str, act: Act) -> HttpResponse:
    """Carry out what was asked, and go back to the page, or to the part of it where one goes on."""
    filing = filing_of(request, number)
    try:
        done = act(request, cast(Person, request.user), filing)
    except Refusal as refusal:
        return show(request, number, refusal=refusal, typed=request.POST.dict(), form=form)
    messages.success(request, done)
    anchor = "#marking" if form == "marking" else ""
    return HttpResponseRedirect(reverse("layout", args=[number]) + anchor)


def _upload(request: HttpRequest, person: Person, filing: LayoutFiling) -> str:
    if request.POST.get("reference"):
        layout_drawings.take_reference(person, filing)
        return "The portal's reference drawing is being inspected."
    for field, name in oversize(request):
        if field == "drawing":
            uploads.check_size(name, int(request.META.get("CONTENT_LENGTH") or 0))
    sent = request.FILES.get("drawing")
    if sent is None:
        raise Refusal("layout-no-file", "No file was chosen.", fix="Choose the drawing, then upload it.")
    drawing = layout_drawings.upload(person, filing, sent.name or "", sent.read())
    return f"“{drawing.name}” is uploaded, and is being inspected."


def _positions(request: HttpRequest, person: Person, filing: LayoutFiling) -> str:
    layout_drawings.set_positions(person, filing, _whole(request.POST.get("positions", "")))
    return f"{filing.positions} betting position{'s' if filing.positions > 1 else ''}."


def _inspect(request: HttpRequest, person: Person, filing: LayoutFiling) -> str:
    return f"“{layout_drawings.inspect_again(person, filing).name}” is inspected again."


def _mark(request: HttpRequest, person: Person, filing: LayoutFiling) -> str:
    made = layout_drawings.mark(person, _meant(request, filing), request.POST.get("element", ""), _place(request))
    return f"Marked on page {made.page}."


def _file(request: HttpRequest, person: Person, filing: LayoutFiling) -> str:
    confirming.demand(request)
    filed = layouts.file(person, filing, version=version_of(request), note=request.POST.get("note", ""))
    return f"Filed. The receipt is {filed.receipt}; the Bureau of Gaming Operations has 15 calendar days."


def _withdraw(request: HttpRequest, person: Person, filing: LayoutFiling) -> str:
    layouts.withdraw(person, filing, version=version_of(request), reason=request.POST.get("reason", ""))
    return "Withdrawn. It stays in the history."


def _meant(request: HttpRequest, filing: LayoutFiling) -> LayoutDrawing:
    """The drawing that the person saw; refused, if another one took its place."""
    drawings = drawings_visible_to(request.user, filing)
    drawing = get_object_or_404(drawings, pk=_whole(request.POST.get("drawing", "")))
    if drawing != drawings.first():
        raise Conflict("layout-replaced", "Another drawing was uploaded meanwhile.", fix="Look at that one.")
    return drawing


def _place(request: HttpRequest) -> dict[str, float]:
    """Page, and edges in shares of it, from the percents that were typed; what is no number lies nowhere."""
    edges = {name: _number(request.POST.get(name, "")) / 100 for name in PLACE if name != "page"}
    return {"page": _whole(request.POST.get("page", "")), **edges}


def _whole(text: str) -> int:
    """A number as forms send it; 0, which nothing has, for what is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 15 else 0


def _number(text: str) -> float:
    try:
        return float(text.strip().rstrip("%"))
    except ValueError:
        return float("nan")
