"""The forms of orders and of conditions.

An order's form has the fields that a director enters, with the choices of the chapter; the conditions in the form of an
approval are rows of fields of which any may be empty.

Not here: the pages (`orders`), the values that are allowed (`filings.orders.order_entry`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from django import forms
from django.http import HttpRequest

from games.rules.model import Chapter
from submissions.core.parameters import DayField, day_of
from submissions.filings import attachments
from submissions.filings.orders.order_entry import LONGEST, ConditionText, UploadedFile, waivable_rules
from submissions.models import ChapterEffect, Order, OrderKind, Submission
from submissions.permissions import licensees
from submissions.web.forms import PageForm
from submissions.web.upload_handler import oversize

LONGEST_CHOICE = 110  # characters of a requirement in a list


class OrderTextForm(PageForm):
    """The fields that every form of an order has."""

    citation = forms.CharField(
        label="Section", help_text="The section, such as § 687a.3(b).", max_length=LONGEST["citation"]
    )
    docket = forms.CharField(
        label="Docket number of the Board",
        help_text="Optional. Enter it as the document shows it.",
        max_length=LONGEST["docket"],
        required=False,
    )
    text = forms.CharField(
        label="Text of the order", help_text="The licensee can read it.", widget=forms.Textarea({"rows": 4})
    )
    document = forms.FileField(
        label="Document (PDF)",
        help_text="Optional. If the form shows an error, choose the file again.",
        required=False,
        allow_empty_file=True,  # the action refuses it, as any other file that is not a PDF
        widget=forms.FileInput({"accept": ".pdf"}),
    )


class OrderForm(OrderTextForm):
    field_order = (
        "kind", "licensee", "tables", "rule", "option", "citation", "docket", "text", "first_day", "last_day",
        "document",
    )  # fmt: skip
    kind = forms.ChoiceField()
    licensee = forms.ChoiceField(required=False)
    tables = forms.CharField(
        help_text="Such as 3, 5-8, BJ-4. For all tables, leave it empty.",
        max_length=400,
        required=False,
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    rule = forms.ChoiceField(label="Waived requirement", required=False)
    option = forms.ChoiceField(label="Line of the checklist", required=False)
    first_day = DayField()
    last_day = DayField(help_text="Leave it empty if the order has no last day.", required=False)

    def __init__(self, chapter: Chapter | None, kinds: Iterable[OrderKind], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        rules = waivable_rules(chapter).items() if chapter else ()
        lines = chapter.options if chapter else ()
        choices = {
            "kind": [(kind.value, kind.label) for kind in kinds],
            "licensee": [("", "All licensees"), *licensees().values_list("slug", "name")],
            "rule": [("", "None"), *((rule, f"{rule}: {_short(words)}") for rule, words in rules)],
            "option": [("", "None"), *((line.key, f"{line.citation}: {_short(line.question)}") for line in lines)],
        }
        for name, offered in choices.items():
            cast(Any, self.fields[name]).choices = offered


class ChapterDecisionForm(OrderTextForm):
    field_order = ("chapter_effect", "last_day")
    chapter_effect = forms.ChoiceField(label="Decision", choices=ChapterEffect.choices)
    last_day = DayField(
        label="Until, or last day", help_text="The last day on which the chapter is in effect.", required=False
    )


class OrderEndForm(PageForm):
    from_day = DayField(label="No longer in effect from")
    reason = forms.CharField(
        help_text="The licensee can read it. It stays in the history.", widget=forms.Textarea({"rows": 3})
    )
    met = forms.BooleanField(label="The condition was met", required=False)


def initial_values(order: Order) -> dict[str, object]:
    """Return the initial values of the form of a replacement."""
    copied = ("kind", "citation", "docket", "text", "tables", "rule", "option")
    values: dict[str, object] = {name: getattr(order, name) for name in copied}
    values["licensee"] = order.organization.slug if order.organization else ""
    return values | {"last_day": order.last_day}


def uploaded_document(request: HttpRequest) -> UploadedFile | None:
    """Return the PDF that was sent, if one was; `Refusal` for one that is too large."""
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
    """Return the rows of the form, with what was entered; an empty one begins with the section of the chapter."""
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
