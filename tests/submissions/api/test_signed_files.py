"""Signed PDFs as files: by negotiation and by address, with their own bytes or not at all."""

from __future__ import annotations

from hashlib import sha256

import pytest

from submissions.models import AccessRecord, Organization, Paper, StoredFile
from tests.submissions.api.clients import made, system
from tests.submissions.api.test_problems import refused
from tests.submissions.api.world import World

PDF = {"Accept": "application/pdf"}


@pytest.fixture
def addresses(world: World) -> dict[str, bytes]:
    """Address of a signed file → its bytes."""
    named = world.arguments
    return {
        f"/api/v1/submissions/{named['approved']}/documents/{named['signed']}/": b"%PDF-",
        f"/api/v1/layouts/{named['layout']}/papers/{named['paper']}/": b"%PDF-sign",
    }


def test_file_comes_by_negotiation_and_by_address(addresses: dict[str, bytes], casino: Organization) -> None:
    client = system(made(casino).token)
    for address, content in addresses.items():
        known = client.get(address)
        assert known["Content-Type"] == "application/json"
        assert known.json()["sha256"] == sha256(content).hexdigest()
        assert known.json()["address"].endswith(address)
        for answer in (client.get(address, headers=PDF), client.get(f"{address}file/")):
            assert (answer.status_code, answer["Content-Type"], answer.content) == (200, "application/pdf", content)
            assert answer["Content-Disposition"].startswith("attachment; ")
            assert answer["ETag"] != known["ETag"]
        again = client.get(address, headers={**PDF, "If-None-Match": answer["ETag"]})
        assert again.status_code == 304
        refused(client.get(f"{address}file/", headers={"Accept": "text/plain"}), 406, "not-acceptable")
    kinds = AccessRecord.objects.order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["download"] * 4


def test_list_leads_to_the_files(world: World, addresses: dict[str, bytes], casino: Organization) -> None:
    client, named = system(made(casino).token), world.arguments
    lists = (f"/api/v1/submissions/{named['approved']}/documents/", f"/api/v1/layouts/{named['layout']}/papers/")
    received = [client.get(address).json()["results"][0]["address"] for address in lists]
    assert [address.partition("/api/")[2] for address in received] == [each.partition("/api/")[2] for each in addresses]


def test_file_of_another_submission_or_licensee_is_not_there(
    world: World, addresses: dict[str, bytes], casino: Organization, other_casino: Organization
) -> None:
    client, others, named = system(made(casino).token), system(made(other_casino).token), world.arguments
    for address in addresses:
        refused(others.get(address, headers=PDF), 404, "not-found")
        refused(others.get(f"{address}file/"), 404, "not-found")
    elsewhere = f"/api/v1/submissions/{named['number']}/documents/{named['signed']}/file/"
    refused(client.get(elsewhere), 404, "not-found")


def test_file_whose_bytes_are_not_those_that_were_signed_is_refused(world: World, casino: Organization) -> None:
    kept = StoredFile.keep(b"%PDF-changed", "application/pdf")
    wrong = StoredFile.objects.create(sha256="9" * 64, packed=kept.packed, size=kept.size, media_type=kept.media_type)
    sign = Paper.objects.get()
    sign.pk, sign.part, sign.signed = None, "guide", wrong
    sign.save()
    address = f"/api/v1/layouts/{world.layout.number}/papers/{wrong.pk}/"
    client = system(made(casino).token)
    assert client.get(address).status_code == 200
    refused(client.get(address, headers=PDF), 400, "document-damaged")
    refused(client.get(f"{address}file/"), 400, "document-damaged")
