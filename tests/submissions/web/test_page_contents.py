"""Long pages: links to their sections that work without script, and sections that fold once a filing is decided."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from submissions.models import Person, Status, Submission
from submissions.web.components import entries_of
from tests.submissions.web.clients import browser

NAVIGATION = re.compile(r'<nav class="page-contents".*?</nav>', re.DOTALL)
HEADINGS = '<h2 id="a">First <span>part</span></h2><h2 class="x" id="b">A &amp; B</h2>'


def _targets(html: str) -> list[str]:
    found = NAVIGATION.findall(html)
    assert len(found) == 1
    return re.findall(r'href="#([^"]+)"', found[0])


def test_entries_are_the_headings_with_an_id() -> None:
    html = HEADINGS + '<h2>None</h2><h3 id="c">Below</h3><h2 id="d" data-contents="Short">A long heading</h2>'
    assert [(entry.target, entry.text) for entry in entries_of(html)] == [
        ("a", "First part"), ("b", "A &amp; B"), ("d", "Short"),
    ]  # fmt: skip
    assert [entry.target for entry in entries_of(html, deepest=3)] == ["a", "b", "c", "d"]


def test_page_with_two_headings_needs_no_contents() -> None:
    assert entries_of(HEADINGS) == []
    assert entries_of(HEADINGS + '<h2 id="c" data-contents="">Left out</h2>') == []


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/games/683a/", "/errors/"])
def test_long_public_page_has_contents_that_lead_to_its_sections(address: str) -> None:
    html = Client().get(address).content.decode()
    targets = _targets(html)
    assert [target for target in targets if f'id="{target}"' not in html] == []
    assert len(targets) == len(set(targets)) > 3


@pytest.mark.django_db
def test_sections_of_a_submission_fold_once_it_is_decided(analyst: Person, filed: Submission) -> None:
    address, client = f"/submissions/{filed.number}/", browser(analyst)
    under_review = client.get(address).content.decode()
    Submission.objects.filter(pk=filed.pk).update(status=Status.WITHDRAWN)
    decided = client.get(address).content.decode()
    folds = [re.findall(r'<details class="fold"( open)?>', page) for page in (under_review, decided)]
    assert len(folds[0]) == len(folds[1]) > 2
    assert (set(folds[0]), set(folds[1])) == ({" open"}, {"", " open"})
    assert re.search(r'<details class="fold"><summary><h2 id="history-title">', decided)
    assert {"answers", "history-title", "following"} <= set(_targets(decided))
