"""The signed PDF within a page: which answer may be shown in a frame, and which pages have one.

The policy is a header of the response itself, so that it is also that of a page from the cache (`web.load_limits`).
"""

from collections.abc import Callable
from functools import wraps

from csp.constants import HEADER, SELF
from csp.utils import build_policy
from django.http import HttpRequest, HttpResponse

View = Callable[..., HttpResponse]


def shows_pdf(view: View) -> View:
    """The view, whose pages may have a frame with an answer of this portal."""
    return _with_policy(view, "frame-src")


def may_be_framed(view: View) -> View:
    """The view, whose answer the portal's own pages may show in a frame, and nobody else's."""
    return _with_policy(view, "frame-ancestors", frame_options="SAMEORIGIN")


def _with_policy(view: View, directive: str, *, frame_options: str = "") -> View:
    @wraps(view)
    def respond(request: HttpRequest, *args: object, **parts: object) -> HttpResponse:
        response = view(request, *args, **parts)
        response[HEADER] = build_policy(replace={directive: [SELF]})
        if frame_options:
            response["X-Frame-Options"] = frame_options
        return response

    return respond
