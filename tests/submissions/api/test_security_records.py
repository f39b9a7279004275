"""What programs do is in the security log: refused keys by the part that may be shown, denials, files, exports."""

from __future__ import annotations

import json
import re

from django.test import Client

from submissions.models import AccessRecord, Organization, Person
from tests.submissions.api.clients import made, system
from tests.submissions.api.world import build

ROWS = "/api/v1/submissions/"
HOME = "192.0.2.7"


def records() -> list[AccessRecord]:
    return list(AccessRecord.objects.select_related("organization").order_by("pk"))


def test_refused_keys_are_recorded_by_their_displayable_part(casino: Organization) -> None:
    key = made(casino)
    secret = key.token.rpartition("_")[2]
    wrong = key.token[:-64] + ("0" * 64 if secret[0] != "0" else "1" * 64)
    unknown = f"rsp_live_{'0' * 12}_{'a' * 64}"
    for token in (wrong, unknown, "a passphrase in the wrong place"):
        assert system(token, REMOTE_ADDR=HOME).get(ROWS).status_code == 401
    found = [(row.kind, row.reason, row.credential, row.organization, row.address) for row in records()]
    assert found == [
        ("key-refused", "credential-wrong", key.credential.key_id, casino, HOME),
        ("key-refused", "credential-wrong", "rsp_live_000000000000", None, HOME),
        ("key-refused", "credential-unreadable", "", None, HOME),
    ]
    text = json.dumps(list(AccessRecord.objects.values()), default=str)
    assert [part for part in (secret, wrong[-64:], "a" * 64, "passphrase in the") if part in text] == []


def test_key_in_a_wrong_place_is_struck_out(casino: Organization) -> None:
    """In the address, in the name of the program, in a proxy's header, beside characters that no database takes."""
    key = made(casino)
    headers = {"User-Agent": f"\x00\r\n{'x' * 90} {key.token}", "X-Request-Id": key.token[:60]}
    headers["Authorization"] = f"Bearer {key.token}x"
    assert Client(headers=headers).get(f"{ROWS}{key.token}/").status_code == 401
    (row,) = records()
    assert row.object_reference == f"GET {ROWS}{key.credential.key_id}_…/"
    assert row.agent == f"\ufffd\ufffd\ufffd{'x' * 90} {key.credential.key_id}_…"
    assert re.fullmatch("[0-9a-f]{32}", row.request_id)
    text = json.dumps(list(AccessRecord.objects.values()), default=str)
    assert [part for part in (key.token[-64:], key.token[-64:-40]) if part in text] == []


def test_key_used_from_another_network_is_recorded(casino: Organization) -> None:
    key = made(casino, networks=["198.51.100.0/24"])
    assert system(key.token, REMOTE_ADDR=HOME).get(ROWS).status_code == 401
    assert [(row.reason, row.organization) for row in records()] == [("credential-elsewhere", casino)]


def test_call_with_the_key_and_without_one_is_no_record(casino: Organization) -> None:
    assert system(made(casino).token).get(ROWS).status_code == 200
    assert system().get(ROWS).status_code == 401
    assert records() == []


def test_missing_scope_is_recorded(casino: Organization) -> None:
    key = made(casino, scopes=("read",))
    call = {"data": b"{}", "content_type": "application/json", "headers": {"Idempotency-Key": "one"}}
    assert system(key.token).post(ROWS, **call).status_code == 403
    (row,) = records()
    assert (row.kind, row.reason, row.object_reference) == ("access-denied", "scope-missing", "api:submissions")
    assert (row.credential, row.person) == (key.credential.key_id, key.credential.service_account)


def test_files_and_tables_are_recorded_once(casino: Organization, manager: Person, analyst: Person) -> None:
    world = build(manager, analyst)
    client = system(made(casino).token)
    named = world.arguments
    attachment = f"{ROWS}{named['number']}/attachments/{named['attachment']}/"
    response = client.get(attachment)
    assert client.get(attachment, headers={"If-None-Match": response["ETag"]}).status_code == 304
    assert client.get(f"/api/v1/layouts/{named['layout']}/drawings/{named['drawing']}/").status_code == 200
    assert client.get(f"/api/v1/bulk/{named['batch']}/result.csv").status_code == 200
    assert [(row.kind, row.object_reference, row.details) for row in records()] == [
        ("download", f"api:attachment number={named['number']} sha256={named['attachment']}", {}),
        ("download", f"api:drawing number={named['layout']} sha256={named['drawing']}", {}),
        ("export", f"api:batch-result number={named['batch']}", {"filter": "", "rows": 1}),
    ]
    assert {row.organization for row in records()} == {casino}
