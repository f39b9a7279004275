"""After a refusal: one summary of all errors, whose links lead to the fields; what was entered stays."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from submissions.models import Person, Status, Submission
from tests.cast import PASSWORD
from tests.submissions.web.clients import browser, complete

pytestmark = pytest.mark.django_db
SUMMARY = re.compile(r'<div [^>]*id="error-summary"[^>]*>.*?</ul>', re.DOTALL)


def _links(html: str) -> list[str]:
    summary = SUMMARY.search(html)
    assert summary
    assert ' role="alert"' in summary[0]
    assert " autofocus" in summary[0]
    return re.findall(r'href="#([^"]+)"', summary[0])


@pytest.fixture
def ready(manager: Person) -> Submission:
    return complete(manager)


def test_filing_without_attestation_and_passphrase_shows_both(manager: Person, ready: Submission) -> None:
    address, client = f"/submissions/{ready.number}/file/", browser(manager, confirmed=False)
    page = client.post(address, {"version": ready.version}).content.decode()
    assert _links(page) == ["confirm", "attested"]
    assert 'id="attested-error"' in page
    assert 'id="confirm-error"' in page


def test_attestation_stays_when_the_passphrase_is_wrong(manager: Person, ready: Submission) -> None:
    fields = {"version": ready.version, "attested": "yes", "confirm_password": "wrong"}
    client = browser(manager, confirmed=False)
    page = client.post(f"/submissions/{ready.number}/file/", fields).content.decode()
    assert _links(page) == ["confirm"]
    assert re.search(r'id="attested"[^>]* checked', page)
    assert "wrong" not in re.findall(r'<input[^>]*id="confirm"[^>]*>', page)[0]


def test_missing_attestation_is_linked_when_the_passphrase_is_right(manager: Person, ready: Submission) -> None:
    fields = {"version": ready.version, "confirm_password": PASSWORD}
    client = browser(manager, confirmed=False)
    page = client.post(f"/submissions/{ready.number}/file/", fields).content.decode()
    assert _links(page) == ["attested"]
    assert 'id="attested-error"' in page


def test_rejection_without_reason_and_passphrase_shows_both(director: Person, filed: Submission) -> None:
    client = browser(director, confirmed=False)
    page = client.post(f"/submissions/{filed.number}/reject/", {"version": filed.version}).content.decode()
    assert _links(page) == ["confirm", "reason"]
    filed.refresh_from_db()
    assert filed.status == Status.FILED


def test_refused_form_names_the_field(manager: Person) -> None:
    Person.objects.filter(pk=manager.pk).update(administrator=True)
    client = browser(Person.objects.get(pk=manager.pk), confirmed=False)
    fields = {"email": "no address", "name": "New Person", "role": "preparer", "confirm_password": PASSWORD}
    page = client.post("/people/", fields).content.decode()
    assert _links(page) == ["id_email"]
    assert 'value="New Person"' in page


def test_verification_without_a_file_leads_to_the_file() -> None:
    page = Client().post("/verify/").content.decode()
    assert re.search(r'id="error-summary"[^>]*autofocus', page)
    assert '<a href="#document">' in page


def test_page_without_a_refusal_takes_no_focus(manager: Person, ready: Submission) -> None:
    client = browser(manager)
    forms = ("/people/", "/people/stand-ins/", "/bulk/", "/tables/upload/", "/tables/change/")
    for address in ("/", *forms, f"/submissions/{ready.number}/file/", f"/submissions/{ready.number}/"):
        page = client.get(address)
        assert (page.status_code, " autofocus" in page.content.decode()) == (200, False), address
