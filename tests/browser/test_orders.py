"""Orders in the browser: the form by keyboard and at a narrow width, the lists, temporary chapters, the approval."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from submissions.filings.orders.order_entry import ConditionText
from submissions.filings.review import decisions
from submissions.models import Order, Person
from tests.browser.desk import NARROW, Desk, accessible, accessible_at_both_widths
from tests.submissions.approved import Cast
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.orders.orders import RULE, chapter_order, waiver

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DAY = timedelta(days=1)


def test_director_enters_a_waiver_by_keyboard(desk: Desk, director: Person, manager: Person) -> None:
    page = desk.sign_in(director, at=f"{reverse('order-new')}?chapter=686a")
    accessible(page)
    page.get_by_label("Licensee").select_option("east")
    page.get_by_label("Tables").fill("3, 5-8")
    page.get_by_label("Waived requirement").select_option(RULE)
    page.get_by_label("Section").fill("§ 686a.2(f)")
    page.get_by_label("Text of the order").fill("No rack is needed.")
    page.get_by_label("Your passphrase").fill("a long demo passphrase")
    page.get_by_role("button", name="Save").press("Enter")
    page.wait_for_url("**/orders/BO-*/")
    accessible(page)
    assert Order.objects.get().tables == "3, 5-8"


def test_pages_of_orders_are_accessible(desk: Desk, director: Person, analyst: Person, manager: Person) -> None:
    today, cast = timezone.localdate(), Cast(manager, analyst, director, computes=False)
    order = waiver(director, last_day=today + 9 * DAY, tables="3, 5-8")
    draft = ready_to_file(manager, "581")
    cast.file(draft)
    draft.refresh_from_db()
    decisions.recommend_approval(analyst, draft, version=draft.version)
    draft.refresh_from_db()
    page = desk.sign_in(director, NARROW, at=reverse("submission", args=[draft.number]))
    page.get_by_text("Approve with conditions").click()
    accessible_at_both_widths(page)
    condition = ConditionText("Post the odds at both entrances.", "§ 581.12", "3", today + 20 * DAY)
    decisions.approve_submission(director, draft, version=draft.version, confirmed=True, conditions=[condition])
    chapter_order(director, "581", last_day=today + 25 * DAY)
    for address in (
        reverse("home"),
        reverse("orders"),
        reverse("order", args=[order.number]),
        reverse("order-replace", args=[order.number]),
        reverse("order-end", args=[order.number]),
        reverse("temporary-chapters"),
        reverse("chapter-decision", args=["581"]),
        reverse("submission", args=[draft.number]),
        reverse("in-force-table", args=["east", "581", "3"]),
        f"{reverse('in-force-game', args=['east', '581'])}?on={today + 26 * DAY}",
    ):
        page.goto(address)
        accessible_at_both_widths(page)
