"""The day that a page is asked about: `?on=2026-03-03`; today, where none is named."""

from dataclasses import dataclass
from datetime import date

from django.http import HttpRequest
from django.utils import timezone

from submissions.core.errors import Refusal
from submissions.search.field_parsing import day_of


@dataclass(frozen=True, slots=True)
class RequestedDay:
    """The day that is asked for; today, with the fault, where the text entered is none."""

    day: date
    text: str  # as it was entered
    fault: Refusal | None = None

    @property
    def status(self) -> int:
        return self.fault.status if self.fault else 200

    @property
    def query(self) -> str:
        """What an address carries on to the next page: nothing for today."""
        return f"?on={self.day.isoformat()}" if self.text and not self.fault else ""


def requested_day(request: HttpRequest) -> RequestedDay:
    text = request.GET.get("on", "").strip()
    try:
        return RequestedDay(day_of(text) if text else timezone.localdate(), text)
    except Refusal as fault:
        return RequestedDay(timezone.localdate(), text, fault)
