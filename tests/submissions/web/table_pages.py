"""The pages of a casino's tables as text, their verdict, and a version with a group of tables."""

from __future__ import annotations

import re

from django.test import Client
from django.urls import reverse

from submissions.models import Revision
from tests.submissions.approved import Cast, set_apart
from tests.submissions.example_drafts import ready_to_file

GREEN, RED, GRAY = "verdict--good", "verdict--bad", "verdict--unknown"


def version_with_a_group(cast: Cast) -> Revision:
    """Over/Under, with a group of tables that also names table 99, which is on no list."""
    draft = ready_to_file(cast.manager, "686a")
    set_apart(draft, "High limit", "3, 99", adjacent_boxes=2)
    return cast.approve(draft)


def get(name: str, *arguments: str, **query: str) -> str:
    answer = Client().get(reverse(name, args=arguments), query)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def by_game(number: str, **query: str) -> str:
    return get("in-force-table", "east", "686a", number, **query)


def by_table(number: str, **query: str) -> str:
    return get("in-force-any-table", "east", number, **query)


def heading(page: str) -> str:
    return re.search(r'<h2 id="holds"[^>]*>(.*?)</h2>', page)[1].strip()


def verdict(page: str) -> tuple[str, str]:
    """The class of the box and its heading; the box comes before the links to the page's sections."""
    box = page.index('aria-labelledby="holds"')
    assert 'class="page-contents' not in page[:box]
    return re.findall(r'<section class="([^"]*)"', page[:box])[-1], heading(page)
