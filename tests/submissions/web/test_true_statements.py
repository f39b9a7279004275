"""Pages and mails that once said what was not so: each statement under the condition that made it false."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
import time_machine
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import registry
from submissions.filings import compliance, copies, versions
from submissions.layouts import paper_content, readiness
from submissions.models import Job, Part, Person, Version
from tests.health.files import ROOT, modules
from tests.submissions.approved import Cast, change
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.layout_rows import approved_papers
from tests.submissions.rulemakings import publish, rulemaking
from tests.submissions.table_list.lists import enter
from tests.submissions.web.clients import browser

DAY = timedelta(days=1)
READY = "Cleared for play"


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director, computes=False)


def page(client: Client, name: str, *arguments: object, **query: str) -> str:
    answer = client.get(reverse(name, args=arguments), query, follow=True)
    return " ".join(answer.content.decode().split())


def test_game_without_a_guide_is_not_cleared_for_play(cast: Cast) -> None:
    """P1: layout and sign are approved, but the sign says “Not cleared for play”, and there is no guide."""
    revision = cast.version("657a")
    approved_papers(cast, revision, (Part.LAYOUT, Part.SIGN))
    [group] = readiness.readiness_of_revision(revision)
    assert {part.state for part in group.parts} == {"follows"}
    assert not group.ready
    for client, name, arguments in (
        (Client(), "in-force-table", ("east", "657a", "3")),
        (browser(cast.manager), "submission", (revision.submission.number,)),
    ):
        shown = page(client, name, *arguments)
        assert READY not in shown
        assert "All tables have an approved layout" not in shown
        assert "Sign and guide are not cleared for play." in shown
        assert "The text of Chapter 657a is not available" in shown


def test_odds_that_are_not_in_the_text_keep_a_table_from_being_cleared(cast: Cast) -> None:
    revision = cast.version("677a")
    [group] = readiness.readiness_of_revision(revision)
    assert group.not_cleared_for_play.startswith("The payout odds of the Bad Beat Bonus are not in the available text")


def test_discontinued_game_is_not_cleared_for_play(cast: Cast) -> None:
    """P2: the papers of a version that never came into force are approved."""
    revision = cast.version("686a")
    approved_papers(cast, revision)
    manager = browser(cast.manager)
    assert READY in page(manager, "submission", revision.submission.number)
    versions.discontinue(cast.manager, revision.submission, from_day=timezone.localdate(), reason="Not offered.")
    shown = page(manager, "submission", revision.submission.number)
    assert "The game is not offered from" in shown
    assert READY not in shown


def test_receipt_of_an_amendment_names_the_version_in_force(cast: Cast) -> None:
    """P3: the amended version stays in force until the amendment is approved."""
    first = cast.version("686a")
    draft = copies.start_amendment(cast.manager, first.submission)
    change(cast.manager, draft, {"adjacent_boxes": 2})
    cast.file(draft)
    shown = page(browser(cast.manager), "receipt", draft.number)
    assert f"Until the Board approves it, {first.receipt} stays in effect" in shown
    assert "You must not offer the game" not in shown
    assert "A Board director approves or rejects the filing." in shown
    assert "deals this configuration many millions of times" in shown


def test_receipt_of_a_game_in_which_nothing_is_dealt_promises_no_simulation(cast: Cast) -> None:
    draft = cast.version("637a").submission
    shown = page(browser(cast.manager), "receipt", draft.number)
    assert "no simulation is needed" in shown
    assert "many millions of times" not in shown


def test_past_day_counts_only_papers_approved_by_then(cast: Cast, preparer: Person) -> None:
    """P5: the version is in force for two days, its papers are approved today."""
    with time_machine.travel(timezone.now() - 2 * DAY, tick=False):
        revision = cast.version("686a")
        enter(preparer, ("3", "686a"))
    yesterday = timezone.localdate() - DAY
    approved_papers(cast, revision)
    assert READY in page(Client(), "in-force-table", "east", "686a", "3")
    assert READY not in page(Client(), "in-force-table", "east", "686a", "3", on=yesterday.isoformat())
    past = page(Client(), "in-force-game", "east", "686a", on=yesterday.isoformat())
    assert ": cleared for play" not in past
    assert "not cleared for play" in past


def test_table_that_no_filing_names_is_not_called_approved(cast: Cast) -> None:
    """P6: the portal does not know which tables a casino has."""
    cast.version("686a")
    shown = page(Client(), "in-force-table", "east", "686a", "9999")
    assert READY not in shown
    assert "The portal has no table list of this casino. If it offers Over/Under, these rules apply." in shown


def test_games_index_counts_the_versions_in_force_today(cast: Cast) -> None:
    """P7: a version in the register that is scheduled, or was discontinued, is in effect nowhere today."""
    cast.version("686a", from_day=timezone.localdate() + 3 * DAY)
    shown = page(Client(), "chapters")
    assert "the licensees with a version in effect today" in shown
    assert "Nobody yet" not in shown
    assert "No licensee today" in shown


def test_document_that_was_given_up_is_not_being_signed(cast: Cast) -> None:
    """P8: its job has ended without a document."""
    revision = cast.version("686a")
    Job.objects.filter(kind=Job.Kind.DOCUMENT, subject=revision.pk).update(state=Job.State.ERRORED)
    for name, arguments in (("register", ()), ("in-force", ()), ("in-force-table", ("east", "686a", "3"))):
        shown = page(Client(), name, *arguments)
        assert "being signed" not in shown
        assert "not signed yet" in shown


def test_no_page_claims_that_a_game_is_offered() -> None:
    """The portal knows what is approved, not what is played. A wager is offered by the answers of a filing."""
    claim = re.compile(
        r"offered (today )?(by|at)\b|not offered (on|from)\b|licensees? offer|table offers|offers the game", re.I
    )
    files = [
        *(ROOT / "templates").rglob("*.html"),
        *(ROOT / "templates").rglob("*.txt"),
        ROOT / "tests" / "recorded" / "openapi.yaml",
    ]
    doors = re.compile(r"submissions/(web/|api/|public/|(.*/)?(pages|api)(/|\.py$))")
    files += [path for path in modules("submissions") if doors.match(path.relative_to(ROOT).as_posix())]
    found = {f"{path.name}: {match[0]}" for path in files for match in claim.finditer(path.read_text(encoding="utf-8"))}
    assert found == {
        "unlisted_table.html: table offers",  # which one, the portal cannot say
        "discontinue.html: offers the game",  # the licensee says so by discontinuing it
        "amendments.py: Not offered from",
        "amendments.py: not offered from",
    }


def test_lists_of_approved_games_are_not_green_and_say_what_clears_a_game(cast: Cast) -> None:
    revision = cast.version("686a")
    manager = browser(cast.manager)
    for client, name, arguments in (
        (Client(), "register", ()),
        (Client(), "in-force", ()),
        (Client(), "in-force-game", ("east", "686a")),
        (manager, "home", ()),
        (manager, "submission", (revision.submission.number,)),
    ):
        shown = page(client, name, *arguments)
        assert "leared for play" in shown, name
        assert 'verdict--good" aria-labelledby="holds"' not in shown, name
    style = (ROOT / "portal" / "static" / "portal" / "portal.css").read_text(encoding="utf-8")
    green = [rule for rule in style.splitlines() if "var(--green)" in rule]
    assert [rule for rule in green if re.search(r"state--(approved|in-force)", rule)] == []


def test_game_page_is_green_once_its_papers_are_approved(cast: Cast) -> None:
    revision = cast.version("686a")
    lacking = "<strong>Not cleared for play:</strong> layout, payout sign and gaming guide not approved."
    assert lacking in page(Client(), "in-force-game", "east", "686a")
    approved_papers(cast, revision)
    assert "You may offer the game while it is in effect." in page(
        browser(cast.manager), "submission", revision.submission.number
    )
    shown = page(Client(), "in-force-game", "east", "686a")
    assert ("verdict--good" in shown, "<strong>Cleared for play:</strong>" in shown) == (True, True)


def test_game_in_which_nothing_is_dealt_has_passed_no_simulation(cast: Cast) -> None:
    draft = ready_to_file(cast.manager, "637a")
    cast.file(draft)
    client = browser(cast.analyst)
    shown = page(client, "submission", draft.number)
    assert ("No simulation needed" in shown, "You recommend approval or return the filing." in shown) == (True, True)
    assert re.findall(r"simulation has passed|matches the exact figures", shown) == []
    queue = page(client, "home")
    assert ("Not needed" in queue, "Passed" in queue) == (True, False)


def test_compliance_says_whose_versions_it_judged_and_which_it_did_not(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    revision = cast.version("686a")
    assert "All checked versions of your organization comply" in page(browser(cast.manager), "changed-rules")
    assert "All checked versions comply" in page(browser(cast.analyst), "changed-rules")
    monkeypatch.setattr(registry, "folders", dict)  # the chapter was taken away
    today = timezone.localdate()
    periods = compliance.current_periods(Version.objects.filter(revision=revision), today)
    report = compliance.judge_periods(periods, today)
    assert (report.judged, report.not_judged) == (0, 1)
    shown = page(browser(cast.analyst), "changed-rules")
    assert "The portal did not check 1 version, because it no longer has the chapter." in shown
    assert "1 version not checked</h2>" in shown
    assert [
        text for text in ("All checked versions", "No version is in effect", "verdict--good") if text in shown
    ] == []


@pytest.mark.parametrize(("same_rules", "why"), [(True, readiness.WORDS_CHANGED), (False, readiness.DATA_CHANGED)])
def test_mended_wording_is_the_reason_told_once(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, same_rules: bool, why: str
) -> None:
    """A sentence of the guide is mended after its approval; no answer changed, and only if it is so, no rule."""
    revision = cast.version("686a")
    approved_papers(cast, revision, (Part.GUIDE,))
    before = registry.words(registry.chapter("686a"))
    mended = replace(before, guide=replace(before.guide, steps=before.guide.steps[1:]))
    monkeypatch.setattr(paper_content, "words_of", lambda chapter: mended)
    monkeypatch.setattr(readiness, "digests", readiness.digests.__wrapped__)  # a release remembers nothing of another
    if not same_rules:  # one that no paper shows
        publish(monkeypatch, rulemaking("686a", timezone.localdate(), '[chapter]\nstatus = "final"\n'))
    [group] = readiness.readiness_of_revision(revision)
    (guide,) = [part for part in group.parts if part.part is Part.GUIDE]
    assert (guide.state, guide.why) == ("must-follow", (why,))


def test_mails_say_what_is_so() -> None:
    person = {"name": "Ada"}
    digest = render_to_string("mail/digest.txt", {"notices": [], "person": person, "portal": "https://p"})
    decision = render_to_string("mail/decision.txt", {"notices": [], "person": person, "portal": "https://p"})
    invitation = render_to_string("mail/invitation.txt", {"day": "May 1", "link": "https://p/x", "invitation": {}})
    assert "last digest" not in digest
    for mail in (digest, decision):
        assert "Change your e-mail settings: https://p/notices/" in mail
        assert "not at all" not in mail
    assert "only for you" not in invitation
    assert "Anyone who has the link can use it" in invitation
