"""Filters and tags of the templates: what `formatting`, `sentences` and `components` say, and what needs a query."""

import json
import re
from datetime import date
from typing import Any

from django import template
from django.conf import settings
from django.forms import BoundField
from django.template.defaulttags import CsrfTokenNode
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from games.maths.results import WagerAnalysis
from submissions import rules
from submissions.accounts.pages.sessions import PropertyChoice, browser_of
from submissions.audit import timeline
from submissions.core.dates import date_text
from submissions.core.text import counted
from submissions.filings.pages import next_steps
from submissions.filings.pages.table_groups import checklist_address
from submissions.filings.versions import EffectivePeriod
from submissions.layouts.pages.drawing_comparison import has_several
from submissions.layouts.pages.review_board import ReviewBoard, review_board
from submissions.layouts.review_clock import ReviewClock, review_clock
from submissions.models import LayoutFiling, Person, Submission
from submissions.web import components, formatting
from submissions.web.access_gate import FIELD
from submissions.web.sentences import FILTERS

# No script from attributes, no history in the browser's store; a refusal (400, 409) is shown, any other error is not.
HTMX_SETTINGS = {
    "allowEval": False,
    "includeIndicatorStyles": False,
    "historyEnabled": False,
    "responseHandling": [
        {"code": "204", "swap": False},
        {"code": "286", "swap": True},  # ends the polling
        {"code": "[23]..", "swap": True},
        {"code": "400", "swap": True, "error": True},
        {"code": "409", "swap": True},
        {"code": "...", "swap": False, "error": True},
    ],
}

register = template.Library()
register.simple_tag(checklist_address, name="line_address")
register.filter("bound", formatting.keep_section_signs)
for text in (*formatting.FILTERS, *FILTERS, browser_of):
    register.filter(text)
for tag in components.TAGS:
    register.simple_tag(tag)
for tag_with_context in components.TAGS_WITH_CONTEXT:
    register.simple_tag(tag_with_context, takes_context=True)
for block_tag in components.BLOCK_TAGS:
    register.simple_block_tag(block_tag)
for block_tag_with_context in components.BLOCK_TAGS_WITH_CONTEXT:
    register.simple_block_tag(block_tag_with_context, takes_context=True)


@register.simple_tag(takes_context=True)
def csrf_token(context: Any) -> SafeString:
    """Return the hidden fields of a form: the token; for a person of several properties, the row that acts.

    It takes the place of Django's own tag, so that no form can be forgotten (`web.access_gate`).
    """
    token = mark_safe(CsrfTokenNode().render(context))
    acting = context.get("acting")
    if not acting or not acting.is_one_of_several:
        return token
    return token + format_html('<input type="hidden" name="{}" value="{}">', FIELD, acting.person.pk)


@register.simple_block_tag(takes_context=True)
def post_button(
    context: Any, content: SafeString, view: str, *arguments: object, look: str = "", **fields: object
) -> SafeString:
    """Return a form that is one button, with the content as its label: it posts the fields to a view."""
    hidden = format_html_join("", '<input type="hidden" name="{}" value="{}">', fields.items())
    style = f"usa-button usa-button--{look}" if look else "usa-button"
    html = '<form method="post" action="{}">{}{}<button class="{}" type="submit">{}</button></form>'
    label = mark_safe(content.strip())
    return format_html(html, reverse(view, args=arguments), csrf_token(context), hidden, style, label)


@register.filter
def button_class(tags: Any) -> str:
    """Return the class of a button of the sign-in's pages: outlined, unless it is the one that the page is for."""
    quiet = any(tag in (tags or "") for tag in ("secondary", "outline", "danger", "cancel"))
    return "usa-button usa-button--outline" if quiet else "usa-button"


@register.simple_tag
def htmx_settings() -> SafeString:
    return mark_safe(json.dumps(HTMX_SETTINGS, separators=(",", ":")))


@register.simple_tag(takes_context=True)
def element_to_mark(context: dict[str, Any]) -> str:
    """Return the key of the element that the form begins with.

    It is the one typed or asked for by the address, else the first open one.
    """
    if context.get("form") == "marking":
        return str(context["entered"].get("element", ""))
    if chosen := context.get("chosen"):
        return str(chosen)
    shown = context["shown"]
    return next((entry.element.key for entry in shown.elements if entry.number == shown.first_unmarked), "")


@register.simple_tag(takes_context=True)
def next_step(context: dict[str, Any], submission: Submission) -> str:
    """Return the next step of a submission, to this reader.

    On a page that shows its simulation, by the result of it.
    """
    shown, passed = context.get("shown"), None
    if shown and not context.get("evidence_progress"):
        passed = shown["passed"]
    cleared = bool(context.get("readiness")) and not context["not_cleared"]
    progress = context.get("draft_progress")
    words = next_steps.next_step(context["user"], submission.status, progress, passed=passed, cleared=cleared)
    return formatting.keep_section_signs(words)


@register.filter
def passphrase(text: str) -> str:
    """Return the text with "passphrase" for the sign-in's "password"."""
    return re.sub(r"([Pp])assword", r"\1assphrase", str(text))


@register.filter
def as_input(field: BoundField) -> str:
    """Return a form's field in the portal's style; its label is beside it, so it has no placeholder."""
    kind = getattr(field.field.widget, "input_type", "textarea")
    styles = {"checkbox": "checkbox__input", "file": "file-input", "select": "select", "textarea": "textarea"}
    return field.as_widget(attrs={"class": f"usa-{styles.get(kind, 'input')}", "placeholder": False})


@register.filter
def tasks_elsewhere(choices: list[PropertyChoice]) -> str:
    """Return the number of tasks beside the switch: "3 tasks at other properties"."""
    return f"{counted(sum(choice.tasks or 0 for choice in choices), 'task')} at other properties"


@register.filter
def short(digest: str) -> str:
    """Return the first twelve digits of a digest."""
    return f"{digest[:12]}…"


@register.filter
def iso_day(text: str) -> str:
    """Return the date of an ISO day in words: "January 1, 2027" of "2027-01-01"."""
    return date_text(date.fromisoformat(text))


@register.simple_tag
def rulemakings_of(chapter: str) -> list[tuple[str, str, date]]:
    """Return (number, title, first day) of each published change of the chapter, the latest first."""
    changes = sorted(rules.published_changes(chapter), key=lambda change: change.effective, reverse=True)
    return [(change.source.partition(",")[0], change.title, change.effective) for change in changes]


@register.filter
def item(items: Any, place: int) -> Any:
    """Return the item of a sequence at a place that is only known here."""
    return items[place]


@register.filter
def volatility(analysis: WagerAnalysis) -> str:
    """Return the volatility index at 95 %."""
    return formatting.number(analysis.volatility(95), 2)


@register.inclusion_tag("parts/history.html", takes_context=True)
def history(context: dict[str, Any], submission: Submission) -> dict[str, Any]:
    """Return the timeline of a submission that this reader may see; for pages whose view does not load it."""
    return {"history": timeline.timeline(submission, context["request"].user)}


@register.simple_tag
def layout_clock(filing: LayoutFiling) -> ReviewClock | None:
    """Return the 15 days of a layout filing as they stand now; None for a draft."""
    return review_clock(filing, timezone.now())


@register.simple_tag(takes_context=True)
def layout_board(context: dict[str, Any], filing: LayoutFiling) -> ReviewBoard | None:
    """Return the Board's part of a layout filing, with the values entered into it; None for other readers."""
    entered = context.get("entered") if context.get("form") == "judging" else None
    return review_board(context["request"].user, filing, entered or {})


@register.simple_tag(takes_context=True)
def layout_compares(context: dict[str, Any], filing: LayoutFiling) -> bool:
    """Return whether the reader has two drawings of a layout, or more, that can be compared."""
    return has_several(context["request"].user, filing)


@register.simple_tag
def demo_people() -> list[Person]:
    """Return the people who can sign in to the demonstration, the Board last; nobody elsewhere."""
    if not settings.DEMO:
        return []
    people = Person.objects.filter(email__endswith=".example.test", is_active=True).select_related("organization")
    return sorted(people, key=lambda person: (person.at_regulator, str(person.organization), person.pk))


@register.simple_tag
def demo_passphrase() -> str:
    return str(settings.DEMO_PASSPHRASE)


@register.filter
def words_on(period: EffectivePeriod, day: date) -> str:
    """Return the period in which a version is in effect, described as of that day."""
    return period.words(day)
