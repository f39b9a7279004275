"""The pages about what goes wrong: every code with which the portal says no; not found, not understood; faults.

The page of a fault needs no database: it is shown while there is none. While nothing can be stored, it has what was
entered and a button that sends the same form again, because a browser that goes back may show an empty form. Not here:
how the API answers (`api.framework.problem_details`).
"""

import logging
import sys
from contextlib import suppress

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from submissions.accounts.public_keys import looks_private
from submissions.core.database_faults import storage_refusal
from submissions.core.errors import error_codes, error_groups
from submissions.core.log_context import request_id
from submissions.web.responses import retry_later

SECRET_FIELDS = ("password", "code", "otp")  # parts of names
WITH_SECRETS = ("/accounts/", "/invitations/")  # beginnings of addresses
log = logging.getLogger(__name__)


@require_safe
def catalog(request: HttpRequest) -> HttpResponse:
    """Show every code, for everybody, on one page that a browser's own search goes through."""
    context = {"groups": error_groups().items(), "count": len(error_codes()), "here": "errors"}
    return render(request, "public/errors.html", context)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    words = str(exception.args[0]) if exception.args and isinstance(exception.args[0], str) else ""
    return render(request, "404.html", {"words": "" if words.startswith("No ") else words}, status=404)


def not_understood(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "400.html", status=400)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the page of an exception that nothing else caught: 500; 503 or 507 while nothing can be read or stored."""
    error = sys.exception()
    context: dict[str, object] = {"request_id": request_id.get()}
    if busy := storage_refusal(error):
        log.error("%s: %s (%s)", request.method, busy.message, error)
        context |= {"busy": busy, **_sent_form(request)}
        return retry_later(HttpResponse(render_to_string("503.html", context)), busy)
    return HttpResponse(render_to_string("500.html", context), status=500)


def _sent_form(request: HttpRequest) -> dict[str, object]:
    """Return the fields of the form, without secrets; nothing of the pages of the sign-in, which have little else."""
    fields: list[tuple[str, str]] = []
    is_multipart = request.method == "POST" and request.content_type == "multipart/form-data"
    with suppress(Exception):  # its body may be what could not be stored
        for name, values in request.POST.lists():
            if not any(word in name for word in SECRET_FIELDS):
                fields += [(name, value) for value in values if not looks_private(value)]
    if request.path_info.startswith(WITH_SECRETS) or request.method != "POST":
        fields = []
    texts = [value for _, value in fields if " " in value.strip()]
    address = request.get_full_path()
    return {"fields": fields, "texts": texts, "address": address, "has_file": is_multipart and bool(fields)}
