"""Filings that rest on missing text: refused by one code at every door, unless the operator allows them."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.conf import LazySettings
from django.urls import reverse
from django.utils import timezone

from games.registry import folders
from submissions.core.errors import SHOWN_REFUSAL, Refusal
from submissions.filings import filing
from submissions.filings.planned_day import plan_effective_day
from submissions.filings.review import decisions
from submissions.models import Batch, Organization, Person, Status, Submission
from tests.submissions.api.clients import made, system
from tests.submissions.approved import Cast, change
from tests.submissions.bulk.batches import outcomes, sent, work
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.rulemakings import publish, rulemaking
from tests.submissions.web.clients import browser

pytestmark = pytest.mark.django_db
ENTERED = '[[section]]\ncitation = ".12(c)"\ntext = "- (c) The words of the rulemaking, with the rate."\n'
RATE = "The Progressive Bonus Wager cannot be filed. The available text lacks its rate of progression (§ 687a.12(c))."


@pytest.fixture(autouse=True)
def in_service(settings: LazySettings) -> LazySettings:
    """As in service, where missing text is not allowed."""
    settings.ALLOW_MISSING_TEXT = False
    return settings


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director, computes=False)


def outcome(manager: Person, draft: Submission) -> str:
    """ "filed", or the code of the refusal."""
    try:
        filing.file_submission(manager, draft, version=draft.version, attested=True)
    except Refusal as refusal:
        return refusal.code
    return "filed"


def recommended(cast: Cast, settings: LazySettings) -> Submission:
    """Filed and recommended while the portal allowed missing text."""
    settings.ALLOW_MISSING_TEXT = True
    draft = ready_to_file(cast.manager, "687a")
    cast.file(draft)
    draft.refresh_from_db()
    decisions.recommend_approval(cast.analyst, draft, version=draft.version)
    draft.refresh_from_db()
    settings.ALLOW_MISSING_TEXT = False
    return draft


def test_examples_on_missing_text_are_refused_and_all_others_filed(in_service: LazySettings, manager: Person) -> None:
    drafts = {number: ready_to_file(manager, number) for number in folders()}
    refused = {number for number, draft in drafts.items() if outcome(manager, draft) == "text-missing"}
    assert refused == {"637a", "655a", "657a", "677a", "687a"}
    assert set(Submission.objects.exclude(status=Status.FILED).values_list("chapter", flat=True)) == refused
    in_service.ALLOW_MISSING_TEXT = True
    assert {outcome(manager, drafts[number]) for number in refused} == {"filed"}


def test_same_game_without_the_wager_is_filed(manager: Person) -> None:
    draft = ready_to_file(manager, "687a")
    lines = dict.fromkeys(("progressive_bet", "progressive_paytable", "folded_hands_qualify"))
    change(manager, draft, {"progressive_bonus_wager": False, **lines})
    draft.refresh_from_db()
    assert outcome(manager, draft) == "filed"


def test_page_api_and_bulk_refuse_it_by_the_same_code(manager: Person, casino: Organization) -> None:
    draft = ready_to_file(manager, "687a")
    form = {"version": draft.version, "attested": "yes"}
    page = browser(manager).post(reverse("file", args=[draft.number]), form)
    assert (page.status_code, page.wsgi_request.environ[SHOWN_REFUSAL]) == (400, "text-missing")
    assert RATE in page.content.decode().replace("\N{NO-BREAK SPACE}", " ")
    key = made(casino, scopes=["read", "prepare", "file"])
    batch = sent(key.credential, {"action": "file", "submission": draft.number, "version": draft.version})
    address, body = f"/api/v1/submissions/{draft.number}/file/", {"version": draft.version}
    answer = system(key.token).post(address, body, content_type="application/json")
    alone = work(Batch.objects.get(number=answer.json()["number"]))
    sandbox = made(casino, scopes=["prepare"], live=False).credential
    omaha = sent(sandbox, {"action": "create", "chapter": "637a", "answers": {"omaha": True}})
    assert [outcomes(each) for each in (batch, alone, omaha)] == [[("refused", "text-missing")]] * 3


def test_pages_and_judgment_show_it_before_the_filing(
    in_service: LazySettings, manager: Person, casino: Organization
) -> None:
    draft, client = ready_to_file(manager, "687a"), browser(manager)

    def shown() -> list[bool]:
        pages = (client.get(reverse(name, args=[draft.number])).content.decode() for name in ("checklist", "file"))
        return [RATE in page.replace("\N{NO-BREAK SPACE}", " ") for page in pages]

    def blocking() -> int:
        body = {"answers": draft.configurations.get().answers}
        address = "/api/v1/chapters/687a/judge/?fields=blocking"
        answer = system(made(casino).token).post(address, body, content_type="application/json")
        return int(answer.json()["blocking"])

    assert (shown(), blocking()) == ([True, True], 1)
    in_service.ALLOW_MISSING_TEXT = True
    assert (shown(), blocking()) == ([False, False], 0)


def test_rulemaking_that_enters_the_text_allows_filings_for_its_day(
    manager: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    first: date = timezone.localdate() + timedelta(days=40)
    publish(monkeypatch, rulemaking("687a", first, ENTERED))
    draft = ready_to_file(manager, "687a")
    found = [
        outcome(manager, plan_effective_day(manager, draft, day)) for day in (None, first - timedelta(days=1), first)
    ]
    assert found == ["text-missing", "text-missing", "filed"]


def test_filing_made_while_it_was_allowed_is_not_approved_afterwards(cast: Cast, in_service: LazySettings) -> None:
    submission = recommended(cast, in_service)
    with pytest.raises(Refusal) as refused:
        decisions.approve_submission(cast.director, submission, version=submission.version, confirmed=True)
    assert (refused.value.code, refused.value.citation) == ("text-missing", "§ 687a.12(c)")
    assert refused.value.message == f"You cannot recommend or approve this filing. {RATE}"
    submission.refresh_from_db()
    assert submission.status == Status.RECOMMENDED


def test_it_is_approved_for_the_day_on_which_a_rulemaking_enters_the_text(
    cast: Cast, in_service: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    submission, first = recommended(cast, in_service), timezone.localdate() + timedelta(days=40)
    publish(monkeypatch, rulemaking("687a", first, ENTERED))

    def approve(day: date) -> None:
        version = submission.version
        decisions.approve_submission(cast.director, submission, version=version, from_day=day, confirmed=True)

    with pytest.raises(Refusal) as refused:
        approve(first - timedelta(days=1))
    assert refused.value.code == "text-missing"
    approve(first)
    submission.refresh_from_db()
    assert submission.status == Status.APPROVED


@pytest.mark.parametrize(
    ("demo", "allowed", "words"),
    [
        (True, True, "The demo takes filings whose text is missing."),
        (False, True, "PORTAL_ALLOW_MISSING_TEXT is 1"),
        (True, False, ""),
        (False, False, ""),
    ],
)
def test_pages_say_that_missing_text_is_allowed(
    in_service: LazySettings, manager: Person, demo: bool, allowed: bool, words: str
) -> None:
    in_service.DEMO, in_service.ALLOW_MISSING_TEXT = demo, allowed
    page = browser(manager).get(reverse("home")).content.decode()
    assert words in page
    assert ("text is missing" in page) == bool(words)
