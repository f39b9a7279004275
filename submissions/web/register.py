"""The public register: every approved version, with its document. Nothing else is public."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from submissions.models import Document, Status

PAGE = 50


def register(request: HttpRequest) -> HttpResponse:
    rows = approved().order_by("-signed_at", "-pk").select_related("revision__submission__organisation")
    page = Paginator(rows.defer("verification", "revision__snapshot"), PAGE).get_page(request.GET.get("page"))
    return render(request, "public/register.html", {"page": page, "here": "register"})


def approved() -> QuerySet[Document]:
    return Document.objects.filter(revision__submission__status=Status.APPROVED)


def offered_by() -> dict[str, list[str]]:
    """Chapter → the licensees with an approved version of it, by name."""
    submission = "revision__submission__"
    rows = approved().order_by(f"{submission}organisation__name").distinct()
    found: dict[str, list[str]] = {}
    for chapter, name in rows.values_list(f"{submission}chapter", f"{submission}organisation__name"):
        found.setdefault(chapter, []).append(name)
    return found
