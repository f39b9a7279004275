"""Before a signature the person confirms who they are, by passphrase or code; wrongly, nothing is signed or lost."""

from __future__ import annotations

import time

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.test import Client
from django.urls import reverse

from submissions.accounts.pages import reauthentication
from submissions.filings import filing
from submissions.filings.review import decisions
from submissions.models import Person, Revision, Simulation, Submission
from tests import cast
from tests.cast import PASSWORD
from tests.submissions.web.clients import browser, complete


@pytest.fixture(scope="module", autouse=True)
def completed(module_rows: None) -> Submission:
    return complete(cast.manager())


@pytest.fixture
def ready(completed: Submission, db: None) -> Submission:
    return Submission.objects.get(pk=completed.pk)


@pytest.fixture
def filed(manager: Person, ready: Submission) -> Submission:
    filing.file_submission(manager, ready, version=ready.version, attested=True)
    ready.refresh_from_db()
    return ready


@pytest.fixture
def tested(filed: Submission) -> Submission:
    """As if its simulation had passed."""
    Simulation.objects.update(passed=True)
    return filed


def file(client: Client, submission: Submission, entered: str = "") -> tuple[int, str]:
    form = {"version": submission.version, "attested": "yes", reauthentication.FIELD: entered}
    answer = client.post(reverse("file", args=[submission.number]), form)
    return answer.status_code, answer.content.decode()


def decide(client: Client, submission: Submission, verb: str, **form: object) -> tuple[int, str]:
    answer = client.post(
        reverse("decide", args=[submission.number, verb]), {"version": submission.version, **form}, follow=True
    )
    return answer.status_code, answer.content.decode()


def code(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def test_filing_asks_for_the_passphrase_and_keeps_the_tick(manager: Person, ready: Submission) -> None:
    client = browser(manager, confirmed=False)
    missing, wrong = file(client, ready), file(client, ready, "not it")
    assert (missing[0], "Confirm that it is you before you sign." in missing[1]) == (403, True)
    assert (wrong[0], "Incorrect passphrase." in wrong[1]) == (403, True)
    assert all('value="yes" checked' in shown for _, shown in (missing, wrong))
    assert "not it" not in wrong[1]
    assert not Revision.objects.exists()
    assert file(client, ready, PASSWORD)[0] == 302


def test_confirmation_lasts_five_minutes(manager: Person, ready: Submission) -> None:
    client = browser(manager, confirmed=False)
    session = client.session
    session[reauthentication.CONFIRMED] = time.time() - reauthentication.CONFIRMED_FOR.total_seconds() - 1
    session.save()
    assert file(client, ready)[0] == 403
    session[reauthentication.CONFIRMED] = time.time() - reauthentication.CONFIRMED_FOR.total_seconds() + 20
    session.save()
    assert 'id="confirm"' not in client.get(reverse("file", args=[ready.number])).content.decode()
    assert file(client, ready)[0] == 302


def test_confirmation_from_the_future_is_none(manager: Person, ready: Submission) -> None:
    client = browser(manager, confirmed=False)
    session = client.session
    session[reauthentication.CONFIRMED] = time.time() + 3600
    session.save()
    assert file(client, ready)[0] == 403


@pytest.mark.parametrize("verb", ["recommend", "approve", "reject"])
def test_step_that_signs_is_refused_unconfirmed(
    tested: Submission, analyst: Person, director: Person, verb: str
) -> None:
    if verb == "approve":
        decisions.recommend_approval(analyst, tested, version=tested.version)
        tested.refresh_from_db()
    client, before = browser(director, confirmed=False), tested.status
    status, shown = decide(client, tested, verb, reason="It is as the rules want it.")
    tested.refresh_from_db()
    assert (status, tested.status) == (403, before)
    assert "Confirm that it is you" in shown
    decide(
        client,
        tested,
        verb,
        reason="It is as the rules want it.",
        confirmed="yes",
        **{reauthentication.FIELD: PASSWORD},
    )
    tested.refresh_from_db()
    assert tested.status != before


def test_withdrawing_asks_for_nothing(manager: Person, filed: Submission) -> None:
    client = browser(manager, confirmed=False)
    assert decide(client, filed, "withdraw", reason="The pit is closed.")[0] == 200
    filed.refresh_from_db()
    assert filed.status == "withdrawn"


def test_second_factor_confirms_by_code_which_is_taken_once(manager: Person, ready: Submission) -> None:
    secret = generate_totp_secret()
    TOTP.activate(manager, secret)
    client = browser(manager, confirmed=False)
    shown = client.get(reverse("file", args=[ready.number])).content.decode()
    assert "Code of your authenticator app" in shown
    assert file(client, ready, PASSWORD)[0] == 403
    shown_code, other = code(secret), browser(manager, confirmed=False)
    assert file(client, ready, shown_code)[0] == 302
    status, again = file(other, complete(manager, "687a"), shown_code)
    assert (status, "it was already used" in again) == (403, True)


def test_recovery_code_confirms_once(manager: Person, ready: Submission) -> None:
    TOTP.activate(manager, generate_totp_secret())
    spare = RecoveryCodes.activate(manager).get_unused_codes()[0]
    assert file(browser(manager, confirmed=False), ready, spare)[0] == 302
    assert file(browser(manager, confirmed=False), complete(manager, "687a"), spare)[0] == 403


def test_guessing_is_stopped_even_with_the_right_passphrase(manager: Person, ready: Submission) -> None:
    client = browser(manager, confirmed=False)
    for _ in range(5):
        file(client, ready, "not it")
    status, shown = file(client, ready, PASSWORD)
    assert (status, "Too many incorrect attempts." in shown) == (403, True)
    assert not Revision.objects.exists()


def test_passphrase_of_somebody_else_confirms_nothing(manager: Person, preparer: Person, ready: Submission) -> None:
    preparer.set_password("the preparer's own passphrase")
    preparer.save()
    assert file(browser(manager, confirmed=False), ready, "the preparer's own passphrase")[0] == 403
