"""HTTP as RFC 9110 has it: OPTIONS, HEAD, preconditions, lists in parameters, compression, calls from browsers."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from submissions.filings import drafts
from submissions.models import LayoutStatus, Organization, Person, Status, Submission, Webhook
from tests.submissions import filing_rows
from tests.submissions.api.addresses import ADDRESSES, ARGUMENTS
from tests.submissions.api.clients import made, system
from tests.submissions.api.test_problems import refused
from tests.submissions.api.world import build

ROWS = "/api/v1/submissions/"
ELSEWHERE = "https://elsewhere.example.test"


@pytest.fixture
def client(casino: Organization) -> Client:
    return system(made(casino, scopes=["read", "prepare"]).token)


def post(client: Client, address: str, body: Any, **headers: str) -> Any:
    return client.post(address, json.dumps(body), content_type="application/json", headers=headers)


def numbers(answer: Any) -> list[str]:
    return [row["number"] for row in answer.json()["results"]]


@pytest.mark.django_db
@pytest.mark.parametrize("credential", ["", "unknown"])
def test_options_says_what_each_address_allows(credential: str) -> None:
    """Nobody needs a key to ask; an address that does not exist allows nothing."""
    paths = {name: address(name) for _, _, name in ADDRESSES} | {"schema": reverse("api:schema")}
    client = system()
    for name, path in paths.items():
        answer = client.options(path, headers={"X-Nothing": credential} if credential else {})
        assert (answer.status_code, answer.content) == (204, b""), name
        allowed = set(answer["Allow"].split(", "))
        assert allowed == {"OPTIONS", *offered(name)}, name
    nowhere = client.options("/api/v1/nothing/")
    refused(nowhere, 404, "not-found")
    assert "Allow" not in nowhere


def address(name: str) -> str:
    given = {"int:pk": "1", "slug:number": "687a", "int:place": "1", "slug:key": "1", "slug:licensee": "east"}
    given |= {"slug:chapter": "687a", "slug:sha256": "1", "slug:code": "not-found"}
    (route,) = (route for route, _, each in ADDRESSES if each == name)
    for part, text in given.items():
        route = route.replace(f"<{part}>", text)
    assert "<" not in route
    return f"/api/v1/{route}"


def offered(name: str) -> set[str]:
    """The methods that the address has by its view."""
    if name == "schema":
        return {"GET", "HEAD"}
    (view,) = (view for _, view, each in ADDRESSES if each == name)
    methods = {method.upper() for method in ("get", "post", "put", "delete") if hasattr(view, method)}
    return methods | ({"HEAD"} if "GET" in methods else set())


def test_head_has_the_headers_of_get(client: Client, manager: Person, analyst: Person) -> None:
    world = build(manager, analyst)
    for name, arguments in ARGUMENTS.items():
        path = reverse(f"api:{name}", args=arguments.format(**world.arguments).split())
        if name in ("judge", "status"):
            continue  # there is nothing to read; it says what time it is
        get, head = client.get(path), client.head(path)
        assert (head.status_code, head.getvalue()) == (200, b""), name
        assert head.headers.get("ETag") == get.headers.get("ETag"), name
        assert head["Content-Type"] == get["Content-Type"], name


@pytest.mark.parametrize(("method", "accept", "status"), [("PUT", "*/*", 405), ("GET", "text/html", 406)])
@pytest.mark.django_db
def test_refused_method_and_media_type_are_counted(method: str, accept: str, status: int) -> None:
    answer = system().generic(method, "/api/v1/register/", headers={"Accept": accept})
    assert (answer.status_code, "RateLimit" in answer, "RateLimit-Policy" in answer) == (status, True, True)


# Preconditions


@pytest.fixture
def draft(manager: Person) -> Submission:
    row = drafts.start_submission(manager, "687a")
    row.refresh_from_db()
    return row


def change(boxes: int, version: int = 1) -> dict[str, Any]:
    return {"version": version, "answers": {"adjacent_boxes_allowed": True, "adjacent_boxes": boxes}}


def test_write_for_another_state_changes_nothing(client: Client, draft: Submission) -> None:
    update = f"{ROWS}{draft.number}/update/"
    for tag in ('"zzz"', "zzz", 'W/"zzz"'):
        problem = refused(post(client, update, change(2), **{"If-Match": tag}), 412, "precondition-failed")
        assert "If-Match" in problem["detail"]
    refused(post(client, update, change(2), **{"If-None-Match": "*"}), 412, "precondition-failed")
    assert draft.configurations.get().answers == {}
    tag = client.get(f"{ROWS}{draft.number}/")["ETag"]
    assert post(client, update, change(2), **{"If-Match": tag}).status_code == 200
    refused(post(client, update, change(3, version=2), **{"If-Match": tag}), 412, "precondition-failed")
    assert post(client, update, change(3, version=2), **{"If-Match": "*"}).status_code == 200


def test_tag_of_a_compressed_answer_is_good_for_a_write(client: Client, draft: Submission) -> None:
    read = client.get(f"{ROWS}{draft.number}/", headers={"Accept-Encoding": "gzip"})
    assert read["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(read.content))["number"] == draft.number
    update = f"{ROWS}{draft.number}/update/"
    assert post(client, update, change(2), **{"If-Match": read["ETag"]}).status_code == 200


def test_repeated_call_is_answered_though_the_state_is_now_another(client: Client, draft: Submission) -> None:
    headers = {"If-Match": client.get(f"{ROWS}{draft.number}/")["ETag"], "Idempotency-Key": "once"}
    first, again = (post(client, f"{ROWS}{draft.number}/update/", change(2), **headers) for _ in range(2))
    assert (first.status_code, again.status_code, again["Idempotency-Replayed"]) == (200, 200, "true")
    assert again.content == first.content


@pytest.mark.parametrize("write", ["submissions/", "chapters/687a/judge/", "tables/", "bulk/", "webhooks/"])
def test_precondition_counts_at_every_address_that_is_written(client: Client, write: str) -> None:
    body = {"chapters/687a/judge/": {"answers": {}}, "submissions/": {"chapter": "687a"},
            "tables/": {"from_day": "2090-01-01", "tables": []}, "webhooks/": {"url": "https://hooks.example.test/"},
            "bulk/": {"mode": "validate", "items": [{"action": "create", "chapter": "687a"}]}}[write]  # fmt: skip
    answer = post(client, f"/api/v1/{write}", body, **{"If-Match": '"zzz"', "Idempotency-Key": "one"})
    refused(answer, 412, "precondition-failed")
    assert (Submission.objects.count(), Webhook.objects.count()) == (0, 0)


def test_read_of_another_state_is_refused(client: Client, draft: Submission) -> None:
    path = f"{ROWS}{draft.number}/"
    answer = client.get(path, headers={"If-Match": '"zzz"'})
    refused(answer, 412, "precondition-failed")
    assert (answer["Cache-Control"], "RateLimit" in answer) == ("private, no-store", True)
    tag = client.get(path)["ETag"]
    assert client.get(path, headers={"If-Match": tag}).status_code == 200
    assert client.get(path, headers={"If-Unmodified-Since": "Sat, 01 Jan 2000 00:00:00 GMT"}).status_code == 200
    for method in (client.get, client.head):
        assert method(path, headers={"If-None-Match": tag}).status_code == 304


# What is sent


def test_list_parameter_is_sent_with_commas_or_repeated(client: Client, manager: Person) -> None:
    draft, filed = filing_rows.draft(manager), filing_rows.filing(manager).submission
    filing_rows.filing(manager, status=Status.WITHDRAWN)
    for query in ("status=draft,filed", "status=draft&status=filed", "status=filed,draft&status=draft"):
        assert numbers(client.get(f"{ROWS}?{query}")) == [draft.number, filed.number], query
    for query in ("fields=number,title", "fields=number&fields=title", "fields=title, number"):
        (row, *_) = client.get(f"{ROWS}?{query}").json()["results"]
        assert set(row) == {"number", "title"}, query
    refused(client.get(f"{ROWS}?status=draft,lost"), 400, "unknown-state")
    every = ",".join(LayoutStatus.values)
    assert client.get(f"/api/v1/layouts/?status={every}").status_code == 200


def test_byte_order_mark_is_ignored(client: Client) -> None:
    body = b"\xef\xbb\xbf" + b'{"answers": {}}'
    answer = client.generic("POST", "/api/v1/chapters/687a/judge/", body, "application/json")
    assert (answer.status_code, answer.json()["chapter"]) == (200, "687a")


def test_secret_is_never_compressed(client: Client) -> None:
    """Its answer repeats what was sent: the length of the compressed one would tell of the secret (BREACH)."""
    body = {"url": f"https://hooks.example.test/{'a' * 120}"}
    answer = post(client, "/api/v1/webhooks/", body, **{"Accept-Encoding": "gzip"})
    assert (answer.status_code, "Content-Encoding" in answer) == (201, False)
    assert "no-transform" in answer["Cache-Control"]
    assert client.get("/api/v1/webhooks/", headers={"Accept-Encoding": "gzip"})["Content-Encoding"] == "gzip"


# Browsers


@pytest.mark.django_db
def test_description_is_for_programs_of_any_website() -> None:
    for path in ("schema/", "errors/", "errors/not-found/"):
        answer = system().get(f"/api/v1/{path}", headers={"Origin": ELSEWHERE})
        assert answer["Access-Control-Allow-Origin"] == ELSEWHERE, path
        assert "Access-Control-Allow-Credentials" not in answer
    for path in ("register/", "chapters/"):
        assert "Access-Control-Allow-Origin" not in system().get(f"/api/v1/{path}", headers={"Origin": ELSEWHERE})


def test_other_addresses_are_for_the_websites_that_are_set(client: Client, settings: Any) -> None:
    asks = {"Origin": ELSEWHERE, "Access-Control-Request-Method": "POST"}
    assert "Access-Control-Allow-Origin" not in system().options(ROWS, headers=asks)
    settings.CORS_ALLOWED_ORIGINS = [ELSEWHERE]
    preflight = system().options(ROWS, headers=asks)
    assert preflight["Access-Control-Allow-Origin"] == ELSEWHERE
    assert {"authorization", "idempotency-key", "if-match"} <= set(
        preflight["Access-Control-Allow-Headers"].split(", ")
    )
    assert "ETag" in client.get(ROWS, headers={"Origin": ELSEWHERE})["Access-Control-Expose-Headers"]
    assert "Access-Control-Allow-Origin" not in system().get("/register/", headers={"Origin": ELSEWHERE})
