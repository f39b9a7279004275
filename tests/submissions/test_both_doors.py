"""What is wrong is refused with one code at both doors: the form of a page, and the address of the API."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from submissions.core.errors import SHOWN_REFUSAL
from submissions.filings import table_groups
from submissions.filings.table_groups import GroupDescription
from submissions.layouts import layout_filings
from submissions.models import Event, LayoutDrawing, LayoutFiling, LayoutInspection, Organization, Person, TableEntry
from tests.submissions import files
from tests.submissions.api.clients import administrator, made, system
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.layout_rows import element, filed_rules, report
from tests.submissions.web.clients import browser

API = "/api/v1/"
Entered = dict[str, Any]
Faults = list[tuple[str, Any, str]]  # which member, what is entered there, the code of the refusal
LONG = "x" * 10_001
TODAY = timezone.localdate


@pytest.fixture
def program(casino: Organization) -> Client:
    return system(made(casino, scopes=["read", "prepare", "file"]).token)


def codes(page: Client, form: str, entered: Entered, program: Client, address: str, sent: Entered) -> tuple[str, str]:
    """The code of the refusal that the page shows, and of that which the program gets; "" where nothing is refused."""
    shown = page.post(form, entered).wsgi_request.META.get(SHOWN_REFUSAL, "")
    answer = program.post(address, sent, content_type="application/json").json()
    return shown, answer.get("code", "")


def test_webhook(casino: Organization, program: Client) -> None:
    page, right = browser(administrator(casino)), {"url": "https://hooks.example.test/in", "verbs": ["filed"]}
    faults: Faults = [
        ("url", "", "webhook-address"),
        ("url", "http://hooks.example.test/in", "webhook-address"),
        ("url", "https://name:word@hooks.example.test/in", "webhook-address"),
        ("url", f"https://hooks.example.test/{'x' * 500}", "webhook-address"),
        ("url", "hooks", "webhook-address"),
        ("url", "https://10.1.2.3/in", "webhook-private"),
        ("verbs", ["filed", "lost"], "unknown-verb"),
    ]
    other = []
    for member, value, code in faults:
        sent = {**right, member: value}
        found = codes(page, reverse("webhooks"), {**sent, "reach": "live"}, program, f"{API}webhooks/", sent)
        other += [(member, value, *found)] if found != (code, code) else []
    assert other == []


def test_table(manager: Person, program: Client) -> None:
    page, right = browser(manager), {"number": "12", "game": "683a", "pit": "2"}
    faults: Faults = [
        ("number", "", "table-row"),
        ("number", "1-3", "table-row"),
        ("number", "1" * 40, "table-row"),
        ("game", "chess", "table-row"),
        ("game", "", "table-row"),
        ("pit", "x" * 81, "table-row"),
        ("pit", "\x07", "control-characters"),
        ("from_day", (TODAY() - timedelta(days=1)).isoformat(), "table-day"),
        ("from_day", (TODAY() + timedelta(days=4000)).isoformat(), "table-day"),
        ("from_day", "1926-01-01", "no-date"),
        ("from_day", "someday", "no-date"),
    ]
    other = []
    for member, value, code in faults:
        entered = {"from_day": TODAY().isoformat(), **right, member: value}
        sent = {"from_day": entered["from_day"], "tables": [{name: entered[name] for name in right}]}
        entered |= {"chapter": entered["game"], "state": "open", "seen": "0"}
        found = codes(page, reverse("table-change"), entered, program, f"{API}tables/", sent)
        other += [(member, value, *found)] if found != (code, code) else []
    assert other == []
    assert not TableEntry.objects.exists()


def test_table_group(manager: Person, program: Client) -> None:
    draft, page = ready_to_file(manager, "687a"), browser(manager)
    table_groups.add_group(manager, draft, GroupDescription("Main floor", "1-6", ""))
    draft.refresh_from_db()
    right = {"name": "High limit", "tables": "7-9", "pit": "2"}
    faults: Faults = [
        ("name", "x" * 81, "group-name-too-long"),
        ("name", "Main floor", "group-name-taken"),
        ("name", "\x07", "control-characters"),
        ("tables", "three to nine", "group-tables-unreadable"),
        ("tables", "9-7", "group-tables-unreadable"),
        ("tables", "6, 7", "table-in-two-groups"),
        ("pit", "x" * 81, "group-pit-too-long"),
    ]
    other = []
    for member, value, code in faults:
        entered = {**right, member: value}
        sent = {**entered, "version": draft.version}
        address = f"{API}submissions/{draft.number}/add-group/"
        found = codes(page, reverse("groups", args=[draft.number]), entered, program, address, sent)
        other += [(member, value, *found)] if found != (code, code) else []
    assert other == []
    assert draft.configurations.count() == 2


def test_comment(board: Organization, manager: Person, analyst: Person) -> None:
    filed, page = filed_rules(manager), browser(analyst)
    program = system(made(board, scopes=["read", "review"]).token)
    right = {"revision": 1, "audience": "licensee", "option": "", "text": "At which tables?"}
    faults: Faults = [
        ("text", "  ", "remark-empty"),
        ("text", LONG, "text-too-long"),
        ("text", "\x07", "control-characters"),
        ("revision", 7, "filed-anew"),
    ]
    before = Event.objects.count()
    other = []
    for member, value, code in faults:
        entered = {**right, member: value}
        address = f"{API}submissions/{filed.number}/remark/"
        sent = {**entered, "version": filed.version}
        found = codes(page, reverse("remark", args=[filed.number]), entered, program, address, sent)
        other += [(member, value, *found)] if found != (code, code) else []
    assert other == []
    assert Event.objects.count() == before


def test_layout_filing(manager: Person, program: Client) -> None:
    filed, page = filed_rules(manager), browser(manager)
    faults: Faults = [
        ("parts", [], "layout-parts"),
        ("parts", ["drawing"], "layout-parts"),
        ("rules_on", "someday", "no-date"),
        ("rules_on", "1926-01-01", "no-date"),
    ]
    other = []
    for member, value, code in faults:
        sent = {"parts": ["layout"], "rules_on": TODAY().isoformat(), member: value}
        entered = {"part": sent["parts"], "rules_on": sent["rules_on"]}
        address, form = f"{API}submissions/{filed.number}/layouts/", reverse("layout-start", args=[filed.number, 0])
        found = codes(page, form, entered, program, address, {**sent, "version": filed.version})
        other += [(member, value, *found)] if found != (code, code) else []
    assert other == []
    assert not LayoutFiling.objects.exists()


@pytest.fixture
def drawing(manager: Person) -> LayoutDrawing:
    """The drawing of a layout filing, inspected."""
    filing = layout_filings.start_layout_filing(manager, filed_rules(manager), 0, ["layout"])
    answer = browser(manager).post(reverse("layout-upload", args=[filing.number]), {"reference": "1"})
    assert answer.status_code == 302
    drawing = LayoutDrawing.objects.get()
    LayoutInspection.objects.create(drawing=drawing, report=report(element("ante")), made_at=timezone.now())
    return drawing


def test_mark(manager: Person, program: Client, drawing: LayoutDrawing) -> None:
    number, page = drawing.filing.number, browser(manager)
    right = {"element": "ante", "page": 1, "left": 0.1, "top": 0.1, "width": 0.2, "height": 0.1}
    faults: Faults = [
        ("element", "nothing", "layout-element"),
        ("element", "", "layout-element"),
        ("page", 0, "layout-area"),
        ("page", 9, "layout-area"),
        ("left", 0.95, "layout-area"),
        ("left", -0.5, "layout-area"),
        ("height", 0, "layout-area"),
        ("width", 2, "layout-area"),
    ]
    other = []
    for member, value, code in faults:
        sent = {"drawing": drawing.pk, **right, member: value}
        percents = {name: 100 * sent[name] for name in ("left", "top", "width", "height")}
        form, address = reverse("layout-mark", args=[number]), f"{API}layouts/{number}/marks/"
        found = codes(page, form, {**sent, **percents}, program, address, sent)
        other += [(member, value, *found)] if found != (code, code) else []
    assert other == []
    assert not drawing.marks.exists()


def test_positions(manager: Person, program: Client, drawing: LayoutDrawing) -> None:
    filing, page = drawing.filing, browser(manager)
    form, address = (reverse("layout-positions", args=[filing.number]), f"{API}layouts/{filing.number}/positions/")
    for positions in (0, 99):
        sent = {"positions": positions, "version": LayoutFiling.objects.get().version}
        found = codes(page, form, sent, program, address, sent)
        assert (positions, *found) == (positions, "layout-positions", "layout-positions")


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("felt.pdf", files.pdf_with_javascript(), "layout-active-content"),
        ("felt.pdf", b"%PDF-1.7 nothing", "layout-damaged"),
        ("felt.pdf", b"", "attachment-empty"),
        ("felt.exe", files.pdf(), "layout-kind"),
        ("felt.pdf", files.picture("PNG"), "layout-kind"),
    ],
    ids=range(5),
)
def test_drawing(
    manager: Person, program: Client, drawing: LayoutDrawing, name: str, content: bytes, code: str
) -> None:
    number = drawing.filing.number
    sent = {"drawing": SimpleUploadedFile(name, content)}
    shown = browser(manager).post(reverse("layout-upload", args=[number]), sent).wsgi_request.META[SHOWN_REFUSAL]
    query = urlencode({"name": name, "version": LayoutFiling.objects.get().version})
    answer = program.generic("POST", f"{API}layouts/{number}/drawings/?{query}", content, "application/pdf").json()
    assert (shown, answer["code"]) == (code, code)
    assert LayoutDrawing.objects.count() == 1
