"""The help names labels that exist: each bold word is on the page that its step names, for the guide's role.

A label is a link, a button, a heading, a legend, a caption or a badge; not running text.
"""

from __future__ import annotations

import re
import tomllib
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from submissions.filings import handover
from submissions.filings.review import comments, decisions
from submissions.layouts import layout_filings
from submissions.models import LayoutDecision, LayoutStatus, Organization, Part, Person, Role
from submissions.web.help import pages
from tests.submissions.approved import Cast
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.filing_rows import filing as filed_row
from tests.submissions.layout_rows import decided, layout_row
from tests.submissions.properties import membership
from tests.submissions.table_list.lists import enter
from tests.submissions.web.clients import browser
from tests.submissions.workbench.steps import CELL, head, written

LABELS = {"a", "button", "caption", "dt", "h1", "h2", "h3", "h4", "label", "legend", "option", "summary", "th"}
UNSEEN = {"usa-sr-only", "quiet"}  # what only a screen reader reads, and small print beside a label
VOID = {"br", "hr", "img", "input", "link", "meta", "wbr"}
BOLD = re.compile(r"\*\*(.+?)\*\*")
Guide = dict[str, Any]


class _Labels(HTMLParser):
    """The words of every label of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: set[str] = set()
        self._open: list[tuple[str, bool, list[str] | None]] = []  # tag, unseen, words of a label

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            return
        classes = set((dict(attrs).get("class") or "").split())
        is_label = tag in LABELS or "state" in classes
        self._open.append((tag, bool(classes & UNSEEN) or "hidden" in dict(attrs), [] if is_label else None))

    def handle_data(self, data: str) -> None:
        if not any(unseen for _, unseen, _ in self._open):
            for words in (words for _, _, words in self._open if words is not None):
                words.append(data)

    def handle_endtag(self, tag: str) -> None:
        while any(name == tag for name, _, _ in self._open):
            name, _, words = self._open.pop()
            self.found.add(" ".join("".join(words or ()).split()))
            if name == tag:
                return


def labels_of(client: Client, address: str) -> set[str]:
    answer = client.get(address)
    assert answer.status_code == 200, address
    parser = _Labels()
    parser.feed(answer.content.decode())
    return parser.found


def guides() -> list[Guide]:
    written_guides = tomllib.loads((pages.HERE / "guides.toml").read_text(encoding="utf-8"))["guide"]
    assert isinstance(written_guides, list)
    return written_guides


@pytest.fixture
def addresses(
    casino: Organization, other_casino: Organization, preparer: Person, manager: Person, analyst: Person,
    director: Person,
) -> dict[str, str]:  # fmt: skip
    """Page of a step → the address of an example that is in that state."""
    cast = Cast(manager, analyst, director, computes=False)
    unsent, sent = ready_to_file(preparer, "593"), ready_to_file(preparer, "593")
    handover.send_to_manager(preparer, sent, version=sent.version, note="Please file it.")
    returned = cast.file(ready_to_file(preparer, "686a")).submission
    comments.write_comment(analyst, returned, revision=1, option="adjacent_boxes", text="Why?", audience="licensee")
    returned.refresh_from_db()
    decisions.return_to_licensee(analyst, returned, version=returned.version)
    filed, recommended = (cast.file(ready_to_file(preparer, number)).submission for number in ("682a", "593"))
    recommended.refresh_from_db()
    decisions.recommend_approval(analyst, recommended, version=recommended.version)
    approved = cast.version("683a").submission
    amended = cast.version("687a")
    layout = layout_row(amended, status=LayoutStatus.APPROVED)  # shows other answers
    decided(layout, LayoutDecision.Kind.APPROVE, director, at="2026-11-03T12:00")
    layout_draft = layout_filings.start_layout_filing(manager, approved, 0, list(Part))
    layout_filed = layout_row(filed_row(manager, "682a"))
    enter(manager, ("1", "590"))
    membership(preparer, other_casino, Role.PREPARER)
    rulemaking = written(analyst, head() + CELL)
    return {
        "home": reverse("home"),
        "checklist": reverse("checklist", args=[unsent.number]),
        "checklist:returned": reverse("checklist", args=[returned.number]),
        "file": reverse("file", args=[unsent.number]),
        "file:sent": reverse("file", args=[sent.number]),
        "file:returned": reverse("file", args=[returned.number]),
        "receipt": reverse("receipt", args=[filed.number]),
        "submission:sent": reverse("submission", args=[sent.number]),
        "submission:filed": reverse("submission", args=[filed.number]),
        "submission:recommended": reverse("submission", args=[recommended.number]),
        "submission:approved": reverse("submission", args=[approved.number]),
        "submission:amended": reverse("submission", args=[amended.submission.number]),
        "copy": reverse("copy", args=[approved.number]),
        "layout:draft": reverse("layout", args=[layout_draft.number]),
        "layout:filed": reverse("layout", args=[layout_filed.number]),
        "tables": reverse("tables"),
        "tables-of": reverse("tables-of", args=[casino.slug]),
        "bulk": reverse("bulk"),
        "people": reverse("people"),
        "stand-ins": reverse("stand-ins"),
        "in-force": reverse("in-force"),
        "search": reverse("search"),
        "rulemakings": reverse("rulemakings"),
        "rulemaking:draft": reverse("rulemaking", args=[rulemaking.number]),
        "verify": reverse("verify"),
    }


@pytest.mark.slow
def test_bold_words_of_a_step_are_labels_of_its_page(
    addresses: dict[str, str], preparer: Person, manager: Person, reader: Person, analyst: Person, director: Person
) -> None:
    people = {person.role: person for person in (preparer, manager, reader, analyst, director)}
    missing, named = list[str](), set[str]()
    for guide in guides():
        client, seen = browser(people.get(guide["key"])), dict[str, set[str]]()
        for step in (step for task in guide["task"] for step in task["steps"]):
            page, bold = step.get("page"), BOLD.findall(step["text"])
            assert bool(page) == bool(bold), step
            if page and page not in seen:
                seen[page] = labels_of(client, addresses[page])
            missing += [f"{guide['key']}, {page}: {words}" for words in bold if words not in seen[page]]
        named |= set(seen)
    assert missing == []
    assert named == set(addresses), "an example that no step needs"


def test_label_is_what_a_person_sees() -> None:
    parser = _Labels()
    parser.feed(
        '<p>My tasks</p><h2>Layouts <span class="quiet">by law</span></h2>'
        '<a>Start<span class="usa-sr-only"> Poker</span></a><p hidden><a>No</a></p><span class="state">Draft</span>'
    )
    assert parser.found - {""} == {"Layouts", "Start", "Draft"}
