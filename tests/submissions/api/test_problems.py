"""Every error is answered as problem details, with a code that is in the catalog."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from submissions.api.framework.authentication import RequestThrottle
from submissions.core import append_only
from submissions.core.errors import FILE, error_codes
from submissions.core.parameters import unknown_choice
from submissions.models import Organization, Person, Revision
from tests.submissions.api.clients import made, system
from tests.submissions.filing_rows import filing

SOURCES = FILE.parents[1]
REFUSING = {"Refusal", "Forbidden", "Conflict", "Unrecognised", "Unacceptable", "NotThere", "Over", "TooMany"}
REFUSING |= {"Unconfirmed", "_refusal", "_no", "Verdict"}
KINDS = ("assignee", "game", "kind", "licensee", "open", "order", "party", "standing", "state")
COMPUTED = {f"unknown-{what}" for what in KINDS}


@pytest.fixture
def client(casino: Organization) -> Client:
    return system(made(casino).token)


def refused(answer: Any, status: int, code: str) -> dict[str, Any]:
    problem: dict[str, Any] = answer.json()
    assert (answer.status_code, problem["status"], problem["code"]) == (status, status, code)
    assert answer["Content-Type"].startswith("application/problem+json")
    assert problem["type"].endswith(f"/api/v1/errors/{code}/")
    assert problem["title"] == error_codes()[code].title
    assert problem["detail"]
    assert problem["fix"]
    return problem


@pytest.mark.parametrize(
    ("address", "status", "code"),
    [
        ("/api/v1/nothing/", 404, "not-found"),
        ("/api/v1/register", 404, "not-found"),
        ("/api/v1/chapters/999/", 404, "not-found"),
        ("/api/v1/chapters/687a/?on=yesterday", 400, "no-date"),
        ("/api/v1/errors/none/", 404, "not-found"),
        ("/api/v1/submissions/RS-2026-99999/", 404, "not-found"),
        ("/api/v1/submissions/?status=lost", 400, "unknown-state"),
        ("/api/v1/submissions/?licensee=west", 400, "unknown-licensee"),
        ("/api/v1/submissions/?option=adjacent_boxes", 400, "game-missing"),
        ("/api/v1/submissions/?page=2", 400, "unknown-parameter"),
        ("/api/v1/submissions/?chapter=585&chapter=687a", 400, "parameter-twice"),
        ("/api/v1/submissions/?status=draft&status=", 400, "parameter-empty"),
        (f"/api/v1/submissions/?words={'a' * 4000}", 414, "address-too-long"),
        ("/api/v1/submissions/?fields=number,secret", 400, "unknown-field"),
        ("/api/v1/submissions/?status=%20", 400, "parameter-empty"),
        ("/api/v1/submissions/?limit=0", 400, "unknown-limit"),
        ("/api/v1/submissions/?limit=1e3", 400, "unknown-limit"),
        ("/api/v1/submissions/?cursor=abc", 400, "no-such-cursor"),
        ("/api/v1/submissions/?cursor=%D9%A3", 400, "no-such-cursor"),
        ("/api/v1/submissions/?words=%00", 400, "control-characters"),
        ("/api/v1/register/?standing=lost", 400, "unknown-standing"),
        ("/api/v1/register/?format=json", 400, "unknown-parameter"),
        ("/api/v1/in-force/?on=1926-01-01", 400, "no-date"),
        ("/api/v1/in-force/east/687a/", 404, "not-found"),
        ("/api/v1/layouts/?status=lost", 400, "unknown-state"),
    ],
)
def test_reading_amiss_is_answered(client: Client, address: str, status: int, code: str) -> None:
    refused(client.get(address), status, code)


def test_unknown_field_lists_those_that_there_are(client: Client) -> None:
    problem = refused(client.get("/api/v1/chapters/?fields=nummer"), 400, "unknown-field")
    assert problem["fix"] == "Choose from: number, title, status, complete, digest."


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "body-shape"), (b"{", "unreadable-json"), (b'{"answers": {}, "answers": {}}', "unreadable-json"),
        (b'{"answers": {"x": NaN}}', "unreadable-json"), (b'{"answers": {"x": 1e999}}', "unreadable-json"),
        (b'{"answers": {"x": "\\ud800"}}', "unreadable-json"), (b"\xff\xfe", "unreadable-json"),
        (b"[" * 100_000, "unreadable-json"), (b"[]", "body-shape"), (b'{"answers": []}', "body-shape"),
        (b'{"answers": {}, "file": true}', "body-shape"),
        (b'{"answers": {"x": ' + b"9" * 5000 + b"}}", "unreadable-json"),
        (json.dumps({"answers": dict.fromkeys(map(str, range(1_001)))}).encode(), "body-shape"),
    ],
)  # fmt: skip
def test_body_that_cannot_be_read_is_answered(client: Client, body: bytes, code: str) -> None:
    refused(client.generic("POST", "/api/v1/chapters/585/judge/", body, "application/json"), 400, code)


def test_media_types_and_sizes_are_told(client: Client, settings: Any) -> None:
    judge = "/api/v1/chapters/585/judge/"
    refused(client.post(judge, {"answers": "{}"}), 415, "media-type")
    refused(client.get("/api/v1/register/", headers={"Accept": "text/html"}), 406, "not-acceptable")
    refused(client.delete("/api/v1/register/"), 405, "method-not-allowed")
    pieces = {"Transfer-Encoding": "chunked"}  # then the server says no length
    refused(client.generic("POST", judge, b"", "application/json", headers=pieces), 411, "length-missing")
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    refused(client.post(judge, {"answers": {"x": "y" * 100}}, content_type="application/json"), 413, "body-too-large")


def test_where_something_else_is_served_a_problem_is_json(client: Client) -> None:
    """The description of the API is YAML."""
    schema = reverse("api:schema")
    refused(client.get(schema, headers={"Accept": "text/html"}), 406, "not-acceptable")
    refused(client.put(schema), 405, "method-not-allowed")


def test_who_is_not_known_is_asked_for_a_credential(casino: Organization) -> None:
    address = reverse("api:submissions")
    answer = system().get(address)
    refused(answer, 401, "credential-missing")
    assert answer["WWW-Authenticate"] == 'Bearer realm="Rules Submission Portal"'
    answer = Client(headers={"Authorization": "Basic dXNlcjpwYXNz"}).get(address)
    refused(answer, 401, "credential-unreadable")
    assert answer["WWW-Authenticate"].endswith('error="invalid_token"')
    elsewhere = made(casino, networks=["192.0.2.0/24"]).token
    refused(system(elsewhere).get(address), 401, "credential-elsewhere")
    assert system(elsewhere, REMOTE_ADDR="192.0.2.9").get(address).status_code == 200


def test_too_many_requests_are_told(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RequestThrottle.THROTTLE_RATES, "credential", "2/minute")
    monkeypatch.setattr(RequestThrottle, "timer", lambda _: 0.0)  # all within one minute
    answers = [client.get("/api/v1/layouts/") for _ in range(3)]
    left = [answer["RateLimit"].split(";t=")[0] for answer in answers]
    assert left == ['"minute";r=1', '"minute";r=0', '"minute";r=0']
    assert answers[0]["RateLimit-Policy"] == '"minute";q=2;w=60'
    refused(answers[2], 429, "too-many-requests")
    assert 1 <= int(answers[2]["Retry-After"]) <= 60


def test_fault_of_ours_tells_nothing_but_is_logged(
    client: Client, manager: Person, caplog: pytest.LogCaptureFixture
) -> None:
    """A filing whose snapshot is no JSON: the reader hears that it is our fault, the log why."""
    revision = filing(manager)
    append_only.drop(connection)
    Revision.objects.update(snapshot="{")
    append_only.create(connection)
    address = reverse("api:configurations", args=[revision.submission.number])
    problem = refused(client.get(address), 500, "our-fault")
    assert "JSON" not in problem["detail"]
    assert "JSONDecodeError" in caplog.text


def literal_codes() -> Iterator[str]:
    """Every code that some module of the portal refuses with."""
    for path in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and called(node) in REFUSING:
                texts = (str(one.value).partition("/")[0] for one in node.args[:3] if isinstance(one, ast.Constant))
                yield from filter(is_code, texts)  # `code/case` where a code has several texts


def called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def is_code(text: object) -> bool:
    return (
        isinstance(text, str)
        and "-" in text
        and text == text.lower()
        and not set(text) - set("abcdefghijklmnopqrstuvwxyz-")
    )


def test_catalogue_has_every_code_and_its_remedy() -> None:
    """A new code must be in `submissions/core/error_codes.toml`."""
    assert (set(literal_codes()) | COMPUTED) - set(error_codes()) == set()
    assert [one.code for one in error_codes().values() if not (one.title and one.fix.endswith("."))] == []


def test_catalogue_has_no_code_that_nothing_refuses_with() -> None:
    written = "".join(path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py"))
    unused = {code for code in error_codes() if f'"{code}"' not in written and f'"{code}/' not in written}
    assert unused - COMPUTED == set()


def test_searches_refuse_with_codes_of_the_catalogue() -> None:
    assert {unknown_choice("lost", (), kind).code for kind in KINDS} == COMPUTED


def test_remedy_is_one_that_this_caller_can_follow(casino: Organization, board: Organization) -> None:
    """A licensee's page offers no scope of the Board, and the Board's none of a licensee."""
    calls = {casino: ("submissions/RS-2026-00001/recommend/", "the Board"), board: ("submissions/", "licensees")}
    for organization, (path, owner) in calls.items():
        scopes = ["read"] if organization == board else ["read", "prepare"]
        client = system(made(organization, scopes=scopes).token)
        problem = refused(client.post(f"/api/v1/{path}", {}, content_type="application/json"), 403, "scope-missing")
        assert owner in problem["detail"]
        assert "administrator" not in problem["fix"]


def test_address_without_its_slash_is_named_with_it(client: Client) -> None:
    assert refused(client.get("/api/v1/register"), 404, "not-found")["fix"] == "Call /api/v1/register/."
    assert "/api/v1/schema/" in refused(client.get("/api/v1/registry"), 404, "not-found")["fix"]


def test_parameter_of_spreadsheets_is_in_the_body_of_json(casino: Organization) -> None:
    client = system(made(casino, scopes=["prepare"]).token)
    body = {"mode": "validate", "items": [{"action": "create", "chapter": "687a"}]}
    headers = {"Idempotency-Key": "one"}
    answer = client.post("/api/v1/bulk/?all_or_nothing=true", body, content_type="application/json", headers=headers)
    assert "in the body" in refused(answer, 400, "unknown-parameter")["fix"]


def test_number_that_was_sent_as_text_is_named_as_text(client: Client) -> None:
    body = {"answers": {"adjacent_boxes_allowed": True, "adjacent_boxes": "3"}}
    answer = client.post("/api/v1/chapters/687a/judge/", body, content_type="application/json").json()
    (finding,) = (each for each in answer["findings"] if each["rule"] == "687a.wrong-type")
    assert "the text “3”" in finding["message"]
    assert "without quotation marks" in finding["fix"]
