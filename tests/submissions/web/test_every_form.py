"""Every form of the portal, sent empty or wrong by someone who may send it: the page has one summary of the errors,
with a link to a field of the page for each. Nothing that was entered is lost.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from submissions.models import Organization, Person
from tests.submissions.web.clients import browser
from tests.submissions.web.form_cases import CASES, Case, Desk

pytestmark = pytest.mark.django_db
TEMPLATES = Path(settings.BASE_DIR) / "templates"
SUMMARY = re.compile(r'<div [^>]*id="error-summary"[^>]*>.*?(?=</?main|<form|<section|<h1|<h2)', re.DOTALL)
ADDRESS_OF_FORM = re.compile(r"""(?:formaction|action)="{% url '([a-z-]+)'""")

# Addresses of forms without a field that could be wrong: a button, or choices of which each is right.
WITHOUT_ENTRIES = {
    "account_login", "account_logout",  # of the sign-in, which has tests of its own
    "amend", "batch-discard", "close-tour", "delete-draft", "end-session", "forget-filter", "group-remove", "home",
    "layout-inspect", "layout-unmark", "property-switch", "rulemaking-change-remove", "rulemaking-trial",
    "stand-in-end", "start", "webhook-replay",
    "changed-rules", "changes", "in-force", "in-force-game", "in-force-tables", "layout-compare", "register", "round",
    "submission", "layout",  # pages whose forms send to another address
    "par",  # a GET; `test_par_sheets` enters what cannot be
    "clear-answer", "clear-answers", "reset-line", "resolve-clash",  # buttons of the checklist
    "copy", "layout-judge",  # choices with one chosen; judgments of which each has its own text
    "orders", "search", "security-log", "workload",  # the filters below
}  # fmt: skip


@pytest.fixture
def desk(
    manager: Person, preparer: Person, analyst: Person, director: Person, stranger: Person, board: Organization
) -> Desk:
    people = {"manager": manager, "preparer": preparer, "analyst": analyst, "director": director, "stranger": stranger}
    return Desk(people)


FILTERS = (
    ("board queue", "analyst", "/?chapter=600a&by=size", ("chapter",)),
    ("search", "manager", "/search/?status=lost&filed_from=soon", ("status", "filed_from")),
    ("orders", "analyst", "/orders/?licensee=nowhere&state=lost", ("licensee", "state")),
    ("workload", "analyst", "/workload/?first=soon", ("first",)),
    ("security log", "director", "/security-log/?first=soon", ("first",)),
)


def _links(html: str) -> list[str]:
    summary = re.search(r'<div [^>]*id="error-summary".*?<div class="usa-alert__body">.*?</div>(?:<ul.*?</ul>)?', html)
    assert summary, re.findall(r"<h1[^>]*>.*?</h1>", html)
    assert ' tabindex="-1"' in summary[0]
    assert " autofocus" in summary[0]
    targets = re.findall(r'<li><a href="#([^"]+)"', summary[0])
    assert [target for target in targets if f'id="{target}"' not in html] == []
    return targets


@pytest.mark.parametrize("case", CASES, ids=str)
def test_form_that_is_refused_leads_to_each_field(desk: Desk, case: Case) -> None:
    person, address, sent = case.sent(desk)
    response = (browser(person, confirmed=False) if person else Client()).post(address, sent)
    assert 400 <= response.status_code < 500
    html = response.content.decode()
    targets = _links(html)
    assert len(targets) == len(case.fields), targets
    for target, expected in zip(targets, case.fields, strict=True):
        assert re.fullmatch(expected, target), targets
    assert case.entered in html


@pytest.mark.parametrize(("name", "who", "address", "fields"), FILTERS)
def test_filter_that_is_not_understood_leads_to_each_field(
    desk: Desk, name: str, who: str, address: str, fields: tuple[str, ...]
) -> None:
    response = browser(desk.administrator(who)).get(address)
    assert response.status_code == 400
    assert _links(response.content.decode()) == list(fields)


def test_each_form_of_the_templates_is_among_the_cases() -> None:
    named = {name for path in TEMPLATES.rglob("*.html") for name in ADDRESS_OF_FORM.findall(path.read_text())}
    assert named - {case.name for case in CASES} - WITHOUT_ENTRIES == set()
