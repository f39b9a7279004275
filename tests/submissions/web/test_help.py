"""Help: a guide for each role with its pictures, the words, the contact; the tour until it is closed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings as project
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from submissions.filings import drafts
from submissions.models import Person, Role
from submissions.web import components
from submissions.web.help.pages import guides, terms
from tests.games.chapters.examples import example
from tests.submissions.approved import Cast
from tests.submissions.web.clients import browser

PICTURES = Path(project.BASE_DIR) / "portal" / "static" / "portal" / "help"


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director)


def text(client: Client, name: str, *parts: str) -> str:
    answer = client.get(reverse(name, args=parts))
    assert answer.status_code == 200
    return answer.content.decode()


def test_every_role_and_the_public_have_a_guide(db: None) -> None:
    assert {guide["key"] for guide in guides()} == {*Role.values, "public"}
    for guide in guides():
        page = text(Client(), "help-role", guide["key"])
        assert page.count('<li class="usa-process-list__item">') == sum(len(task["steps"]) for task in guide["tasks"])


def test_pictures_of_the_guides_exist_and_have_words(db: None) -> None:
    shown = {task["picture"]: task["alt"] for guide in guides() for task in guide["tasks"] if "picture" in task}
    assert {path.stem for path in PICTURES.glob("*.png")} == set(shown)
    assert all(shown.values())


def test_guide_of_an_unknown_role_is_not_found(db: None) -> None:
    assert Client().get("/help/croupier/").status_code == 404


def test_glossary_has_each_word_once_with_an_anchor(db: None) -> None:
    page = text(Client(), "help-glossary")
    assert re.findall(r'<div id="([\w-]+)" tabindex="-1">', page) == [term["key"] for term in terms()]
    assert len({term["key"] for term in terms()}) == len(terms())


def test_words_of_pages_lead_to_their_meaning(cast: Cast) -> None:
    version = cast.version("686a")
    pages = [text(browser(cast.analyst), name, version.submission.number) for name in ("submission", "receipt")]
    pages.append(text(Client(), "in-force-game", "east", "686a"))
    pages.append(render_to_string("parts/evidence_holds.html", {"evidence": {"rows": []}}))
    linked = [set(re.findall(r'class="term" href="/help/glossary/#([\w-]+)"', page)) for page in pages]
    assert linked == [
        {"digest", "finding", "hold"},
        {"digest", "simulation"},
        {"hold", "paytable"},
        {"hold", "volatility", "would-find"},
    ]
    with pytest.raises(KeyError):
        components.term({}, "no-such-word", "Word")


def test_word_leads_to_its_meaning_where_it_comes_first(cast: Cast) -> None:
    version = cast.version("686a")
    for name in ("submission", "receipt", "changes"):
        page = text(browser(cast.analyst), name, version.submission.number)
        linked = re.findall(r'class="term" href="/help/glossary/#([\w-]+)"', page)
        assert len(linked) == len(set(linked)), name


def test_words_of_the_regulation_lead_from_the_checklist(manager: Person) -> None:
    draft = drafts.start_submission(manager, "678a")
    answers = dict(example("678a"))
    drafts.save_answers(manager, draft, answers, seen={})
    page = text(browser(manager), "checklist", draft.number)
    for key, line in (
        ("rate-of-progression", "progressive_rate"),
        ("reset", "progressive_reset"),
        ("payout-limit", "payout_limit_established"),
    ):
        help_of_line = page.split(f'id="help-{line}"')[1].split("</div>")[0]
        assert page.count(f'href="/help/glossary/#{key}"') == 1
        assert f'href="/help/glossary/#{key}"' in help_of_line


def test_help_names_the_guide_of_ones_own_role(manager: Person) -> None:
    page = text(browser(manager), "help")
    mine = page[page.index("/help/table_games_manager/") :]
    assert "(your role)" in mine[: mine.index("</li>")]


def test_tour_is_offered_on_the_first_page_until_it_is_closed(manager: Person) -> None:
    client = browser(manager)
    assert "New here?" in text(client, "home")
    assert "New here?" not in text(client, "register")
    assert client.post(reverse("close-tour")).status_code == 302
    assert "New here?" not in text(client, "home")


def test_agency_and_contact_are_shown_where_they_are_set(db: None, settings: Settings) -> None:
    assert "An official service of" not in text(Client(), "help")
    settings.AGENCY = {
        "name": "Demo Board", "address": "https://board.example.test", "mail": "help@board.example.test",
        "phone": "717-555-0100", "links": [("Privacy", "https://board.example.test/privacy")],
    }  # fmt: skip
    page = text(Client(), "help")
    for words in ("An official service of", "Demo Board", "mailto:help@board.example.test", "717-555-0100", "Privacy"):
        assert words in page


@pytest.mark.parametrize("role", ["analyst", "director"])
def test_tour_of_the_board_is_that_of_the_role(role: str, request: pytest.FixtureRequest) -> None:
    assert f"/help/{role}/" in text(browser(request.getfixturevalue(role)), "home")
