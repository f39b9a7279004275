"""Layout filings prepared by programs: started, drawn, inspected, marked; a person files them."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from submissions.layouts import layout_filings
from submissions.layouts.reference_drawing.drawing_sheet import layout_svg
from submissions.layouts.uploaded_drawings import subject_of
from submissions.models import (
    Event,
    Job,
    LayoutDrawing,
    LayoutFiling,
    LayoutInspection,
    LayoutMark,
    Organization,
    Person,
    Submission,
)
from tests.submissions import files
from tests.submissions.api.clients import made, system
from tests.submissions.api.test_problems import refused
from tests.submissions.api.uploading import SUBMISSIONS, form, post, raw
from tests.submissions.layout_rows import element, filed_rules, inspect, report

SVG = "image/svg+xml"
AREA = {"page": 1, "left": 0.1, "top": 0.1, "width": 0.2, "height": 0.1}


@pytest.fixture
def client(casino: Organization) -> Client:
    return system(made(casino, scopes=["read", "prepare", "file"]).token)


@pytest.fixture
def filed(manager: Person) -> Submission:
    return filed_rules(manager)


@pytest.fixture
def layout(client: Client, filed: Submission) -> str:
    """The address of a layout filing that a program started."""
    body = {"version": filed.version, "parts": ["layout", "sign"]}
    answer = post(client, f"{SUBMISSIONS}{filed.number}/layouts/", body)
    assert answer.status_code == 201, answer.content
    return f"/api/v1/layouts/{answer.json()['number']}/"


def svg() -> bytes:
    filing = LayoutFiling.objects.get()
    chapter, answers, _, _ = subject_of(filing)
    return layout_svg(chapter, answers, licensee=filing.organization.name, positions=filing.positions).encode()


def inspected(client: Client, address: str) -> Any:
    """The inspection, after the worker has done it."""
    inspect(LayoutDrawing.objects.latest("pk"))
    return client.get(f"{address}inspection/").json()


def test_program_prepares_and_a_person_files(
    client: Client, layout: str, filed: Submission, manager: Person, boards: Client
) -> None:
    received = client.get(layout).json()
    assert (received["status"], received["parts"], received["group"], received["version"]) == (
        "draft",
        ["layout", "sign"],
        0,
        1,
    )
    assert received["page"].endswith(f"/layouts/{received['number']}/")
    assert client.get(f"{layout}inspection/").json()["state"] == "no-drawing"
    drawn = raw(client, f"{layout}drawings/", svg(), SVG, name="felt.svg", version=1)
    assert drawn.status_code == 201, drawn.content
    drawing = drawn.json()
    waiting = client.get(f"{layout}inspection/").json()
    assert (waiting["state"], waiting["drawing"]["id"], waiting["complete"]) == ("inspecting", drawing["id"], None)
    found = inspected(client, layout)
    assert (found["state"], found["drawing"]["sha256"]) == ("inspected", drawing["sha256"])
    elements = {row["key"]: row for row in found["elements"]}
    assert {row["status"] for row in elements.values()} >= {"found"}
    key = next(iter(elements))
    mark = post(client, f"{layout}marks/", {"drawing": drawing["id"], "element": key, **AREA})
    assert mark.status_code == 201, mark.content
    assert client.get(f"{layout}marks/").json()["results"] == [mark.json()]
    (shown,) = [row for row in client.get(f"{layout}inspection/").json()["elements"] if row["key"] == key]
    assert shown["marks"] == [AREA]
    assert boards.get(layout).status_code == 404
    filing = LayoutFiling.objects.get()
    layout_filings.file_layout(manager, filing, version=filing.version, note="As the manufacturer drew it.")
    seen = boards.get(f"{layout}inspection/").json()
    assert [row["marks"] for row in seen["elements"] if row["key"] == key] == [[AREA]]
    assert (boards.get(f"{layout}marks/").json()["results"], client.get(f"{layout}marks/").json()["results"]) == (
        [],
        [],
    )
    verbs = Event.objects.filter(submission=filed).values_list("verb", "actor__is_system")
    assert {("layout-started", True), ("layout-drawn", True), ("layout-filed", False)} <= set(verbs)


@pytest.fixture
def boards(board: Organization) -> Client:
    return system(made(board, scopes=["read", "review"]).token)


def test_mark_is_removed(client: Client, layout: str) -> None:
    drawing = raw(client, f"{layout}drawings/", svg(), SVG, name="felt.svg", version=1).json()
    found = report(element("ante"))
    LayoutInspection.objects.create(drawing=LayoutDrawing.objects.get(), report=found, made_at=timezone.now())
    body = {"drawing": drawing["id"], "element": "ante", **AREA}
    first, second = (post(client, f"{layout}marks/", body).json() for _ in range(2))
    address = f"{layout}marks/{first['id']}/remove/"
    assert post(client, address, {"drawing": drawing["id"]}).json() == {"marks": [second]}
    refused(post(client, address, {"drawing": drawing["id"]}), 404, "not-found")
    refused(post(client, f"{layout}marks/", {**body, "element": "nothing"}), 400, "layout-element")
    refused(post(client, f"{layout}marks/", {**body, "left": 0.95}), 400, "layout-area")
    refused(post(client, f"{layout}marks/", {**body, "left": "0.1"}), 400, "field-shape")
    refused(post(client, f"{layout}marks/", {**body, "color": "red"}), 400, "unknown-field")
    refused(post(client, f"{layout}marks/", {"drawing": drawing["id"]}), 400, "field-missing")
    refused(post(client, f"{layout}marks/", [1]), 400, "body-shape")
    refused(post(client, f"{layout}marks/", {**body, "drawing": 999}), 404, "not-found")
    raw(client, f"{layout}drawings/", svg(), SVG, name="other.svg", version=1)
    refused(post(client, f"{layout}marks/", body), 409, "layout-replaced")
    assert LayoutMark.objects.count() == 1


def test_drawing_comes_as_a_form_too_and_only_once_for_a_key(client: Client, layout: str) -> None:
    key = {"Idempotency-Key": "drawing-1"}
    first, again = (
        form(client, f"{layout}drawings/", files.picture("PNG", (400, 300)), key, name="felt.png", version=1)
        for _ in range(2)
    )
    assert (first.status_code, again.status_code, again["Idempotency-Replayed"]) == (201, 201, "true"), first.content
    assert LayoutDrawing.objects.count() == Job.objects.filter(kind=Job.Kind.INSPECT).count() == 1
    assert client.get(first["Location"]).content == bytes(LayoutDrawing.objects.get().stored.content)


def test_reference_drawing_is_complete_and_follows_the_positions(client: Client, layout: str) -> None:
    drawing = post(client, f"{layout}reference-drawing/", {"version": 1})
    assert (drawing.status_code, drawing.json()["by_portal"]) == (201, True)
    assert inspected(client, layout)["complete"]
    assert post(client, f"{layout}positions/", {"version": 1, "positions": 3}).json()["positions"] == 3
    assert LayoutDrawing.objects.count() == 2
    again = post(client, f"{layout}inspect-again/", {"version": 1})
    assert (again.status_code, again.json()["sha256"]) == (201, drawing.json()["sha256"])
    refused(post(client, f"{layout}positions/", {"version": 1, "positions": 99}), 400, "layout-positions")
    refused(post(client, f"{layout}positions/", {"version": 2, "positions": 3}), 409, "changed-meanwhile")
    refused(post(client, f"{layout}inspect-again/", {"version": 2}), 409, "changed-meanwhile")
    refused(post(client, f"{layout}reference-drawing/", {"version": 2}), 409, "changed-meanwhile")


def test_drawing_is_refused_as_on_the_page(client: Client, layout: str) -> None:
    address = f"{layout}drawings/"
    script = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    given = {"name": "felt.svg", "version": 1}
    refused(raw(client, address, script, SVG, **given), 400, "layout-active-content")
    refused(raw(client, address, b"no drawing", SVG, **given), 400, "layout-damaged")
    refused(raw(client, address, files.pdf(), SVG, name="felt.pdf", version=1), 400, "attachment-kind")
    refused(raw(client, address, svg(), SVG, name="felt.svg", version=7), 409, "changed-meanwhile")
    refused(raw(client, address, svg(), "text/plain", **given), 415, "media-type")
    assert not LayoutDrawing.objects.exists()


def test_drawing_that_cannot_be_read_says_why(client: Client, layout: str) -> None:
    raw(client, f"{layout}drawings/", files.pdf(), "application/pdf", name="felt.pdf", version=1)
    why = {"refused": "layout-too-heavy", "message": "It takes too long.", "fix": "Simplify it."}
    LayoutInspection.objects.create(drawing=LayoutDrawing.objects.get(), made_at=timezone.now(), **why)
    received = client.get(f"{layout}inspection/").json()
    assert (received["state"], received["code"], received["message"], received["fix"]) == ("unreadable", *why.values())
    body = {"drawing": received["drawing"]["id"], "element": "anything", **AREA}
    refused(post(client, f"{layout}marks/", body), 400, "layout-too-heavy")


def test_start_is_refused_as_on_the_page(client: Client, layout: str, filed: Submission) -> None:
    address, body = f"{SUBMISSIONS}{filed.number}/layouts/", {"version": filed.version, "parts": ["sign"]}
    refused(post(client, address, body), 409, "layout-open")
    refused(post(client, address, {**body, "parts": []}), 400, "layout-parts")
    refused(post(client, address, {**body, "parts": ["felt"]}), 400, "layout-parts")
    refused(post(client, address, {**body, "group": 3}), 400, "layout-group-gone")
    refused(post(client, address, {**body, "version": 9}), 409, "changed-meanwhile")
    refused(post(client, address, {**body, "rules_on": "someday"}), 400, "no-date")
    assert LayoutFiling.objects.count() == 1


def test_program_of_another_licensee_or_without_the_scope_prepares_nothing(
    layout: str, filed: Submission, casino: Organization, other_casino: Organization, boards: Client
) -> None:
    others = system(made(other_casino, scopes=["read", "prepare"]).token)
    reading = system(made(casino).token)
    calls = {
        f"{SUBMISSIONS}{filed.number}/layouts/": {"version": filed.version, "parts": ["sign"]},
        f"{layout}reference-drawing/": {"version": 1}, f"{layout}inspect-again/": {"version": 1},
        f"{layout}positions/": {"version": 1, "positions": 3},
        f"{layout}marks/": {"drawing": 1, "element": "x", **AREA},
        f"{layout}marks/1/remove/": {"drawing": 1},
    }  # fmt: skip
    before = Event.objects.count()
    for address, body in calls.items():
        refused(post(others, address, body), 404, "not-found")
        for client in (reading, boards):
            refused(post(client, address, body), 403, "scope-missing")
    refused(raw(others, f"{layout}drawings/", svg(), SVG, name="felt.svg", version=1), 404, "not-found")
    assert Event.objects.count() == before
