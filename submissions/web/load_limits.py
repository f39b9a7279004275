"""Pages that cost more than others: few at a time in each process, and for visitors from a cache of some seconds.

Without a limit, whoever opens them often enough keeps every thread busy, and nobody can sign in or file. Refused is
before anything is read from the database, with a plain page. Which addresses these are is a column of `web.urls`.
"""

from collections.abc import Callable, Mapping
from functools import cache, wraps
from hashlib import sha256
from threading import BoundedSemaphore
from typing import NamedTuple

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string

from submissions.core.errors import Busy
from submissions.web.responses import retry_later

View = Callable[..., HttpResponseBase]

AT_A_TIME = 2  # in one process, of its four threads
RETRY_AFTER = 2  # seconds
SHOWN_FOR = 10  # seconds: a page for visitors may be that old
LARGEST = 512 << 10  # bytes of a page that is cached
COOKIES_OF_VISITORS = {"csrftoken"}  # with any other, the page may be this person's own
_slots = BoundedSemaphore(AT_A_TIME)


class CachedPage(NamedTuple):
    """A page as it was answered."""

    status: int
    headers: Mapping[str, str]
    content: bytes


def limited(view: View) -> View:
    """The view for as many requests at a time as `AT_A_TIME` allows; others are refused at once."""

    @wraps(view)
    def inside(request: HttpRequest, **parts: object) -> HttpResponseBase:
        if not _slots.acquire(blocking=False):
            return busy_page()
        try:
            return view(request, **parts)
        finally:
            _slots.release()

    return inside


def cached_for_visitors(view: View) -> View:
    """The view; what it answers to a visitor is answered to the next ones for `SHOWN_FOR` seconds."""

    @wraps(view)
    def inside(request: HttpRequest, **parts: object) -> HttpResponseBase:
        if request.method not in ("GET", "HEAD") or request.COOKIES.keys() - COOKIES_OF_VISITORS:
            return view(request, **parts)
        pages, key = caches["pages"], _key(request)
        page: CachedPage | None = pages.get(key)
        if page is None:
            response = view(request, **parts)
            if not isinstance(response, HttpResponse) or not _is_for_all(request, response):
                return response
            page = CachedPage(response.status_code, dict(response.headers), response.content)
            pages.set(key, page, SHOWN_FOR)
        return HttpResponse(page.content, status=page.status, headers=page.headers)

    return inside


def busy_page() -> HttpResponse:
    """The refusal as a plain page, which costs nothing."""
    return retry_later(HttpResponse(_busy_html()), Busy("portal-busy/pages", retry_after=RETRY_AFTER))


@cache
def _busy_html() -> str:
    return render_to_string("public/busy.html", {"refusal": Busy("portal-busy/pages", retry_after=RETRY_AFTER)})


def _key(request: HttpRequest) -> str:
    is_part = getattr(request, "htmx", False)
    return sha256(
        f"{request.method} {request.get_host()} {bool(is_part)} {request.get_full_path()}".encode()
    ).hexdigest()


def _is_for_all(request: HttpRequest, response: HttpResponse) -> bool:
    """Whether it is a page without a form's secret or a cookie, which another visitor would not get."""
    has_secret = bool(response.cookies or request.META.get("CSRF_COOKIE_NEEDS_UPDATE"))
    return not has_secret and response.status_code in (200, 404) and len(response.content) <= LARGEST
