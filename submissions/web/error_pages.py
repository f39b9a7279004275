"""The pages about what goes wrong: every code with which the portal says no; not found, not understood."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from submissions.core.error_catalog import error_codes, error_groups


@require_safe
def catalog(request: HttpRequest) -> HttpResponse:
    """Every code, for everybody, on one page that a browser's own search goes through."""
    context = {"groups": error_groups().items(), "count": len(error_codes()), "here": "errors"}
    return render(request, "public/errors.html", context)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    words = str(exception.args[0]) if exception.args and isinstance(exception.args[0], str) else ""
    return render(request, "404.html", {"words": "" if words.startswith("No ") else words}, status=404)


def not_understood(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "400.html", status=400)
