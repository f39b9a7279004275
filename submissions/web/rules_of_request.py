"""A middleware: the published changes of the rules are read at most once for each request, of a page or of the API.

Every answer of one request is by the same rules, and the next request sees what was published since, in every
process. Not here: which rules are in effect (`submissions.rules`).
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from submissions.rules import published_changes_read_once


def read_rules_once(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Return the middleware."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        with published_changes_read_once():
            return get_response(request)

    return middleware
