"""The pages for what went wrong: not found, not allowed, not understood, our fault."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    words = str(exception.args[0]) if exception.args and isinstance(exception.args[0], str) else ""
    return render(request, "404.html", {"words": "" if words.startswith("No ") else words}, status=404)


def not_understood(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "400.html", status=400)
