"""Approval under conditions: the rows, the event, the signed document, and what becomes of them."""

from __future__ import annotations

from datetime import date, timedelta

import pypdfium2
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from submissions.audit.row_seals import rows_in
from submissions.core.dates import date_text
from submissions.core.errors import Refusal
from submissions.documents.context import document_context
from submissions.documents.document_record import document_record
from submissions.documents.submission_document import render_document
from submissions.filings.orders.order_entry import (
    ConditionText,
    OrderContent,
    conditions_in_effect,
    conditions_of,
    end_order,
    enter_order,
)
from submissions.filings.review import decisions
from submissions.models import Event, Order, Person, Revision, Submission
from tests.submissions.approved import Cast, change
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.orders.orders import WITHOUT_RACK, waiver
from tests.submissions.web.clients import browser

pytestmark = pytest.mark.service("views")

DAY = timedelta(days=1)


@pytest.fixture
def today() -> date:
    return timezone.localdate()


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director, computes=False)


@pytest.fixture
def recommended(cast: Cast) -> Submission:
    draft = ready_to_file(cast.manager, "686a")
    cast.file(draft)
    draft.refresh_from_db()
    decisions.recommend_approval(cast.analyst, draft, version=draft.version)
    draft.refresh_from_db()
    return draft


def approve(
    director: Person, submission: Submission, *conditions: ConditionText, from_day: date | None = None
) -> Revision:
    decisions.approve_submission(
        director, submission, version=submission.version, confirmed=True, from_day=from_day, conditions=conditions
    )
    return submission.revisions.get()


def posted(today: date) -> ConditionText:
    return ConditionText("Post the odds at both entrances.", "§ 686a.12(a)", "7, 3", today + 30 * DAY)


def test_condition_is_tied_to_the_decision_and_sealed_in_its_event(
    director: Person, recommended: Submission, today: date
) -> None:
    revision = approve(director, recommended, posted(today), from_day=today + 2 * DAY)
    order = Order.objects.get()
    assert (order.kind, order.decision, order.organization) == (
        "condition",
        revision.decisions.get(kind="approve"),
        recommended.organization,
    )
    assert (order.tables, order.first_day, order.last_day) == ("3, 7", today + 2 * DAY, today + 30 * DAY)
    event = Event.objects.get(verb="approved")
    assert event.after["conditions"] == [order.number]
    assert str(order.pk) in rows_in(event.rows)["submissions_order"]


def test_condition_that_cannot_be_stored_refuses_the_approval(director: Person, recommended: Submission) -> None:
    with pytest.raises(Refusal) as refused:
        approve(director, recommended, ConditionText("Post the odds.", "the sign"))
    assert refused.value.code == "order-incomplete"
    recommended.refresh_from_db()
    assert (recommended.status, Order.objects.count()) == ("recommended", 0)


def test_condition_is_in_the_record_of_the_document_and_stays_as_decided(
    director: Person, recommended: Submission, today: date
) -> None:
    revision = approve(director, recommended, posted(today))
    record, order = document_record(revision), Order.objects.get()
    assert record["conditions"] == [
        {
            "number": order.number,
            "text": "Post the odds at both entrances.",
            "citation": "§ 686a.12(a)",
            "tables": "3, 7",
            "first_day": today.isoformat(),
            "last_day": (today + 30 * DAY).isoformat(),
        }
    ]
    end_order(director, order, from_day=today, reason="They are posted.", met=True)
    assert document_record(revision) == record
    assert document_context(record)["conditions"][0]["where"] == "tables 3, 7"


def test_approval_without_conditions_has_no_member_for_them(cast: Cast) -> None:
    assert "conditions" not in document_record(cast.version())


def test_replaced_condition_stays_of_the_approval(director: Person, recommended: Submission, today: date) -> None:
    revision = approve(director, recommended, posted(today))
    first = Order.objects.get()
    content = OrderContent(
        "condition", "§ 686a.12(a)", "Post them at one entrance.", today, licensee="east", chapter="686a"
    )
    second = enter_order(director, content, replaces=first)
    assert [period.order for period in conditions_of(revision.pk)] == [first, second]
    assert [period.order for period in conditions_in_effect(revision.pk, today)] == [second]
    assert [row["number"] for row in document_record(revision)["conditions"]] == [first.number]


def test_director_writes_conditions_into_the_form_of_the_approval(
    director: Person, recommended: Submission, today: date
) -> None:
    fields = {
        "version": recommended.version,
        "from_day": today.isoformat(),
        "confirmed": "yes",
        "condition-1-text": "Post the odds.",
        "condition-1-citation": "§ 686a.12(a)",
        "condition-1-tables": "3",
        "condition-1-last_day": "",
        "condition-2-text": "",
        "condition-2-citation": "§ 686a.1",
    }
    address = reverse("decide", args=[recommended.number, "approve"])
    refused = browser(director).post(address, fields | {"condition-1-citation": "the sign"})
    assert refused.status_code == 400
    assert 'value="the sign"' in refused.content.decode()
    assert browser(director).post(address, fields).status_code == 302
    assert Order.objects.get().text == "Post the odds."


def test_condition_is_shown_wherever_the_version_is(
    director: Person, manager: Person, recommended: Submission, today: date
) -> None:
    approve(director, recommended, posted(today))
    number = Order.objects.get().number
    shown = {
        "submission": browser(manager).get(reverse("submission", args=[recommended.number])),
        "game": Client().get(reverse("in-force-game", args=["east", "686a"])),
        "table 3": Client().get(reverse("in-force-table", args=["east", "686a", "3"])),
        "table 4": Client().get(reverse("in-force-table", args=["east", "686a", "4"])),
    }
    assert {name: number in page.content.decode() for name, page in shown.items()} == {
        "submission": True,
        "game": True,
        "table 3": True,
        "table 4": False,
    }
    assert "approved with 1 condition" in Client().get(reverse("register")).content.decode()


def test_condition_that_was_met_is_no_longer_at_the_table(
    director: Person, manager: Person, recommended: Submission, today: date
) -> None:
    approve(director, recommended, posted(today))
    order = Order.objects.get()
    end_order(director, order, from_day=today, reason="They are posted.", met=True)
    page = Client().get(reverse("in-force-table", args=["east", "686a", "3"])).content.decode()
    assert order.number not in page
    own = browser(manager).get(reverse("submission", args=[recommended.number])).content.decode()
    assert "Met: They are posted." in own


def test_signed_document_prints_conditions_and_waived_findings(
    cast: Cast, director: Person, manager: Person, today: date
) -> None:
    draft = ready_to_file(manager, "686a")
    change(manager, draft, WITHOUT_RACK)
    number = waiver(director, last_day=today + 9 * DAY).number
    cast.file(draft)
    draft.refresh_from_db()
    decisions.recommend_approval(cast.analyst, draft, version=draft.version)
    draft.refresh_from_db()
    revision = approve(director, draft, posted(today))
    paper = pypdfium2.PdfDocument(render_document(document_record(revision)).content)
    text = " ".join(" ".join(page.get_textpage().get_text_range() for page in paper).split())
    condition = Order.objects.get(kind="condition")
    for words in (
        "Conditions of approval",
        condition.number,
        "Post the odds at both entrances.",
        "tables 3, 7",
        "Waived.",
        f"Covered by waiver {number} (12-2026)",
        date_text(today + 9 * DAY),
    ):
        assert words in text
