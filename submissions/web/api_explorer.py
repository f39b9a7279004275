"""The API in a browser: every address with its parameters and an example, and a form that sends a call.

The page is Swagger UI, which reads the description that the API serves. The calls are those of a program with the same
key. Not here: the description (`submissions.api.description`).
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show the page, for everyone, as the description is."""
    return render(request, "public/api_explorer.html", {"here": "help"})
