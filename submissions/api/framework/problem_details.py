"""Refusals of the API: problem details (`core.errors`).

Every exception within the API ends here. Of a fault of ours the caller learns only that it is logged. What the
codes mean is `submissions.core.errors`.
"""

import logging
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpResponse
from rest_framework import exceptions
from rest_framework.renderers import JSONRenderer

from submissions.core.database_faults import storage_refusal
from submissions.core.errors import (
    MEDIA_TYPE,
    SHOWN_REFUSAL,
    Busy,
    Forbidden,
    NotFound,
    Refusal,
    error_codes,
    problem_details,
)
from submissions.jobs.idempotency import InFlight

NOT_HERE = "This address does not exist, or you cannot see it."
log = logging.getLogger(__name__)


class Unacceptable(Refusal):
    """A fault of the request itself: its method, its media types, its size, its frequency."""

    def __init__(self, status: int, code: str, message: str = "", *, fix: str | None = None, **values: Any) -> None:
        super().__init__(code, message, fix=fix, **values)
        self.status = status


def exception_handler(error: Exception, context: dict[str, Any]) -> HttpResponse:
    """Return the response to an exception raised while `context["request"]` was served: JSON at every address."""
    refusal = _refusal(error, context)
    context["request"].META[SHOWN_REFUSAL] = refusal.code  # for the security log
    response = problem_response(refusal, context["request"].path)
    if isinstance(refusal, InFlight):
        response["Retry-After"] = str(refusal.seconds)
    if isinstance(refusal, Busy):
        response["Retry-After"] = str(refusal.retry_after)
    if refusal.status == 401:
        reason = "" if refusal.code == "credential-missing" else ', error="invalid_token"'
        response["WWW-Authenticate"] = f'Bearer realm="Rules Submission Portal"{reason}'
    return response


def problem_response(refusal: Refusal, path: str) -> HttpResponse:
    """Return the problem details of a refusal, as an answer to a request of this path."""
    return HttpResponse(JSONRenderer().render(problem_details(refusal, path)), MEDIA_TYPE, refusal.status)


def _refusal(error: Exception, context: dict[str, Any]) -> Refusal:
    """Everything that can be raised, as a refusal."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, (Http404, exceptions.NotFound)):
        return NotFound("not-found", _words(error) or NOT_HERE, fix=error_codes()["not-found"].fix)
    if isinstance(error, (PermissionDenied, exceptions.PermissionDenied)):
        return Forbidden("not-allowed/action")
    if isinstance(error, RequestDataTooBig):
        most = f"{getattr(context['view'], 'largest', settings.DATA_UPLOAD_MAX_MEMORY_SIZE) >> 20} MB"
        fix = getattr(context["view"], "too_large_fix", "Send a smaller body.")
        return Unacceptable(413, "body-too-large", f"The body is larger than {most}.", fix=fix)
    if isinstance(error, exceptions.APIException) and error.status_code != 500:
        return _of_framework(error, context)
    if isinstance(error, (SuspiciousOperation, BadRequest, UnicodeError)):
        return Refusal("not-understood")
    if busy := storage_refusal(error):
        log.error("%s %s: %s (%s)", context["request"].method, context["request"].path, busy.message, error)
        return busy
    log.exception("%s %s", context["request"].method, context["request"].path, exc_info=error)
    return Unacceptable(500, "our-fault", "A server error occurred.", fix=error_codes()["our-fault"].fix)


def _of_framework(error: exceptions.APIException, context: dict[str, Any]) -> Refusal:
    request, view = context["request"], context["view"]
    allowed = ", ".join(name for name in view.allowed_methods if name != "OPTIONS")
    served, read = (
        " or ".join(kind.media_type for kind in kinds) for kinds in (view.get_renderers(), view.get_parsers())
    )
    accept, sent = (f"“{request.META.get(name, '')[:60]}”" for name in ("HTTP_ACCEPT", "CONTENT_TYPE"))
    limit, seconds = getattr(view, "request_limit", 0), getattr(error, "wait", None) or 60
    wait = f"Send it again in {seconds:.0f} seconds."
    said: dict[int, tuple[str, str, str]] = {
        405: ("method-not-allowed", f"This address does not allow {request.method}.", f"Use {allowed}."),
        406: ("not-acceptable", f"This address does not send {accept}.", f"Send the header Accept with {served}."),
        415: ("media-type", f"This address does not take a body of the type {sent}.", f"Send {read}."),
        429: ("too-many-requests", f"The limit of {limit:,} per minute was exceeded.", wait),
    }
    otherwise = ("not-understood", str(error.detail), "Compare it with the schema.")
    code, message, fix = said.get(error.status_code, otherwise)
    return Unacceptable(error.status_code, code, message, fix=fix)


def _words(error: Exception) -> str:
    """Return the error's text if it is ours, not the framework's; "" otherwise."""
    words = str(error.args[0]) if isinstance(error, Http404) and error.args else ""
    return "" if words.startswith("No ") else words
