"""Bulk updates on the pages: uploaded, read as differences, confirmed or discarded, and told item by item."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from openpyxl import Workbook

from submissions.filings import drafts, filing
from submissions.models import Batch, Job, Organization, Person, Simulation, Status, Submission
from tests.cast import PASSWORD
from tests.submissions.api.clients import made
from tests.submissions.bulk.batches import send, sent
from tests.submissions.bulk.made import saved
from tests.submissions.bulk.test_export_workbook import at, downloaded
from tests.submissions.web.clients import browser, complete, work

HEADER = "action,submission,version,group,answers.adjacent_boxes,answers.odds_posted,reason\n"


@pytest.fixture(autouse=True)
def _passphrase_is_enough(settings: Any) -> None:
    settings.SECOND_FACTOR = False


def upload(client: Client, content: bytes | str, name: str = "rows.csv", **form: str) -> Any:
    content = content.encode() if isinstance(content, str) else content
    file = SimpleUploadedFile(name, content)
    return client.post(reverse("bulk"), {"mode": "live", **form, "sheet": file})


def taken(client: Client, content: bytes | str, **form: str) -> Batch:
    """Uploaded, and looked at by a worker."""
    answer = upload(client, content, **form)
    batch = Batch.objects.latest("pk")
    assert (answer.status_code, answer["Location"]) == (302, f"/bulk/{batch.number}/")
    work()
    batch.refresh_from_db()
    return batch


def page(client: Client, batch: Batch, query: str = "") -> str:
    return unescape(client.get(f"/bulk/{batch.number}/{query}").content.decode()).replace("\xa0", " ")


def post(client: Client, batch: Batch, deed: str, **form: str) -> Any:
    return client.post(f"/bulk/{batch.number}/{deed}/", form)


def test_hidden_rows_are_named_on_the_page_that_confirms_them(preparer: Person) -> None:
    book = Workbook()
    for cells in (["action", "chapter"], ["create", "686a"], ["create", "687a"]):
        book.active.append(cells)
    book.active.row_dimensions[3].hidden = True
    batch = taken(browser(preparer), saved(book))
    assert batch.total == 2
    assert "The file hides cells that count: row Sheet!3." in page(browser(preparer), batch)


def test_comma_in_doubt_is_asked_about_and_the_answer_is_taken(preparer: Person) -> None:
    content = 'action,chapter,answers.minimum_wager\ncreate,678a,"2,5"\n'
    client = browser(preparer)
    assert "Decimal sign of the numbers" not in client.get(reverse("bulk")).content.decode()
    refused = upload(client, content)
    assert refused.status_code == 400
    text = unescape(refused.content.decode())
    assert "Is the comma in “2,5” a decimal sign? It is in cell C2." in text
    assert 'name="decimal"' in text
    assert not Batch.objects.exists()
    assert taken(client, content, decimal="comma").total == 1


def test_workbook_is_downloaded_and_its_changes_are_read_before_they_are_done(preparer: Person) -> None:
    draft = complete(preparer)
    client = browser(preparer)
    answer = client.get(reverse("bulk-workbook"))
    assert answer["Content-Disposition"].startswith('attachment; filename="configurations-')
    assert answer.content[:2] == b"PK"
    book = downloaded(preparer)
    at(book, "686a", "adjacent_boxes").value = 2
    batch = taken(client, saved(book), name="configurations.xlsx")
    told = page(client, batch)
    assert "No changes yet" in told
    assert "<del>3</del>" in told
    assert "<ins>2</ins>" in told
    assert "Confirm and apply 1 item" in told
    assert draft.configurations.get().answers["adjacent_boxes"] == 3
    assert post(client, batch, "confirm")["Location"] == f"/bulk/{batch.number}/"
    work()
    assert draft.configurations.get().answers["adjacent_boxes"] == 2
    assert "Results by item" in page(client, batch)


def test_discarded_batch_does_nothing(preparer: Person) -> None:
    draft = complete(preparer)
    client = browser(preparer)
    batch = taken(client, f"{HEADER}update,{draft.number},{draft.configurations.get().version},,2,,\n")
    post(client, batch, "discard")
    work()
    assert "Discarded. The portal made no changes" in page(client, batch)
    assert draft.configurations.get().answers["adjacent_boxes"] == 3
    assert post(client, batch, "confirm").status_code == 409


def test_validated_batch_is_told_and_never_asked_about(preparer: Person) -> None:
    draft = complete(preparer)
    client = browser(preparer)
    batch = taken(client, f"{HEADER}update,{draft.number},{draft.configurations.get().version},,2,,\n", mode="validate")
    told = page(client, batch)
    assert (batch.state, "Checked. The portal made no changes" in told, "Confirm" in told) == ("done", True, False)


def test_outcomes_are_counted_and_shown_apart(preparer: Person) -> None:
    first, second = complete(preparer), complete(preparer)
    version = first.configurations.get().version
    rows = [f"update,{first.number},{version},,2,,", f"update,{second.number},{version},,3,,", "update,RS-1,1,,3,,"]
    client = browser(preparer)
    batch = taken(client, HEADER + "\n".join(rows))
    told = page(client, batch)
    assert "<strong>1</strong> refused; <strong>1</strong> can be applied; <strong>1</strong> change nothing." in told
    shown = {
        outcome: [
            number in page(client, batch, f"?outcome={outcome}") for number in (first.number, second.number, "RS-1")
        ]
        for outcome in ("good", "same", "refused", "undone")
    }
    assert shown == {
        "good": [True, False, False], "same": [False, True, False], "refused": [False, False, True],
        "undone": [False, False, False],
    }  # fmt: skip
    assert "does not exist, or you cannot see it" in page(client, batch, "?outcome=refused")


def test_many_items_are_shown_page_by_page(preparer: Person) -> None:
    rows = [f"update,RS-{number},1,,2,," for number in range(120)]
    client = browser(preparer)
    batch = taken(client, HEADER + "\n".join(rows))
    assert page(client, batch).count("<article") == 50
    last = page(client, batch, "?outcome=refused&page=3")
    assert (last.count("<article"), "?outcome=refused&page=2" in last) == (20, True)


def test_page_asks_the_database_as_little_for_many_items_as_for_few(preparer: Person) -> None:
    client = browser(preparer)
    asked = []
    for many in (1, 40):
        rows = [f"update,{drafts.start_submission(preparer, '686a').number},1,,2,," for _ in range(many)]
        batch = taken(client, HEADER + "\n".join(rows))
        with CaptureQueriesContext(connection) as queries:
            page(client, batch)
        asked.append(len(queries))
    assert asked[0] == asked[1]


def test_page_asks_for_itself_until_the_worker_is_done(preparer: Person) -> None:
    client = browser(preparer)
    upload(client, f"{HEADER}update,RS-1,1,,2,,\n")
    batch = Batch.objects.get()
    progress = f"/bulk/{batch.number}/progress/"
    assert f'hx-get="{progress}"' in page(client, batch)
    assert "Waiting for a worker" in client.get(progress).content.decode()
    work()
    after = client.get(progress).content.decode()
    assert ("hx-get" in after, "<article" in after) == (False, True)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"%PDF-1.7\n%\xe2\xe3", "Line 2 of the file is not in UTF-8."),
        (b"PK\x03\x04", "The file cannot be read as an Excel workbook"),
        (f"{HEADER}update,RS-1,1,,2,,,?\n".encode(), "Cell H2 contains “?”, but its column has no heading."),
        (b"action,colour\nupdate,red\n", "“colour” in cell B1 is not a known column."),
    ],
)
def test_refused_file_is_told_on_the_form_with_what_was_chosen(preparer: Person, content: bytes, said: str) -> None:
    answer = upload(browser(preparer), content, mode="validate", together="yes")
    told = answer.content.decode()
    assert (answer.status_code, said in told, Batch.objects.exists()) == (400, True, False)
    for name in ("id_mode_1", "id_together"):
        assert told.count(f'id="{name}"') == 1
        assert re.search(rf'id="{name}"[^>]* checked', told)


def test_missing_file_and_unknown_mode_are_told(preparer: Person) -> None:
    client = browser(preparer)
    assert "No file was chosen." in client.post(reverse("bulk"), {"mode": "live"}).content.decode()
    answer = upload(client, f"{HEADER}update,RS-1,1,,2,,\n", mode="now")
    assert (answer.status_code, "is not in the list." in answer.content.decode()) == (400, True)


def test_nothing_is_attested_where_every_step_is_refused(preparer: Person, manager: Person) -> None:
    draft = complete(preparer)
    version = draft.configurations.get().version
    client = browser(manager)
    batch = taken(client, f"{HEADER}update,{draft.number},{version},0,2,\nfile,{draft.number},,,,\n")
    assert 'id="attested"' not in page(client, batch)
    assert post(client, batch, "confirm").status_code == 302
    work()
    batch.refresh_from_db()
    assert (batch.attestation, [row.state for row in batch.items.all()]) == ("", ["done", "refused"])


def test_file_that_is_too_large_is_told(preparer: Person, settings: Any) -> None:
    settings.ATTACHMENT_LIMIT = 1000
    assert "The file is larger than" in upload(browser(preparer), b"x" * 2000).content.decode()


def test_filing_by_batch_is_attested_and_confirmed_by_who_signs(preparer: Person, manager: Person) -> None:
    draft = complete(preparer)
    batch = taken(browser(preparer), f"{HEADER}file,{draft.number},{draft.version},,,,\n")
    assert filing.ATTESTATION in page(browser(preparer), batch)
    assert "Only a Table Games Manager" in page(browser(preparer), batch)
    answers = batch.items.get().made["filing"]["answers"]
    assert f"{answers} answers, 1 open finding. This is the first filing." in page(browser(preparer), batch)
    assert post(browser(preparer), batch, "confirm", attested="yes").status_code == 403
    client = browser(manager, confirmed=False)
    answer = post(client, batch, "confirm", attested="yes")
    assert (answer.status_code, 'id="attested" name="attested" value="yes" checked' in answer.content.decode()) == (
        403,
        True,
    )
    answer = post(client, batch, "confirm", confirm_password=PASSWORD)
    assert (answer.status_code, "The attestation is missing." in answer.content.decode()) == (400, True)
    assert post(client, batch, "confirm", attested="yes").status_code == 302
    work()
    draft.refresh_from_db()
    assert (draft.status, draft.revisions.get().filed_by) == (Status.FILED, manager)
    told = page(client, batch)
    assert f"Receipt {draft.revisions.get().receipt}" in told
    assert "Confirmed by Manager East" in told


def test_batch_of_a_program_names_its_credential_and_waits_on_the_first_page(
    casino: Organization, manager: Person, preparer: Person, reader: Person
) -> None:
    draft = complete(preparer)
    credential = made(casino, scopes=["read", "prepare", "file"], name="Corporate office").credential
    batch = sent(credential, {"action": "file", "submission": draft.number, "version": draft.version})
    assert batch.state == "waiting"
    waits = {
        who: "Confirm bulk updates" in browser(who).get("/").content.decode() for who in (manager, preparer, reader)
    }
    assert waits == {manager: True, preparer: False, reader: False}
    told = page(browser(manager), batch)
    assert "Corporate office" in told
    assert credential.key_id in told


def test_board_recommends_in_one_batch(manager: Person, analyst: Person) -> None:
    filed = [complete(manager), complete(manager, "687a")]
    for one in filed:
        filing.file_submission(manager, one, version=one.version, attested=True)
    Simulation.objects.update(passed=True)
    Job.objects.filter(kind=Job.Kind.SIMULATE).update(state=Job.State.DONE)
    rows = [f"recommend,{one.number},{Submission.objects.get(pk=one.pk).version},,,,Complete" for one in filed]
    client = browser(analyst)
    batch = taken(client, HEADER + "\n".join(rows))
    assert "Confirm bulk updates" in client.get("/").content.decode()
    told = page(client, batch)
    assert "I have reviewed the Rules Submissions named in this batch" in told
    assert told.count("<dt>Reason</dt><dd>Complete</dd>") == 2  # what is confirmed is there to read
    post(client, batch, "confirm", attested="yes")
    work()
    assert set(Submission.objects.values_list("status", flat=True)) == {Status.RECOMMENDED}


def test_batch_of_another_organization_is_not_there(preparer: Person, stranger: Person, analyst: Person) -> None:
    batch = send(preparer, {"action": "create", "chapter": "686a"}, mode="validate")
    for who in (stranger, analyst):
        client = browser(who)
        found = [client.get(f"/bulk/{batch.number}/{part}").status_code for part in ("", "progress/", "result.csv")]
        found += [post(client, batch, deed).status_code for deed in ("confirm", "discard")]
        assert found == [404] * 5
        assert batch.number not in client.get("/bulk/").content.decode()


def test_reader_sees_batches_and_sends_none(preparer: Person, reader: Person) -> None:
    batch = taken(browser(preparer), f"{HEADER}update,{complete(preparer).number},1,,2,,\n")
    client = browser(reader)
    assert batch.number in client.get("/bulk/").content.decode()
    assert upload(client, HEADER).status_code == 403
    assert client.get(reverse("bulk-workbook")).status_code == 403
    assert post(client, batch, "discard").status_code == 403


def test_result_is_the_table_that_programs_get(preparer: Person) -> None:
    client = browser(preparer)
    batch = taken(client, f"{HEADER}update,RS-1,1,,2,,\n")
    answer = client.get(f"/bulk/{batch.number}/result.csv")
    lines = b"".join(answer.streaming_content).decode().splitlines()
    assert lines[0].lstrip("\ufeff").startswith("place,row,action,submission,state")
    assert lines[1].startswith("1,2,update,RS-1,refused,404,not-found,")


def test_rows_left_alone_are_told(preparer: Person, casino: Organization) -> None:
    complete(preparer)
    complete(preparer, "687a")
    book = downloaded(preparer)
    at(book, "686a", "adjacent_boxes").value = 2
    batch = taken(browser(preparer), saved(book), name="x.xlsx")
    assert "1 row was left out: nothing was changed there." in page(browser(preparer), batch)
    assert batch.total == 1


def test_what_was_typed_is_shown_as_text(preparer: Person) -> None:
    client = browser(preparer)
    hostile = "<script>alert(1)</script>"
    batch = taken(client, f"{HEADER}{hostile},{hostile},1,,{hostile},,\n")
    assert hostile not in client.get(f"/bulk/{batch.number}/").content.decode()
