"""Every code with which the portal says no, on one page that a browser's own search goes through: for everybody."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from submissions.core.error_catalog import error_codes, error_groups


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    context = {"groups": error_groups().items(), "count": len(error_codes()), "here": "errors"}
    return render(request, "public/errors.html", context)
