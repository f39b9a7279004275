"""The public register: every approved version, with its document. Nothing else is public."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from submissions.models import Document, Status

PAGE = 50


def register(request: HttpRequest) -> HttpResponse:
    approved = Document.objects.filter(revision__submission__status=Status.APPROVED).order_by("-signed_at", "-pk")
    rows = approved.select_related("revision__submission__organisation").defer("verification", "revision__snapshot")
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    return render(request, "public/register.html", {"page": page, "here": "register"})
