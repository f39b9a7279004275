"""What governs a table: by game, or by the table alone. Where its papers are approved: `test_cleared_tables`."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from submissions.filings.orders import order_entry
from submissions.models import OrderKind, Part, Person, Revision
from tests.submissions.approved import Cast
from tests.submissions.layout_rows import approved_papers
from tests.submissions.orders.orders import WITHOUT_RACK, waiver
from tests.submissions.table_list.lists import enter
from tests.submissions.web.clients import browser
from tests.submissions.web.table_pages import GREEN, RED, by_table, get, heading, verdict, version_with_a_group

DAY = timedelta(days=1)


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director, computes=False)


@pytest.fixture
def grouped(cast: Cast) -> Revision:
    return version_with_a_group(cast)


def test_open_table_is_red_until_each_paper_is_approved_and_the_reason_comes_first(
    cast: Cast, grouped: Revision, preparer: Person
) -> None:
    enter(preparer, ("4", "686a"))
    lacking = "layout, payout sign and gaming guide not approved"
    assert verdict(by_table("4")) == (f"verdict {RED}", f"Not cleared for play: {lacking}")
    approved_papers(cast, grouped, (Part.LAYOUT, Part.GUIDE))
    assert verdict(by_table("4")) == (f"verdict {RED}", "Not cleared for play: payout sign not approved")
    approved_papers(cast, grouped, (Part.SIGN,))
    assert verdict(by_table("4")) == (f"verdict {GREEN}", "Cleared for play")
    assert "Approved, in effect" not in by_table("4")


def test_table_whose_waiver_has_ended_is_red(cast: Cast, preparer: Person) -> None:
    """The answers need the waiver: without it they do not comply, although rules and papers are approved."""
    order, today = waiver(cast.director), timezone.localdate()
    approved_papers(cast, cast.version("686a", **WITHOUT_RACK))
    enter(preparer, ("4", "686a"))
    order_entry.end_order(cast.director, order, from_day=today + DAY, reason="The rack is there.")
    days = {day: by_table("4", on=day.isoformat()) for day in (today, today + DAY)}
    assert [verdict(page) for page in days.values()] == [
        (f"verdict {GREEN}", "Cleared for play"),
        (f"verdict {RED}", f"Not cleared for play: waiver {order.number} ended"),
    ]
    assert ["Waived by the Board" in page for page in days.values()] == [True, False]


def test_table_names_the_orders_that_the_reader_may_see(cast: Cast, grouped: Revision, preparer: Person) -> None:
    enter(preparer, ("3", "686a"), ("4", "686a"))
    order = waiver(cast.director, kind=OrderKind.ORDER, rule="", tables="4", text="Close the table until May 1.")
    link = reverse("order", args=[order.number])
    read = {
        (reader, number): link in client.get(reverse("in-force-any-table", args=["east", number])).content.decode()
        for reader, client in (("analyst", browser(cast.analyst)), ("visitor", Client()))
        for number in ("3", "4")
    }
    assert [key for key, named in read.items() if named] == [("analyst", "4")]


def test_table_without_a_game_on_the_list_offers_the_approved_games(grouped: Revision, preparer: Person) -> None:
    assert "No table list" in heading(by_table("12"))
    enter(preparer, ("3", "686a"))
    page = by_table("12")
    assert heading(page).startswith("Table 12 is not on the table list")
    assert (GREEN in page, reverse("in-force-table", args=["east", "686a", "12"]) in page) == (False, True)


def test_listed_table_of_a_game_that_is_not_approved_says_so(grouped: Revision, preparer: Person) -> None:
    enter(preparer, ("5", "683a"))
    page = by_table("5")
    assert verdict(page) == (f"verdict {RED}", "Not cleared for play: no approved version is in effect")
    assert "Casino East&#x27;s table list has table 5 for Cajun Stud, open since" in page


def test_what_governs_table_12_next_friday(cast: Cast, preparer: Person) -> None:
    """Table 12 changes its game on Thursday, and an amendment of that game takes effect on Friday."""
    with time_machine.travel(datetime.fromisoformat("2026-03-02T15:00:00+00:00"), tick=True):  # a Monday
        thursday, friday = date(2026, 3, 5), date(2026, 3, 6)
        over_under, cajun = cast.version("686a"), cast.version("683a")
        later = cast.amend(cajun.submission, from_day=friday)
        enter(preparer, ("12", "686a", "2"))
        enter(preparer, ("12", "683a", "2"), from_day=thursday)
        days = [date(2026, 3, 4), thursday, friday]
        pages = [by_table("12", on=day.isoformat()) for day in days]
        assert [re.search("<h1>(.*?)</h1>", page)[1] for page in pages] == [
            "Table 12: Over/Under", "Table 12: Cajun Stud", "Table 12: Cajun Stud",
        ]  # fmt: skip
        for page, receipt in zip(pages, (over_under.receipt, cajun.receipt, later.receipt), strict=True):
            assert f"The rules are {receipt}, since" in page
        assert "March 6, 2026" in pages[2].split('id="holds"')[1].split("</section>")[0]


def test_public_list_names_number_game_and_state_and_no_pit(preparer: Person) -> None:
    assert "The portal has no table list of this casino" in get("in-force-tables", "east")
    enter(preparer, ("BJ-4", "683a", "Pit of secrets"), ("12", "686a", "", "closed"))
    page = get("in-force-tables", "east")
    rows = re.findall(r">Table ([\w-]+)</a> </th> <td[^>]*>(.*?)</td> <td[^>]*>(.*?)</td>", page)
    assert rows == [("12", "Over/Under", "Closed"), ("BJ-4", "Cajun Stud", "Open")]
    assert "secrets" not in page + by_table("BJ-4") + get("in-force-table", "east", "683a", "BJ-4")


def test_form_leads_to_the_table_on_the_day(preparer: Person) -> None:
    today = timezone.localdate().isoformat()
    address = reverse("in-force-tables", args=["east"])
    answer = Client().get(address, {"table": " bj-4 ", "on": today})
    assert answer["Location"] == f"{reverse('in-force-any-table', args=['east', 'BJ-4'])}?on={today}"
    refused = Client().get(address, {"table": "3-7"})
    assert (refused.status_code, 'id="table-fault"' in refused.content.decode()) == (400, True)
