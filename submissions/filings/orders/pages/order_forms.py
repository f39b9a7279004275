"""The forms of orders: the fields that a director enters, with the choices of the chapter; and the conditions in the
form of an approval, rows of fields of which any may be empty.

Not here: the pages (`order_page`), the values that are allowed (`filings.orders.order_entry`).
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date

from django.http import HttpRequest

from games.rules.model import Chapter
from submissions.core.errors import Refusal
from submissions.core.parameters import day_of
from submissions.filings import attachments
from submissions.filings.orders.order_entry import ConditionText, OrderContent, UploadedFile, waivable_rules
from submissions.models import ChapterEffect, Order, OrderKind, Submission
from submissions.permissions import licensees
from submissions.web.forms import Choices, RefusalForm, Select, SentChoice, SentFlag, SentText
from submissions.web.upload_handler import oversize

LONGEST_CHOICE = 110  # characters of a requirement in a list


class DatedForm(RefusalForm):
    """A form with days: `day_of` refuses what is none."""

    errors_beside = True

    def day(self, name: str) -> date | None:
        """The day that was entered in this field; None where nothing was."""
        entered_text = self.values[name].strip()
        with self.about(name):
            return day_of(entered_text) if entered_text else None

    def required_day(self, name: str) -> date:
        with self.about(name):
            return day_of(self.values[name].strip())

    @contextmanager
    def about(self, name: str) -> Iterator[None]:
        """Show a refusal at this field."""
        try:
            yield
        except Refusal as refusal:
            refusal.option = name
            raise


class OrderTextForm(DatedForm):
    """What every form of an order has."""

    citation = SentText("Section", hint="The section, such as § 687a.3(b).", maxlength=80, required=True)
    docket = SentText("Docket number of the Board", hint="Optional. Enter it as the document shows it.", maxlength=80)
    text = SentText("Text of the order", hint="The licensee can read it.", rows=4, required=True)


class OrderForm(OrderTextForm):
    kind = SentChoice(Select(), label="Kind")
    licensee = SentChoice(Select(), label="Licensee")
    tables = SentText(
        "Tables", hint="Such as 3, 5-8, BJ-4. For all tables, leave it empty.", maxlength=400, autocomplete="off"
    )
    rule = SentChoice(Select(), label="Waived requirement")
    option = SentChoice(Select(), label="Line of the checklist")
    first_day = SentText("First day", kind="date", required=True)
    last_day = SentText("Last day", hint="Leave it empty if the order has no last day.", kind="date")

    def offer_choices(self, chapter: Chapter | None, kinds: Choices) -> None:
        """The licensees, and what the chapter has to choose from."""
        rules = waivable_rules(chapter) if chapter else {}
        lines = chapter.options if chapter else ()
        self.offer("kind", kinds)
        self.offer("licensee", [("", "All licensees"), *licensees().values_list("slug", "name")])
        self.offer("rule", [("", "None"), *((rule, f"{rule}: {_short(words)}") for rule, words in rules.items())])
        self.offer(
            "option", [("", "None"), *((line.key, f"{line.citation}: {_short(line.question)}") for line in lines)]
        )

    def content(self, chapter: str) -> OrderContent:
        values = self.values
        return OrderContent(
            kind=values["kind"],
            citation=values["citation"],
            text=values["text"],
            first_day=self.required_day("first_day"),
            last_day=self.day("last_day"),
            licensee=values["licensee"],
            chapter=chapter,
            tables=values["tables"],
            option=values["option"],
            rule=values["rule"],
            docket=values["docket"],
        )


class ChapterDecisionForm(OrderTextForm):
    chapter_effect = SentChoice(Select(), label="Decision", choices=ChapterEffect.choices)
    last_day = SentText("Until, or last day", hint="The last day on which the chapter is in effect.", kind="date")

    def content(self, chapter: str, today: date) -> OrderContent:
        values = self.values
        return OrderContent(
            kind=OrderKind.ORDER,
            citation=values["citation"],
            text=values["text"],
            first_day=today,
            last_day=self.day("last_day"),
            chapter=chapter,
            docket=values["docket"],
            chapter_effect=values["chapter_effect"],
        )


class OrderEndForm(DatedForm):
    from_day = SentText("No longer in effect from", kind="date", required=True)
    reason = SentText("Reason", hint="The licensee can read it. It stays in the history.", rows=3, required=True)
    met = SentFlag("The condition was met")


def initial_values(order: Order) -> dict[str, object]:
    """What the form of a replacement begins with."""
    copied = ("kind", "citation", "docket", "text", "tables", "rule", "option")
    values: dict[str, object] = {name: getattr(order, name) for name in copied}
    values["licensee"] = order.organization.slug if order.organization else ""
    return values | {"last_day": order.last_day.isoformat() if order.last_day else ""}


def uploaded_document(request: HttpRequest) -> UploadedFile | None:
    """The PDF that was sent, if one was; `Refusal` for one that is too large."""
    for _, name in oversize(request):
        attachments.check_size(name, int(request.META.get("CONTENT_LENGTH") or 0))
    sent = request.FILES.get("document")
    return (sent.name or "", sent.read()) if sent else None


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_CHOICE else f"{text[:LONGEST_CHOICE]}…"


CONDITION_ROWS = 4  # of the form; several conditions can also be one text
CONDITION_FIELDS = ("text", "citation", "tables", "last_day")


@dataclass(frozen=True, slots=True)
class ConditionRow:
    """One row of the form: its number, and what was entered into it."""

    number: int
    text: str = ""
    citation: str = ""
    tables: str = ""
    last_day: str = ""


def condition_rows(submission: Submission, entered: Mapping[str, str]) -> list[ConditionRow]:
    """The rows of the form, with what was entered; an empty one begins with the section of the chapter."""
    rows = []
    for number in range(1, CONDITION_ROWS + 1):
        names = {name: _field_name(name, number) for name in CONDITION_FIELDS}
        sent = {name: entered[field] for name, field in names.items() if field in entered}
        rows.append(ConditionRow(number, **{"citation": f"§ {submission.chapter}.1", **sent}))
    return rows


def entered_conditions(entered: Mapping[str, str]) -> tuple[ConditionText, ...]:
    """Return those with a text."""
    conditions = []
    for number in range(1, CONDITION_ROWS + 1):
        values = {name: entered.get(_field_name(name, number), "").strip() for name in CONDITION_FIELDS}
        last_day = day_of(values["last_day"]) if values["last_day"] else None
        if values["text"]:
            conditions.append(ConditionText(values["text"], values["citation"], values["tables"], last_day))
    return tuple(conditions)


def _field_name(field: str, number: int) -> str:
    return f"condition-{number}-{field}"
