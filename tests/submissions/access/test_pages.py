"""Every page, for everyone: who gets it, who is sent to the sign-in, for whom there is nothing there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urlencode

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.db import transaction
from django.test import RequestFactory
from django.urls import URLResolver, get_resolver, reverse
from django.utils import timezone

from submissions.models import Person
from submissions.web import access_gate
from submissions.web.access_gate import is_open_to_visitors
from submissions.web.urls import ADDRESSES
from tests.cast import PASSWORD
from tests.submissions.access import readers
from tests.submissions.access.pages import ALL, BOARD, LAYOUT, MEMBERS, OF_ROWS, PAGES, PUBLIC, SUBMISSION, Page
from tests.submissions.access.sign_in_pages import OUTSIDE
from tests.submissions.access.world import World
from tests.submissions.web.clients import browser

FORM = "application/x-www-form-urlencoded"
ONE_OF_EACH = ("visitor", "manager", "west manager", "analyst")
SUBMISSIONS = ("{draft}", "{filed}", "{returned}", "{sandbox}")
LAYOUTS = ("{laid}", "{shown}", "{sandbox_layout}")
OF_ROLES = {  # refused by role, before the row is looked up
    "order-replace", "order-end", "job-run-again", "equal-filings", "invitation", "credential", "credential-action",
    "webhook", "webhook-action", "webhook-replay",
}  # fmt: skip


class Caller:
    """The browser of one reader. It keeps the statuses of answers, not the pages. `name`: as in `readers`."""

    def __init__(self, world: World, name: str, portal: WSGIHandler) -> None:
        self.portal = portal
        self.person = world.people[name]
        self.requests = RequestFactory()
        self.requests.cookies = browser(self.person if name != "visitor" else None).cookies

    def ask(self, method: str, address: str, form: Mapping[str, object]) -> tuple[int, str]:
        """Status and text of the answer; what was changed is undone."""
        sent = {**form, access_gate.FIELD: self.person.pk or ""} if method == "post" else {}
        request = self.requests.get(address)
        if method == "post":  # as browsers send a form without files
            request = self.requests.post(address, urlencode(sent), content_type=FORM)
        request._dont_enforce_csrf_checks = True
        with transaction.atomic():
            response = self.portal.get_response(request)
            transaction.set_rollback(True)
        is_text = response.status_code == 200 and not response.streaming
        return response.status_code, response.content.decode("latin-1") if is_text else ""


@pytest.fixture
def callers(world: World, settings: object) -> dict[str, Caller]:
    settings.ROOT_URLCONF = "tests.submissions.access.urls"
    portal = WSGIHandler()
    return {name: Caller(world, name, portal) for name in readers.PEOPLE}


def form(world: World, number: str) -> dict[str, object]:
    """Everything that a page asks for, of what has this number."""
    return {
        "version": world.version(number), "confirm_password": PASSWORD, "reason": "Because.", "attested": "yes",
        "text": "Why?", "audience": "licensee", "revision": 1, "configuration": 0, "option": "", "do": "answered",
        "name": "Pit 9", "tables": "99", "from_day": f"{timezone.localdate()}", "answer-adjacent_boxes": "1",
        "role": "reader", "number": "99", "chapter": "683a", "state": "open",
    }  # fmt: skip


def parts_of(page: Page, world: World) -> list[str]:
    return page[2].format(**world.arguments).split()


def expected(page: Page, name: str) -> int:
    named = next((status for status, who in page[3].items() if name in who), None)
    return named or (404 if name != "visitor" else 302 if page[1] == "get" else 401)


def readers_of(page: Page) -> Iterable[str]:
    """All, or one of each side where the reader does not matter: a public page, no such method, no such row."""
    to_members = {expected(page, name) for name in MEMBERS}
    return ONE_OF_EACH if page in PUBLIC + OUTSIDE or to_members in ({404}, {405}) else ALL


@pytest.mark.slow
def test_pages_answer_as_the_table_says(world: World, callers: dict[str, Caller]) -> None:
    found, wanted, sandbox = {}, {}, world.sandbox_words()
    for page in PAGES + OUTSIDE:
        parts = parts_of(page, world)
        sent = form(world, parts[0] if parts else "")
        for name in readers_of(page):
            key = *page[:3], name
            found[key], text = callers[name].ask(page[1], reverse(page[0], args=parts), sent)
            wanted[key] = expected(page, name)
            assert [word for word in sandbox if word in text] == [], key
    assert found == wanted


def variants() -> set[tuple[str, str]]:
    """Each address of a submission or a layout with each of them; every other address of a row as it is."""
    found = {}
    for page in OF_ROWS:
        first, *more = page[2].split()
        kinds = SUBMISSIONS if page in SUBMISSION else LAYOUTS if page in LAYOUT else (first,)
        found |= {(page[0], kind): " ".join([kind, *more]) for kind in kinds}
    return {(name, parts) for (name, _), parts in found.items() if name not in OF_ROLES}


def strangers(parts: str) -> set[str]:
    """For whom nothing is there: of a draft also for the Board, of a sandbox for everyone who signs in."""
    if "sandbox" in parts:
        return {"administrator", "manager", "analyst"}
    return readers.BOTH | (BOARD if parts.startswith(("{draft}", "{laid}")) else set())


def test_pages_of_others_are_not_there(world: World, callers: dict[str, Caller]) -> None:
    """Neither read nor sent to: who has a row at each casino acts for West, and a licensee has no workbench."""
    found = {}
    for name, parts in variants():
        given = parts.format(**world.arguments).split()
        address, sent = reverse(name, args=given), form(world, given[0])
        for who in strangers(parts):
            found[name, parts, who] = {callers[who].ask(method, address, sent)[0] for method in ("get", "post")}
    assert {key: statuses for key, statuses in found.items() if not {404} <= statuses <= {404, 405}} == {}


def test_searches_find_nothing_of_a_sandbox(world: World, callers: dict[str, Caller]) -> None:
    tried = reverse("submission", args=[world.arguments["sandbox"]])
    for name in MEMBERS:
        for query in ({"words": world.arguments["sandbox"]}, {"chapter": "682a"}):
            text = callers[name].ask("get", f"{reverse('search')}?{urlencode(query)}", {})[1]
            own = world.number("west filed" if name in readers.WEST else "east filed")
            assert (tried in text, own in text) == (False, "chapter" in query), name


def test_every_address_is_in_the_table() -> None:
    assert {name for name, *_ in PAGES} == {address.name for address in ADDRESSES}
    assert {name for name, *_ in PAGES + OUTSIDE} == set(names(get_resolver()))
    with_row = {one.name for one in ADDRESSES if "<" in one.route and not is_open_to_visitors(one.who)}
    of_everybody = {"start", "start-from", "chapter-decision", "equal-filings"}  # a chapter is nobody's
    assert with_row - of_everybody == {name for name, *_ in OF_ROWS}


def names(patterns: URLResolver) -> Iterator[str | None]:
    """Those of the API are walked in `tests/submissions/api/test_access.py`."""
    for one in patterns.url_patterns:
        if isinstance(one, URLResolver) and one.namespace == "api":
            continue
        yield from names(one) if isinstance(one, URLResolver) else [one.name]


def test_nobody_signs_up(world: World) -> None:
    form = {"email": "new@board.example.test", "password1": PASSWORD, "password2": PASSWORD}
    assert "By invitation only" in browser().post(reverse("account_signup"), form).content.decode()
    assert not Person.objects.filter(email=form["email"]).exists()


def test_sign_in_leads_back_to_the_page(world: World) -> None:
    address = reverse("checklist", args=[world.arguments["draft"]])
    assert browser().get(address)["Location"] == f"/accounts/login/?next={address}"


def test_nobody_signs_in_for_a_program(world: World) -> None:
    program, client = world.people["east test program"], browser()
    answer = client.post(reverse("account_login"), {"login": program.email, "password": ""})
    assert (answer.status_code, "_auth_user_id" in client.session) == (200, False)
    assert not program.has_usable_password()
