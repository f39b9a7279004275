"""The limits that keep a process answering when costly pages are asked for without end; a cache for visitors.

A middleware before that of sessions: what it refuses, or has in its cache, costs no query; only whether a busy list is
asked for by someone who is signed in takes one. In each process a kind of page is made once at a time, one request may
wait for it, and one thread is always left for all other pages: sign-in, checklists, filing. Lists that people work with
(register, search, rule changes) are not refused to who is signed in, as long as each person asks for one at a time. Not
here: the queues of files and drafts (`documents.verification`, `layouts.draft_queue`), limits of the API
(`api.framework.authentication`).
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib import import_module
from threading import BoundedSemaphore, Condition
from typing import NamedTuple, cast

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.template.loader import render_to_string

from submissions.core.errors import Busy
from submissions.web.responses import retry_later

THREADS = 3  # of a web process: with 4, people wait longer for one another than for the database
WAIT = 1.0  # seconds that the one request that waits does so
RETRY_AFTER = 2  # seconds
SHOWN_FOR = 10  # seconds: a page for visitors may be that old
SHOWN_FOR_IF_BUSY = 60  # seconds: it is, if no newer one can be made now
LARGEST = 1 << 20  # bytes of a page that is cached; the errata of all chapters as JSON have 0.7 MB
COOKIES_OF_VISITORS = {"csrftoken"}  # with any other, the page may be this person's own
READS = ("GET", "HEAD")
ALWAYS_MADE = {"/register/", "/in-force/", "/games/"}  # for visitors, without a query: from the cache but every 10 s


@dataclass(frozen=True, slots=True)
class CostlyPages:
    """Pages of one kind: those with these methods whose path begins like the pattern."""

    methods: tuple[str, ...]
    pattern: re.Pattern[str]
    cached: bool = False  # for visitors
    streams: bool = False  # sent while it is made: the slot is taken until it is sent
    open_to_people: bool = False  # to who is signed in, one at a time: cheap enough, and their own list
    slots: BoundedSemaphore = field(default_factory=BoundedSemaphore)

    def has(self, request: HttpRequest) -> bool:
        return request.method in self.methods and self.pattern.match(request.path_info) is not None


class CachedPage(NamedTuple):
    """A page as it was answered at this time, in seconds since 1970."""

    made_at: float
    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def is_fresh(self) -> bool:
        return time.time() - self.made_at < SHOWN_FOR

    def response(self) -> HttpResponse:
        return HttpResponse(self.content, status=self.status, headers=self.headers)


KINDS = (
    CostlyPages(READS, re.compile(r"/verify/results/")),
    CostlyPages(READS, re.compile(r"/verify/."), cached=True),
    CostlyPages(("POST",), re.compile(r"/verify/")),
    CostlyPages(READS, re.compile(r"/register/"), cached=True, open_to_people=True),
    CostlyPages(READS, re.compile(r"/(?:in-force|games|sections|errors)/"), cached=True),
    CostlyPages(READS, re.compile(r"/errata/"), cached=True),
    CostlyPages(READS, re.compile(r"/open-data/"), cached=True, streams=True),
    CostlyPages(READS, re.compile(r"/search/export")),
    CostlyPages(READS, re.compile(r"/(?:search|rules)/"), open_to_people=True),
    CostlyPages(READS, re.compile(r"/submissions/[^/]+/(?:draft|papers)/")),
    CostlyPages(READS, re.compile(r"/tables/of/[^/]+/qr-codes")),
)
_all = BoundedSemaphore(THREADS - 1)
_waiting_slot = BoundedSemaphore()
_turns = Condition()
_sessions: set[str] = set()  # for each of which a list is made beyond the slots


class LoadLimits:
    """Django's middleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        kind = next((kind for kind in KINDS if kind.has(request)), None)
        if kind is None:
            return self.get_response(request)
        key = _key(request) if kind.cached and not request.COOKIES.keys() - COOKIES_OF_VISITORS else ""
        page: CachedPage | None = caches["pages"].get(key) if key else None
        if page and page.is_fresh:
            return page.response()
        if key and request.get_full_path() in ALWAYS_MADE:
            return _remember(key, self.get_response(request))
        is_open = kind.open_to_people and settings.SESSION_COOKIE_NAME in request.COOKIES
        with ExitStack() as slot:
            if slot.enter_context(_slot(kind, may_wait=not is_open)):
                response = _remember(key, self.get_response(request))
                if kind.streams and isinstance(response, StreamingHttpResponse):
                    content = cast(Iterator[bytes], response.streaming_content)  # nothing here is asynchronous
                    response.streaming_content = HeldStream(content, slot.pop_all().close)
                return response
        if is_open and _is_signed_in(request):
            with _turn(request.COOKIES[settings.SESSION_COOKIE_NAME]) as is_next:
                if is_next:
                    return self.get_response(request)
        return page.response() if page else busy_page()


class HeldStream:
    """Content that is sent, and that gives its slot back when it is closed, sent or not."""

    def __init__(self, content: Iterable[bytes], release: Callable[[], None]) -> None:
        self._content, self.close = iter(content), release

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        return next(self._content)


def busy_page() -> HttpResponse:
    """Return the refusal as a plain page."""
    return retry_later(HttpResponse(_busy_html()), Busy("portal-busy/pages", retry_after=RETRY_AFTER))


def _is_signed_in(request: HttpRequest) -> bool:
    """Return whether the cookie is that of a session in which someone signed in: a made-up one opens nothing."""
    store = import_module(settings.SESSION_ENGINE).SessionStore(request.COOKIES[settings.SESSION_COOKIE_NAME])
    return SESSION_KEY in store


@contextmanager
def _turn(session: str) -> Iterator[bool]:
    """Yield whether the person may have the list now: when their last one is made. One request may wait for that."""
    with _turns:
        is_next = session not in _sessions or _wait(
            lambda: _turns.wait_for(lambda: session not in _sessions, timeout=WAIT)
        )
        if is_next:
            _sessions.add(session)
    try:
        yield is_next
    finally:
        if is_next:
            with _turns:
                _sessions.discard(session)
                _turns.notify_all()


@contextmanager
def _slot(kind: CostlyPages, *, may_wait: bool) -> Iterator[bool]:
    """Yield whether the page may be made now."""
    if not _all.acquire(blocking=False):
        yield False
        return
    with ExitStack() as taken:
        taken.callback(_all.release)
        is_free = kind.slots.acquire(blocking=False)
        if not is_free and may_wait:
            is_free = _wait(lambda: kind.slots.acquire(timeout=WAIT))
        if is_free:
            taken.callback(kind.slots.release)
        yield is_free


def _wait(until: Callable[[], bool]) -> bool:
    """Return what `until` returns, if no other request waits; False otherwise."""
    if not _waiting_slot.acquire(blocking=False):
        return False
    try:
        return until()
    finally:
        _waiting_slot.release()


@cache
def _busy_html() -> str:
    return render_to_string("public/busy.html", {"refusal": Busy("portal-busy/pages", retry_after=RETRY_AFTER)})


def _key(request: HttpRequest) -> str:
    """Return the key of all that the answer to a visitor depends on."""
    parts = (request.method, request.scheme, request.META.get("HTTP_HOST"), request.META.get("HTTP_HX_REQUEST"))
    return sha256(" ".join(map(str, (*parts, request.get_full_path()))).encode()).hexdigest()


def _remember(key: str, response: HttpResponseBase) -> HttpResponseBase:
    """Return the response, which the next visitors get, too."""
    if key and isinstance(response, HttpResponse) and _is_for_all(response):
        page = CachedPage(time.time(), response.status_code, dict(response.headers), response.content)
        caches["pages"].set(key, page, SHOWN_FOR_IF_BUSY)
    return response


def _is_for_all(response: HttpResponse) -> bool:
    """Return whether it is a page without a cookie, and so without a form's secret, which no other visitor may get."""
    return not response.cookies and response.status_code in (200, 404) and len(response.content) <= LARGEST
