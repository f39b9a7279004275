"""Every code with which the portal says no, on one page that a browser's own search goes through: for everybody."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from submissions.catalogue import codes, groups


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    context = {"groups": groups().items(), "count": len(codes()), "here": "errors"}
    return render(request, "public/errors.html", context)
