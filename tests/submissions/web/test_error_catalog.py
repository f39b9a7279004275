"""The error codes: every code once, with its anchor, its status, its remedy, and the way to the API's form."""

from __future__ import annotations

import html
import re

from django.test import Client
from django.urls import reverse

from submissions.core.errors import error_codes, error_groups
from tests.submissions.web.clients import browser


def test_every_code_has_its_row_in_the_order_of_the_file(db: None) -> None:
    page = browser().get(reverse("catalogue")).content.decode()
    rows = re.findall(r'<tr id="([^"]+)">(.*?)</tr>', page, re.DOTALL)
    assert [code for code, _ in rows] == list(error_codes())
    for code, row in rows:
        cells = [html.unescape(re.sub("<[^>]+>", "", cell)) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]
        found = error_codes()[code]
        assert cells == [code, f"{found.status}: {code} in the API", found.title, found.fix]
        assert f'href="/api/v1/errors/{code}/"' in row


def test_headings_lead_to_their_codes(db: None) -> None:
    page = browser().get(reverse("catalogue")).content.decode()
    led = re.findall(r'<a class="usa-in-page-nav__link" href="#(kind-\d+)">([^<]+)</a>', page)
    assert led == re.findall(r'<h2 id="(kind-\d+)">([^<]+)</h2>', page)
    assert [heading for _, heading in led] == list(error_groups())


def test_problem_leads_to_the_page_by_way_of_its_code(db: None) -> None:
    told = Client().get(Client().get("/api/v1/nothing/").json()["type"].removeprefix("http://127.0.0.1:8000")).json()
    assert told["page"] == "http://127.0.0.1:8000/errors/#not-found"
