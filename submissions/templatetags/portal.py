"""Filters and tags of the templates: thin doors to `submissions.web.present`."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Any

from django import template
from django.conf import settings
from django.forms import BoundField
from django.utils import timezone

from games.maths.results import WagerAnalysis
from submissions import story
from submissions.layout_clock import Clock, clock
from submissions.models import LayoutFiling, Person, Submission
from submissions.terms import Term
from submissions.web import present
from submissions.web.layout_board import Board, board
from submissions.web.layout_compare import several
from submissions.web.sessions import browser_of

register = template.Library()
register.simple_tag(present.section_address)
register.filter("game", present.game)
register.filter("bound", present.bound)
register.filter("size", present.size)
register.filter("percent", present.percent)
register.filter("number", present.number)
register.filter("browser_of", browser_of)


@register.filter
def age(since: datetime) -> str:
    return present.age(since)


@register.filter
def waits_on(submission: Any) -> str:
    return present.WAITS_ON[submission.status]


@register.filter
def what_next(submission: Any) -> str:
    return present.NEXT[submission.status]


@register.filter
def passphrase(text: str) -> str:
    """What the sign-in calls a password is a passphrase here."""
    return re.sub(r"([Pp])assword", r"\1assphrase", str(text))


@register.filter
def as_input(field: BoundField) -> str:
    """A form's field in the portal's look; its label stands above it, so nothing stands in it."""
    return field.as_widget(attrs={"class": "usa-input", "placeholder": False})


@register.filter
def short(digest: str) -> str:
    """The first twelve digits of a digest."""
    return f"{digest[:12]}…"


@register.filter
def item(items: Any, place: int) -> Any:
    """The item of a sequence at a place that is only known here."""
    return items[place]


@register.filter
def whole(value: int) -> str:
    """A whole number with its thousands apart."""
    return f"{value:,}"


@register.filter
def volatility(one: WagerAnalysis) -> str:
    """The volatility index at 95 %."""
    return present.number(one.volatility(95), 2)


@register.inclusion_tag("parts/history.html", takes_context=True)
def history(context: dict[str, Any], submission: Submission) -> dict[str, Any]:
    """The history of a submission as whoever looks may know it; for the pages whose view does not ask for it."""
    return {"history": story.history(submission, context["request"].user)}


@register.simple_tag
def layout_clock(filing: LayoutFiling) -> Clock | None:
    """The 15 days of a layout filing as they stand now; None for a draft."""
    return clock(filing, timezone.now())


@register.simple_tag(takes_context=True)
def layout_board(context: dict[str, Any], filing: LayoutFiling) -> Board | None:
    """What the Board has to say of a layout filing, if the reader is at the Board; with what was typed into it."""
    typed = context.get("typed") if context.get("form") == "board" else None
    return board(context["request"].user, filing, typed or {})


@register.simple_tag(takes_context=True)
def layout_compares(context: dict[str, Any], filing: LayoutFiling) -> bool:
    """Whether the reader has two drawings of a layout, or more, that can be compared."""
    return several(context["request"].user, filing)


@register.simple_tag
def demo_people() -> list[Person]:
    """Who can sign in to the demonstration, the Board last; nobody elsewhere."""
    if not settings.DEMO:
        return []
    people = Person.objects.filter(email__endswith=".example.test", is_active=True).select_related("organisation")
    return sorted(people, key=lambda person: (person.at_regulator, str(person.organisation), person.pk))


@register.simple_tag
def demo_passphrase() -> str:
    return str(settings.DEMO_PASSPHRASE)


@register.filter
def words_on(one: Term, day: date) -> str:
    """From when until when a version holds, as it is told on that day."""
    return one.words(day)
