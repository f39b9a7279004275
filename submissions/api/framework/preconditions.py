"""Preconditions of RFC 9110: ETags of what is read, 304 where nothing changed, `If-Match` wherever it is sent.

The tag of an address is that of a GET with the same caller. An address that only acts on something, such as
`submissions/<number>/file/`, has the tag of that thing: of the address above it. Not here: versions in a body, which
each action compares under its own lock.
"""

from typing import Any, cast

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import ResolverMatch, resolve
from django.utils.cache import get_conditional_response, set_response_etag
from django.utils.decorators import decorator_from_middleware
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import parse_etags
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from submissions.api.framework.problem_details import problem_response
from submissions.core.errors import Refusal

READS = ("GET", "HEAD")
KEPT_HEADERS = ("RateLimit", "RateLimit-Policy", "Cache-Control", "Vary")  # by 304 and 412: it was a request as others


class PreconditionFailed(Refusal):
    """Refusal of a call that was meant for another state than the present one."""

    status = 412


class ETagMiddleware(MiddlewareMixin):
    """Django's `ConditionalGetMiddleware`, but with HEAD, answers with a credential and 412 as RFC 9110 has them.

    `no-store` is for caches on the way; the program that keeps its own copy asks with the tag whether it is current.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if request.method not in READS or response.streaming or not 200 <= response.status_code < 300:
            return response
        if "ETag" not in response:
            set_response_etag(response)
        try:
            answer: HttpResponseBase = _evaluate(request, response.get("ETag", ""), response) or response
        except Refusal as refusal:
            answer = problem_response(refusal, request.path)
        for name in KEPT_HEADERS:
            if name in response:
                answer[name] = response[name]
        return answer


with_etag = decorator_from_middleware(ETagMiddleware)


def check_preconditions(request: Request) -> None:
    """Refuse a write that was meant for another state than the present one: nothing is changed."""
    if "If-Match" in request.headers or "If-None-Match" in request.headers:
        _evaluate(request._request, current_tag(request), None)


def current_tag(request: Request) -> str:
    """Return the tag that a GET of the address, or of the one above it, has now. It refuses as that GET does."""
    match = resolve(request.path)
    if not hasattr(view_class(match), "get"):
        match = resolve(request.path.rstrip("/").rpartition("/")[0] + "/")
    view: Any = view_class(match)()
    view.setup(request._request, *match.args, **match.kwargs)
    view.request, view.format_kwarg, view.headers = request, None, {}
    content = JSONRenderer().render(view.get(request, *match.args, **match.kwargs).data)
    return str(set_response_etag(HttpResponse(content))["ETag"])


def view_class(match: ResolverMatch) -> Any:
    """Return the class of the view, which DRF leaves on the function that serves the address; None of another one."""
    return getattr(match.func, "cls", None)


def _evaluate(request: HttpRequest, tag: str, response: HttpResponseBase | None) -> HttpResponseBase | None:
    """Return 304, or refuse with 412; otherwise return `response`.

    The tag of a compressed answer is weak (`W/`) because the bytes of gzip may differ. The state that it names is the
    same, so it counts in `If-Match`, too. No answer has a time of its last change: `If-Unmodified-Since` is ignored.
    """
    headers = {name: value for name, value in request.META.items() if name != "HTTP_IF_UNMODIFIED_SINCE"}
    match = headers["HTTP_IF_MATCH"] = headers.get("HTTP_IF_MATCH", "").replace('W/"', '"')
    evaluated = HttpRequest()
    evaluated.method, evaluated.META, evaluated.path = request.method, headers, request.path
    answer = get_conditional_response(evaluated, etag=tag, response=cast("HttpResponse | None", response))
    is_unreadable = bool(match.strip()) and not parse_etags(match)
    if is_unreadable:
        raise PreconditionFailed("precondition-failed/unreadable", sent=match[:60], tag=tag or "none")
    if answer is not None and answer.status_code == 412:
        raise PreconditionFailed("precondition-failed", tag=tag or "none")
    return answer
