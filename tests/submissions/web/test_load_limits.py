"""Costly pages: few at a time, refused before anything is read, and for visitors from a cache of some seconds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Event, Thread

import pytest
import time_machine
from django.core.cache import caches
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from submissions.models import Organization, Person
from submissions.web import load_limits
from submissions.web.load_limits import LoadLimits
from tests.submissions.web.clients import browser

pytestmark = pytest.mark.django_db
PAGES = "/in-force/?on=2025-03-01"


@pytest.fixture(autouse=True)
def _cache(settings: Settings) -> None:
    backend = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "pages of these tests"}
    settings.CACHES = settings.CACHES | {"pages": backend}
    caches["pages"].clear()


@contextmanager
def all_threads_busy() -> Iterator[None]:
    with ExitStack() as stack:
        for _ in range(load_limits.THREADS - 1):
            stack.enter_context(load_limits._all)
        yield


@pytest.mark.parametrize(
    "address", [PAGES, "/verify/" + "0" * 64, "/search/export.csv", "/games/687a/", "/submissions/RS-2026-00001/draft/"]
)
def test_costly_page_is_refused_before_anything_is_read(manager: Person, address: str) -> None:
    client = browser(manager)
    with all_threads_busy(), CaptureQueriesContext(connection) as asked:
        refused = client.get(address)
    assert (refused.status_code, refused["Retry-After"], len(asked)) == (503, "2", 0)
    assert "<h1>Try again later</h1>" in refused.content.decode()


@pytest.mark.parametrize("address", ["/register/?page=2", "/search/?words=casino", "/rules/changes/"])
def test_list_is_refused_to_visitors_and_not_to_who_is_signed_in(manager: Person, client: Client, address: str) -> None:
    client.cookies["sessionid"] = "made-up-" + "0" * 24
    with all_threads_busy():
        assert browser(manager).get(address).status_code == 200
        assert client.get(address).status_code == 503
        assert Client().get(address).status_code == 503


def test_person_gets_one_list_at_a_time_beyond_the_slots() -> None:
    """The next one waits for it, a third is refused at once. Another person's is made."""
    waited = []

    def wait() -> None:
        with load_limits._turn("one") as is_next:
            waited.append(is_next)

    with load_limits._turn("one") as first, load_limits._turn("another") as second:
        thread = Thread(target=wait)
        thread.start()
        while load_limits._waiting_slot._value:  # until it waits
            pass
        with load_limits._turn("one") as third:
            pass
    thread.join()
    assert (first, second, third, waited) == (True, True, False, [True])
    assert load_limits._sessions == set()


def test_upload_to_verify_is_refused_before_it_is_read(client: Client) -> None:
    with all_threads_busy():
        assert client.post("/verify/", {"document": ""}).status_code == 503


def test_pages_that_are_the_same_for_all_visitors_are_never_refused_to_them(client: Client) -> None:
    with all_threads_busy():
        for address in load_limits.ALWAYS_MADE:
            assert client.get(address).status_code == 200
        assert client.get("/register/?page=2").status_code == 503


@pytest.mark.parametrize("address", ["/", "/accounts/login/", "/verify/", "/people/", "/notices/"])
def test_other_pages_are_answered_then(manager: Person, client: Client, address: str) -> None:
    with all_threads_busy():
        assert browser(manager).get(address, follow=True).status_code == 200
        assert client.get(address, follow=True).status_code == 200


def test_one_request_waits_and_the_next_is_refused() -> None:
    """Three requests of one kind: one is made, one waits for it, one is refused at once."""
    made, finish = Event(), Event()

    def make(_: HttpRequest) -> HttpResponse:
        made.set()
        assert finish.wait(10)
        return HttpResponse("made")

    limits, factory, statuses = LoadLimits(make), RequestFactory(), []
    threads = [
        Thread(target=lambda: statuses.append(limits(factory.get("/verify/results/1")).status_code)) for _ in range(2)
    ]
    threads[0].start()
    assert made.wait(10)
    threads[1].start()
    while load_limits._waiting_slot._value:  # until the second waits
        pass
    assert limits(factory.get("/verify/results/1")).status_code == 503
    finish.set()
    for thread in threads:
        thread.join()
    assert statuses == [200, 200]


def test_slots_are_free_after_a_page_that_failed() -> None:
    def fail(_: HttpRequest) -> HttpResponse:
        raise ValueError

    for _ in range(load_limits.THREADS):
        with pytest.raises(ValueError):  # noqa: PT011  any error of a page
            LoadLimits(fail)(RequestFactory().get("/verify/results/1"))
    assert LoadLimits(lambda _: HttpResponse())(RequestFactory().get("/verify/results/1")).status_code == 200


def test_visitors_get_the_page_of_ten_seconds_ago(client: Client, casino: Organization) -> None:
    with time_machine.travel(0, tick=False) as clock:
        first = client.get(PAGES)
        with CaptureQueriesContext(connection) as asked:
            again = client.get(PAGES)
        assert first.headers.pop("X-Request-ID") != again.headers.pop("X-Request-ID")
        assert (again.content, again.headers, len(asked)) == (first.content, first.headers, 0)
        assert client.get("/in-force/?on=2025-03-03").content != first.content
        clock.shift(load_limits.SHOWN_FOR + 1)
        with CaptureQueriesContext(connection) as asked:
            client.get(PAGES)
        assert len(asked) > 0


def test_older_page_is_shown_rather_than_a_refusal(client: Client) -> None:
    with time_machine.travel(0, tick=False) as clock:
        first = client.get(PAGES)
        clock.shift(load_limits.SHOWN_FOR + 1)
        with all_threads_busy():
            assert client.get(PAGES).content == first.content
        clock.shift(load_limits.SHOWN_FOR_IF_BUSY)
        with all_threads_busy():
            assert client.get(PAGES).status_code == 503


def test_page_of_a_person_is_neither_stored_nor_shown_to_others(client: Client, manager: Person) -> None:
    own = browser(manager).get(PAGES)
    assert manager.name in own.content.decode()
    visitor = client.get(PAGES)
    assert manager.name not in visitor.content.decode()
    assert manager.name in browser(manager).get(PAGES).content.decode()


def test_page_with_a_cookie_is_not_stored() -> None:
    def page(_: HttpRequest) -> HttpResponse:
        response = HttpResponse("secret")
        response.set_cookie("csrftoken", "secret")
        return response

    LoadLimits(page)(RequestFactory().get(PAGES))
    assert LoadLimits(lambda _: HttpResponse("own"))(RequestFactory().get(PAGES)).content == b"own"


def test_full_cache_loses_pages_and_no_other_cache_anything(client: Client, settings: Settings) -> None:
    settings.CACHES = settings.CACHES | {
        "pages": settings.CACHES["pages"] | {"OPTIONS": {"MAX_ENTRIES": 5}, "LOCATION": "small"}
    }
    caches["default"].set("counter", 7, timeout=300)
    for number in range(20):
        assert client.get(f"/in-force/?on=2025-04-{number + 1:02}").status_code == 200
    assert len(caches["pages"]._cache) <= 5
    assert caches["default"].get("counter") == 7
