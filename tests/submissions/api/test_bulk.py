"""A batch through the API: sent, read, confirmed or not, its items told one by one."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.test import Client

from submissions.accounts import api_credentials
from submissions.api.framework import bodies
from submissions.bulk import batch_results, intake
from submissions.models import Batch, Item, Job, Organization, Person, Status, Submission
from submissions.tasks import run_task
from tests.games.chapters.examples import example
from tests.submissions.api.clients import administrator, made, system
from tests.submissions.api.test_problems import refused
from tests.submissions.bulk.made import with_parts, workbook
from tests.submissions.example_drafts import ready_to_file

BULK = "/api/v1/bulk/"
CREATE = {"action": "create", "chapter": "687a", "answers": {"adjacent_boxes_allowed": True, "adjacent_boxes": 3}}
WRONG = {"action": "create", "chapter": "687a", "answers": {"adjacent_boxes_allowed": True, "adjacent_boxes": 7}}


def send(client: Client, body: Any, *, key: str = "one", **headers: str) -> Any:
    return client.post(BULK, body, content_type="application/json", headers={"Idempotency-Key": key, **headers})


def batch(*items: Any, mode: str = "live", **more: Any) -> dict[str, Any]:
    return {"mode": mode, "items": list(items), **more}


def work() -> None:
    """What the workers would do."""
    for job in Job.objects.filter(kind__in=(Job.Kind.CHECK, Job.Kind.BULK), state=Job.State.DUE):
        run_task(job)


def press(client: Client, address: str) -> Any:
    """Confirm or discard: there is nothing to say."""
    return client.generic("POST", address, b"", "application/json")


def counts(told: dict[str, Any]) -> dict[str, int]:
    return {state: many for state, many in told["items"].items() if many}


@pytest.fixture
def client(casino: Organization) -> Client:
    return system(made(casino, scopes=["read", "prepare", "file"]).token)


@pytest.fixture
def tester(casino: Organization) -> Client:
    """A program of the same casino, in its sandbox."""
    return system(made(casino, scopes=["read", "prepare", "file"], live=False).token)


def test_batch_is_taken_in_carried_out_and_told(client: Client) -> None:
    answer = send(client, batch(CREATE, WRONG))
    assert answer.status_code == 202
    number = answer.json()["number"]
    assert answer["Location"] == f"http://testserver/api/v1/bulk/{number}/"
    assert (answer.json()["state"], counts(answer.json())) == ("running", {"waiting": 2})
    assert answer.json()["progress"]["words"] == "Waiting for a worker."
    work()
    told = client.get(answer["Location"]).json()
    assert (told["state"], counts(told), told["progress"]) == ("done", {"done": 1, "refused": 1}, None)
    done, wrong = client.get(told["links"]["items"]).json()["results"]
    made_of_it = Submission.objects.get()
    assert done["made"] == {
        "submission": made_of_it.number, "version": 1, "group": 0, "configuration_version": 2
    }  # fmt: skip
    assert (wrong["place"], wrong["state"], wrong["status"], wrong["code"]) == (
        2,
        "refused",
        400,
        "answers-not-allowed",
    )
    assert wrong["findings"][0]["citation"] == wrong["section"]


def test_each_answer_is_told_with_code_section_remedy_and_findings(client: Client) -> None:
    send(client, batch(WRONG, {"action": "update", "submission": "RS-2026-99999", "version": 1, "answers": {}}))
    work()
    wrong, missing = client.get(f"{BULK}{Batch.objects.get().number}/items/").json()["results"]
    assert (wrong["place"], wrong["action"], wrong["status"], wrong["code"]) == (
        1,
        "create",
        400,
        "answers-not-allowed",
    )
    (finding,) = wrong["findings"]
    assert (wrong["message"], wrong["fix"], wrong["section"]) == (
        finding["message"], finding["fix"], finding["citation"]
    )  # fmt: skip
    assert (missing["place"], missing["submission"], missing["status"], missing["code"], missing["option"]) == (
        2, "RS-2026-99999", 404, "not-found", "submission"
    )  # fmt: skip


def test_validate_does_nothing(client: Client) -> None:
    send(client, batch(CREATE, WRONG, mode="validate"))
    work()
    told = client.get(BULK).json()["results"][0]
    assert (told["state"], told["mode"], counts(told)) == ("done", "validate", {"passed": 1, "refused": 1})
    assert (Submission.objects.count(), told["finished_at"] is None) == (0, False)


def test_all_or_nothing_does_nothing_if_one_is_refused(client: Client) -> None:
    send(client, batch(CREATE, WRONG, all_or_nothing=True))
    work()
    told = client.get(BULK).json()["results"][0]
    assert (told["all_or_nothing"], counts(told)) == (True, {"refused": 1, "undone": 1})
    items = client.get(told["links"]["items"]).json()["results"]
    assert [(one["status"], one["code"]) for one in items] == [(424, "others-refused"), (400, "answers-not-allowed")]
    assert Submission.objects.count() == 0


# Reading it


def test_items_are_told_page_by_page_and_by_state(client: Client) -> None:
    send(client, batch(CREATE, WRONG, CREATE, WRONG, CREATE))
    work()
    address, places = f"{BULK}{Batch.objects.get().number}/items/?limit=2&fields=place", []
    while address:
        page = client.get(address).json()
        places.append([row["place"] for row in page["results"]])
        address = page["next"]
    assert places == [[1, 2], [3, 4], [5]]
    done = client.get(f"{BULK}{Batch.objects.get().number}/items/?state=done").json()["results"]
    assert [row["place"] for row in done] == [1, 3, 5]
    refused(client.get(f"{BULK}{Batch.objects.get().number}/items/?state=lost"), 400, "unknown-state")


def test_counts_of_many_batches_take_one_query(
    client: Client, django_assert_max_num_queries: Callable[[int], AbstractContextManager[Any]]
) -> None:
    for key in range(4):
        send(client, batch(CREATE, WRONG), key=str(key))
    work()
    with django_assert_max_num_queries(5):  # the credential, its last use, the batches, their items, their jobs
        told = client.get(BULK).json()["results"]
    assert [counts(one) for one in told] == [{"done": 1, "refused": 1}] * 4


def test_result_is_a_table_that_no_spreadsheet_takes_for_formulas(client: Client) -> None:
    """What a program sent comes back in the table: it may begin like a formula."""
    send(client, batch(CREATE, {"action": "update", "submission": "=1+1", "version": 1, "answers": {}}))
    work()
    number = Batch.objects.get().number
    answer = client.get(f"{BULK}{number}/result.csv")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == f'attachment; filename="{number}.csv"'
    done, missing = csv.DictReader(io.StringIO(b"".join(answer).decode("utf-8-sig")))
    made_of_it = Submission.objects.get().number
    assert (done["place"], done["state"], done["status"], done["made.submission"]) == ("1", "done", "200", made_of_it)
    assert done["changes"].splitlines()[1].endswith(" not answered → 3")
    assert (missing["submission"], missing["code"]) == ("'=1+1", "not-found")
    refused(client.get(f"{BULK}{number}/result.csv", headers={"Accept": "application/xml"}), 406, "not-acceptable")
    refused(client.get(f"{BULK}{number}/result.csv?fields=place"), 400, "unknown-parameter")


def test_what_an_item_made_is_a_column_of_the_result(client: Client, manager: Person) -> None:
    draft = ready_to_file(manager, "687a")
    send(client, batch(CREATE, {"action": "file", "submission": draft.number, "version": draft.version}))
    work()
    intake.confirm_batch(manager, Batch.objects.get(), attested=True)
    work()
    made_by_items = [batch_results.reported_result(item) for item in Item.objects.all()]
    assert sorted({name for one in made_by_items for name in one}) == sorted(
        set(batch_results.RESULT_NAMES) - {"remark"}
    )


# Whose it is


@pytest.mark.parametrize("address", ["", "items/", "result.csv", "confirm/", "discard/"])
def test_batch_of_another_organization_is_not_there(
    client: Client, casino: Organization, other_casino: Organization, board: Organization, address: str
) -> None:
    send(client, batch(CREATE))
    number = Batch.objects.get().number
    strangers = (
        made(other_casino, scopes=["read", "prepare", "file"]), made(board, scopes=["read", "review"]),
        made(casino, scopes=["read", "prepare", "file"], live=False),
    )  # fmt: skip
    for stranger in strangers:
        call = press if address in ("confirm/", "discard/") else Client.get
        refused(call(system(stranger.token), f"{BULK}{number}/{address}"), 404, "not-found")
        assert system(stranger.token).get(BULK).json()["results"] == []


def test_scopes_are_those_of_the_items(casino: Organization, manager: Person) -> None:
    draft = ready_to_file(manager, "687a")
    files = {"action": "file", "submission": draft.number, "version": draft.version}
    preparing, filing = (system(made(casino, scopes=["read", scope]).token) for scope in ("prepare", "file"))
    refused(send(preparing, batch(files)), 403, "scope-missing")
    refused(send(filing, batch(CREATE)), 403, "scope-missing")
    assert Batch.objects.count() == 0
    assert send(filing, batch(files), key="two").status_code == 202


def test_credential_revoked_in_mid_batch_does_nothing_more(casino: Organization) -> None:
    shown = made(casino, scopes=["read", "prepare"])
    send(system(shown.token), batch(CREATE, CREATE))
    api_credentials.revoke_credential(administrator(casino), shown.credential)
    work()
    assert {(item.state, item.code) for item in Item.objects.all()} == {("refused", "credential-revoked")}
    assert Submission.objects.count() == 0
    refused(system(shown.token).get(BULK), 401, "credential-revoked")


# Confirming and discarding


def test_in_a_sandbox_a_program_files_what_it_began(tester: Client, casino: Organization) -> None:
    """Everything that a filing takes, with nobody but the program: created, answered, filed, confirmed."""
    answers = {key: answer for key, answer in example("585").items() if not isinstance(answer, dict)}
    create = {"action": "create", "chapter": "585", "answers": answers}
    answer = send(tester, batch(create, {"action": "file", "submission": "#1", "version": 1}))
    work()
    told = tester.get(answer["Location"]).json()
    assert (told["state"], counts(told), told["links"]["page"]) == ("waiting", {"passed": 2}, None)
    assert press(tester, told["links"]["confirm"]).status_code == 202
    work()
    told = tester.get(answer["Location"]).json()
    assert (told["state"], counts(told), told["links"]["confirm"]) == ("done", {"done": 2}, None)
    submission = Submission.objects.get()
    assert (submission.status, submission.organization) == (Status.FILED, casino.sandbox)
    assert tester.get(f"/api/v1/submissions/{submission.number}/").json()["status"] == "filed"
    refused(press(tester, f"{answer['Location']}confirm/"), 409, "batch-not-waiting")


def test_whoever_may_not_file_confirms_no_filing_in_a_sandbox(tester: Client, casino: Organization) -> None:
    number = tester.post("/api/v1/submissions/", {"chapter": "687a"}, content_type="application/json").json()["made"]
    withdraw = {"action": "withdraw", "submission": number["submission"], "version": 1, "reason": "A trial."}
    answer = send(tester, batch(withdraw))
    work()
    preparing = system(made(casino, scopes=["read", "prepare"], live=False).token)
    for address in ("confirm/", "discard/"):
        refused(press(preparing, answer["Location"] + address), 403, "scope-missing")
    assert Batch.objects.get().state == "waiting"


def test_batch_that_waits_is_discarded(client: Client, manager: Person) -> None:
    draft = ready_to_file(manager, "687a")
    answer = send(client, batch({"action": "file", "submission": draft.number, "version": draft.version}))
    refused(press(client, f"{answer['Location']}discard/"), 409, "batch-not-waiting")  # it is being checked
    work()
    discarded = client.post(f"{answer['Location']}discard/", {}, content_type="application/json")
    assert (discarded.status_code, discarded.json()["state"]) == (200, "discarded")
    assert discarded.json()["links"]["discard"] is None
    draft.refresh_from_db()
    assert draft.status == Status.DRAFT
    refused(
        client.post(f"{answer['Location']}discard/", {"why": ""}, content_type="application/json"), 400, "body-shape"
    )


# What is refused as a whole


def test_key_is_needed(client: Client) -> None:
    told = refused(client.post(BULK, batch(CREATE), content_type="application/json"), 400, "idempotency-key-missing")
    assert told["option"] == "Idempotency-Key"
    assert Batch.objects.count() == 0


def test_same_batch_again_changes_nothing(client: Client) -> None:
    first = send(client, batch(CREATE))
    work()
    again = send(client, batch(CREATE))
    assert (again.status_code, again.content, again["Location"]) == (202, first.content, first["Location"])
    assert again["Idempotency-Replayed"] == "true"
    refused(send(client, batch(CREATE, CREATE)), 422, "idempotency-key-reused")
    work()
    assert (Batch.objects.count(), Submission.objects.count()) == (1, 1)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (batch(CREATE, mode="perhaps"), "unknown-mode"), ({"items": [CREATE]}, "unknown-mode"),
        (batch(), "items-count"), (batch(*[{}] * 5001), "items-count"), (batch(CREATE, 1), "item-shape"),
        (batch(CREATE, all_or_nothing="yes"), "field-shape"), (batch(CREATE, dry=True), "unknown-field"),
        ({"mode": "live"}, "body-shape"), ([CREATE], "body-shape"), (batch(CREATE) | {"items": {}}, "body-shape"),
    ],
)  # fmt: skip
def test_body_that_is_no_batch_is_told(client: Client, body: Any, code: str) -> None:
    refused(send(client, body), 400, code)
    assert Batch.objects.count() == 0


def test_body_may_have_20_mb(client: Client) -> None:
    def sized(characters: int) -> Any:
        body = b'{"mode": "live", "items": [{"action": "%s"}]}' % (b"x" * characters)
        return client.generic("POST", BULK, body, "application/json", headers={"Idempotency-Key": str(characters)})

    assert sized(19 << 20).status_code == 202
    told = refused(sized(21 << 20), 413, "body-too-large")
    assert told["detail"] == "The body is larger than 20 MB."
    assert [item.code for item in Item.objects.all()] == ["item-too-large"]


# Spreadsheets


def sheet(client: Client, query: str, text: str = "action,chapter\ncreate,687a\n", media_type: str = "text/csv") -> Any:
    return client.generic("POST", f"{BULK}{query}", text.encode(), media_type, headers={"Idempotency-Key": "one"})


def test_csv_is_sent_with_its_mode_in_the_address(client: Client) -> None:
    answer = sheet(client, "?mode=live&all_or_nothing=true", media_type="text/csv; charset=utf-8")
    assert (answer.status_code, answer.json()["form"], answer.json()["all_or_nothing"]) == (202, "csv", True)
    work()
    (item,) = client.get(answer.json()["links"]["items"]).json()["results"]
    assert (item["row"], item["state"], item["made"]["submission"]) == ("2", "done", Submission.objects.get().number)


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("", "unknown-mode"), ("?mode=perhaps", "unknown-mode"), ("?mode=live&all_or_nothing=1", "field-shape"),
        ("?mode=live&sheet=1", "unknown-parameter"),
    ],
)  # fmt: skip
def test_spreadsheet_without_its_mode_is_told(client: Client, query: str, code: str) -> None:
    refused(sheet(client, query), 400, code)


def test_json_says_its_mode_in_the_body(client: Client) -> None:
    answer = client.post(
        f"{BULK}?mode=live", batch(CREATE), content_type="application/json", headers={"Idempotency-Key": "1"}
    )
    refused(answer, 400, "unknown-parameter")


def test_file_of_another_kind_is_told(client: Client) -> None:
    told = refused(sheet(client, "?mode=live", media_type="application/xml"), 415, "media-type")
    assert told["fix"].startswith("Send application/json or text/csv or application/vnd.openxmlformats")
    workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    assert sheet(client, "?mode=live", "no workbook", media_type=workbook).status_code == 400


def test_workbook_with_a_document_type_is_no_batch(client: Client) -> None:
    """Not taken and looked at later: the same workbook without it is taken."""
    plain = workbook({"687a": [["action", "chapter"], ["create", "687a"]]})
    with zipfile.ZipFile(io.BytesIO(plain)) as archive:
        declared = b'<!DOCTYPE x SYSTEM "http://a.example/x.dtd">' + archive.read("xl/workbook.xml")
    for content, status in ((with_parts(plain, {"xl/workbook.xml": declared}), 400), (plain, 202)):
        answer = client.generic(
            "POST", f"{BULK}?mode=live", content, bodies.WORKBOOK, headers={"Idempotency-Key": str(status)}
        )
        assert (answer.status_code, Batch.objects.count()) == (status, int(status == 202))
