"""What people do in a browser is in the security log: who, from where, with what outcome; and nothing secret is."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core import mail
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client

from submissions.accounts.pages import reauthentication
from submissions.models import AccessRecord, Organization, Person, Submission
from submissions.security_log.records import LOGGER, serialize_record
from tests.cast import PASSWORD
from tests.submissions.layout_rows import filed_rules
from tests.submissions.web.clients import CompactClient, browser
from tests.submissions.web.test_agency_sign_in import configured, provider, sign_in  # noqa: F401  fixtures
from tests.submissions.web.test_confirmation_page import code, confirm
from tests.submissions.web.test_forgotten_passphrase import RESET, link

pytestmark = pytest.mark.service("transactions")

HOME, AGENT = "192.0.2.10", "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0 " + "x" * 300
SIGN_IN, SECOND_STEP = "/accounts/login/", "/accounts/2fa/authenticate/"
NEW = "another long demo passphrase"


def at_home() -> Client:
    return CompactClient(REMOTE_ADDR=HOME, headers={"User-Agent": AGENT, "X-Request-Id": "4b1f-77"})


def enter(client: Client, email: str, passphrase: str = PASSWORD) -> None:
    client.post(SIGN_IN, {"login": email, "password": passphrase})


def records() -> list[tuple[str, str, str]]:
    """Kind, reason and who it concerns of every row, in order."""
    rows = AccessRecord.objects.select_related("person").order_by("pk")
    return [(row.kind, row.reason, row.person.name if row.person else "") for row in rows]


@pytest.fixture
def secret(manager: Person) -> str:
    """The secret of the manager's authenticator app; there are recovery codes, too."""
    secret = generate_totp_secret()
    TOTP.activate(manager, secret)
    RecoveryCodes.activate(manager)
    return secret


def test_sign_in_and_out_are_recorded_with_all_that_is_known(manager: Person) -> None:
    client = at_home()
    enter(client, manager.email)
    request_id = client.post("/accounts/logout/")["X-Request-ID"]
    signed_in, signed_out = AccessRecord.objects.order_by("pk")
    assert (signed_in.kind, signed_out.kind) == ("sign-in", "sign-out")
    assert (signed_in.outcome, signed_in.reason) == ("success", "")
    assert (signed_in.person, signed_in.organization) == (manager, manager.organization)
    assert (signed_in.address, signed_in.agent) == (HOME, AGENT[:200])
    assert signed_out.request_id == request_id != signed_in.request_id  # a number sent by anyone is not used
    assert signed_in.details == {"with": "password"}
    assert re.fullmatch("[0-9a-f]{64}", signed_in.session)
    assert signed_in.session == signed_out.session


def test_wrong_passphrase_of_a_person_is_theirs_and_of_a_stranger_is_masked(manager: Person) -> None:
    client = at_home()
    enter(client, manager.email.upper(), "wrong")
    enter(client, "nobody@east.example.test", "wrong")
    enter(client, "my-secret-passphrase@elsewhere.test", "wrong")
    known, unknown, elsewhere = AccessRecord.objects.order_by("pk")
    for row in (known, unknown, elsewhere):
        assert (row.kind, row.outcome, row.reason) == ("sign-in-failed", "failure", "passphrase-wrong")
    assert (known.person, known.organization, known.account_masked) == (manager, manager.organization, "")
    assert (unknown.person, unknown.organization) == (None, None)
    assert (unknown.account_masked, elsewhere.account_masked) == ("n…@east.example.test", "…")
    assert len({unknown.account_digest, elsewhere.account_digest, ""}) == 3


def test_same_unknown_account_is_recognized_again_only_with_the_secret_key(manager: Person, settings: Any) -> None:
    for email in ("nobody@east.example.test", "Nobody@East.example.test"):
        enter(browser(), email, "wrong")
    settings.SECRET_KEY = "another secret key of more than forty characters"
    enter(browser(), "nobody@east.example.test", "wrong")
    first, second, third = AccessRecord.objects.order_by("pk").values_list("account_digest", flat=True)
    assert first == second != third


def test_attempts_that_must_wait_are_recorded_as_such(manager: Person) -> None:
    for _ in range(7):
        enter(at_home(), manager.email, "wrong")
    wrong, too_many = ("sign-in-failed", "passphrase-wrong", manager.name), "too-many-attempts"
    assert records() == [wrong] * 5 + [("sign-in-failed", too_many, manager.name)] * 2


def test_deactivated_person_is_recorded(manager: Person) -> None:
    Person.objects.filter(pk=manager.pk).update(is_active=False)
    enter(at_home(), manager.email)
    assert records() == [("sign-in-failed", "deactivated", manager.name)]


def test_codes_after_the_passphrase_are_recorded(manager: Person, secret: str) -> None:
    with time_machine.travel(float(int(time.time())), tick=False):
        client = at_home()
        enter(client, manager.email)
        client.post(SECOND_STEP, {"code": "000000"})
        client.post(SECOND_STEP, {"code": code(secret)})
        cache.clear()  # where django-allauth remembers the code, too
        other = at_home()
        enter(other, manager.email)
        other.post(SECOND_STEP, {"code": code(secret)})  # the same
    assert records() == [
        ("sign-in-failed", "code-wrong", manager.name),
        ("sign-in", "", manager.name),
        ("sign-in-failed", "code-used", manager.name),
    ]
    assert AccessRecord.objects.get(kind="sign-in").details == {"with": "password, totp"}


def test_recovery_code_that_signs_in_is_recorded(manager: Person, secret: str) -> None:
    used = RecoveryCodes(Authenticator.objects.get(type="recovery_codes")).get_unused_codes()[0]
    client = at_home()
    enter(client, manager.email)
    client.post(SECOND_STEP, {"code": used})
    assert records() == [("recovery-code-used", "", manager.name), ("sign-in", "", manager.name)]


def test_answer_that_is_no_passkey_is_recorded(manager: Person, secret: str) -> None:
    client = at_home()
    enter(client, manager.email)
    client.post(SECOND_STEP, {"credential": "{}"})
    client.post(SECOND_STEP, {"credential": "no JSON"})
    assert records() == [("sign-in-failed", "passkey-wrong", manager.name)] * 2


def test_confirmations_are_recorded_and_the_question_is_not_a_denial(manager: Person) -> None:
    client = browser(manager, confirmed=False)
    confirm(client, "")
    for _ in range(6):
        confirm(client, "wrong")
    other = browser(manager, confirmed=False)
    confirm(other, PASSWORD)
    sign_in_record, failed = ("sign-in", "", manager.name), "confirmation-failed"
    assert records() == [
        sign_in_record,
        *[(failed, "confirmation-wrong", manager.name)] * 5,
        (failed, "confirmation-too-often", manager.name),
        sign_in_record,
        ("confirmed", "", manager.name),
    ]


@pytest.mark.django_db(transaction=True)  # django-allauth says some of them after the commit
def test_changes_of_a_sign_in_are_recorded(manager: Person) -> None:
    client = browser(manager)
    client.get("/accounts/2fa/totp/activate/")
    secret = client.session["mfa.totp.secret"]
    client.post("/accounts/2fa/totp/activate/", {"code": code(secret)})
    client.get("/accounts/2fa/recovery-codes/")
    client.get("/accounts/2fa/recovery-codes/download/")
    client.post("/accounts/2fa/recovery-codes/generate/")
    client.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    client.post("/accounts/2fa/totp/deactivate/")
    kinds = [kind for kind, reason, who in records() if (reason, who) == ("", manager.name)]
    assert sorted(kinds) == sorted(
        [
            "sign-in", "factor-added", "recovery-codes-made", "recovery-codes-shown", "recovery-codes-shown",
            "recovery-codes-made", "passphrase-changed", "factor-removed", "factor-removed",
        ]
    )  # fmt: skip
    assert len(kinds) == len(records())


def test_reset_of_a_passphrase_is_recorded(manager: Person) -> None:
    client = at_home()
    client.post(RESET, {"email": manager.email})
    form = client.get(link())["Location"]
    client.post(form, {"password1": NEW, "password2": NEW})
    client.post(RESET, {"email": "nobody@east.example.test"})
    assert records() == [
        ("passphrase-reset-requested", "", manager.name),
        ("passphrase-reset", "", manager.name),
        ("passphrase-reset-requested", "no-account", ""),
    ]


def test_session_ended_from_elsewhere_is_recorded(manager: Person) -> None:
    for _ in range(3):
        client = at_home()
        enter(client, manager.email)
        client.get("/people/")
    page = client.get("/accounts/sessions/").content.decode()
    client.post(re.findall(r'action="(/sessions/\d+/end/)"', page)[0])
    confirm(client, PASSWORD)
    client.post("/accounts/sessions/")
    ended = AccessRecord.objects.filter(kind="session-ended").order_by("pk")
    signed_in = list(AccessRecord.objects.filter(kind="sign-in").order_by("pk").values_list("session", flat=True))
    assert {row.details["ended"] for row in ended} == set(signed_in[:2])
    assert {row.session for row in ended} == {signed_in[2]}


def test_second_factor_that_an_administrator_removes_is_recorded(
    manager: Person, preparer: Person, secret: str
) -> None:
    Person.objects.filter(pk=preparer.pk).update(administrator=True)
    browser(Person.objects.get(pk=preparer.pk)).post(f"/people/{manager.pk}/second-factor/")
    removed = AccessRecord.objects.get(kind="factor-removed")
    assert (removed.person, removed.object_reference) == (preparer, f"person pk={manager.pk}")


def test_agency_accounts_are_recorded(configured: Any, director: Person) -> None:  # noqa: F811  a fixture
    sign_in("director")
    sign_in("unknown")
    signed_in, refused = AccessRecord.objects.order_by("pk")
    assert (signed_in.kind, signed_in.person, signed_in.details) == ("sign-in", director, {"with": "socialaccount"})
    assert (refused.kind, refused.reason, refused.person) == ("sign-in-failed", "agency-account-unknown", None)
    assert refused.account_masked == "n…@board.example.test"


def test_denied_access_is_recorded_with_its_reason_and_object(preparer: Person, filed: Submission) -> None:
    client = browser(preparer)
    client.post(f"/submissions/{filed.number}/remarks/", {"text": "May I?"})
    client.get("/workload/")
    strict = CompactClient(enforce_csrf_checks=True)
    strict.force_login(preparer)
    strict.post("/notices/", {"mails": "none"})
    denied = AccessRecord.objects.filter(kind="access-denied").order_by("pk")
    assert [(row.reason, row.object_reference, row.details, row.person) for row in denied] == [
        ("not-allowed", f"remark number={filed.number}", {"method": "POST"}, preparer),
        ("not-allowed", "workload", {"method": "GET"}, preparer),
        ("csrf-failed", "notices", {"method": "POST"}, preparer),
    ]


def test_exports_say_what_filter_and_rows(manager: Person, filed: Submission, draft: Submission) -> None:
    client = browser(manager)
    client.get("/search/export.csv?status=filed")
    client.get("/search/export.csv")
    client.get("/bulk/configurations.xlsx")
    exported = AccessRecord.objects.filter(kind="export").order_by("pk")
    assert [(row.object_reference, row.details) for row in exported] == [
        ("export-csv", {"filter": "status=filed", "rows": 1}),
        ("export-csv", {"filter": "", "rows": 2}),
        ("bulk-workbook", {"filter": "", "rows": 1}),
    ]
    assert {row.person for row in exported} == {manager}


@pytest.fixture
def with_file(manager: Person) -> Submission:
    """A filing of the chapter whose example has a file."""
    return filed_rules(manager, "688a")


def test_downloads_of_files_are_recorded_and_pages_are_not(manager: Person, with_file: Submission) -> None:
    filed, file = with_file, with_file.attachments.get()
    client = browser(manager)
    address = f"/submissions/{filed.number}/files/{file.stored_id}/"
    client.get(address)
    client.head(address)
    client.get(f"/submissions/{filed.number}/papers/0/layout.svg")
    client.get(f"/submissions/{filed.number}/")
    client.get("/verify/")
    downloads = AccessRecord.objects.exclude(kind="sign-in").order_by("pk")
    assert [(row.kind, row.object_reference) for row in downloads] == [
        ("download", f"attachment number={filed.number} sha256={file.stored_id}"),
        ("download", f"paper-draft number={filed.number} group=0 part=layout kind=svg"),
    ]


def test_file_does_not_leave_if_it_cannot_be_recorded(manager: Person, with_file: Submission) -> None:
    """Fail closed: the row comes first."""
    address = f"/submissions/{with_file.number}/files/{with_file.attachments.get().stored_id}/"
    client, another = browser(manager), browser(manager)
    another.raise_request_exception = False
    assert [client.get(address).status_code, client.get(address).status_code] == [200, 200]
    assert AccessRecord.objects.filter(kind="download").count() == 1  # the same again within a minute is no new row
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE submissions_failurecount RENAME TO failures_elsewhere")
        cursor.execute("ALTER TABLE submissions_accessrecord RENAME TO records_elsewhere")
        assert another.get(address).status_code == 500
        transaction.set_rollback(True)


@pytest.fixture
def lines() -> Iterator[list[str]]:
    """The lines that the logger gets."""
    written: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: written.append(record.getMessage())
    logging.getLogger(LOGGER).addHandler(handler)
    yield written
    logging.getLogger(LOGGER).removeHandler(handler)


@pytest.mark.django_db(transaction=True)  # the lines follow the commit
def test_nothing_secret_is_recorded(manager: Person, lines: list[str]) -> None:
    """Neither passphrases (right, wrong, in the wrong field) nor codes, links, session keys: in no column, no line."""
    client = browser(manager)
    client.get("/accounts/2fa/totp/activate/")
    totp = client.session["mfa.totp.secret"]
    used = code(totp)
    client.post("/accounts/2fa/totp/activate/", {"code": used})
    recovery = RecoveryCodes(Authenticator.objects.get(type="recovery_codes")).get_unused_codes()
    client.get("/accounts/2fa/recovery-codes/")
    sessions = [client.session.session_key]
    client.post("/accounts/logout/")
    for email, passphrase in ((manager.email, "wrong-marker-1"), ("wrong-marker-2@field.test", "wrong-marker-3")):
        enter(client, email, passphrase)
    enter(client, manager.email)
    client.post(SECOND_STEP, {"code": "918273"})
    client.post(SECOND_STEP, {"code": recovery[0]})
    sessions.append(client.session.session_key)
    client.post("/accounts/reauthenticate/", {reauthentication.FIELD: "wrong-marker-4", "next": "/wrong-marker-5/"})
    client.post(RESET, {"email": manager.email})
    reset = link()
    client.get("/invitations/wrong-marker-6/")
    markers = [
        PASSWORD, totp, used, "918273", *recovery, *sessions, reset.rpartition("/")[2] or reset.split("/")[-2],
        *(f"wrong-marker-{number}" for number in range(1, 7)),
    ]  # fmt: skip
    rows = list(AccessRecord.objects.values())
    texts = [json.dumps(rows, default=str), *(json.dumps(serialize_record(row)) for row in AccessRecord.objects.all())]
    texts += lines
    assert len(rows) == len(lines) >= 9
    assert mail.outbox
    assert [(marker, text[:80]) for marker in markers for text in texts if marker in text] == []


def test_licensee_without_people_has_no_known_domain(other_casino: Organization) -> None:
    enter(browser(), "guess@west.example.test", "wrong")
    assert AccessRecord.objects.get().account_masked == "…"
