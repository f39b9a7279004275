"""The page of the stand-ins for the Table Games Manager: who is, was and will be, naming one, ending one early."""

from dataclasses import dataclass
from datetime import date
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from submissions.accounts import stand_ins
from submissions.accounts.pages import reauthentication
from submissions.core.dates import date_text
from submissions.core.errors import Refusal
from submissions.core.parameters import DayField
from submissions.models import Person, StandIn
from submissions.permissions import may, require, stand_ins_visible_to
from submissions.web.access_gate import person_of
from submissions.web.forms import add_refusal, posted, render_form
from submissions.web.responses import page_of

PAGE = 50


class StandInForm(forms.Form):
    person = forms.ModelChoiceField(Person.objects.none(), empty_label="Choose")
    first_day = DayField()
    last_day = DayField(help_text="The stand-in may act until the end of this day.")
    reason = forms.CharField(
        help_text="For example: vacation of the Table Games Manager.", widget=forms.Textarea({"rows": 2})
    )

    def __init__(self, actor: Person, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        cast(Any, self.fields["person"]).queryset = stand_ins.stand_in_candidates(actor)


@dataclass(frozen=True, slots=True)
class StandInRow:
    """A stand-in as the lists show it."""

    row: StandIn
    today: date

    @property
    def days(self) -> str:
        """Return the first and the last day: "From March 1, 2026 to March 5, 2026"."""
        return f"From {date_text(self.row.first_day)} to {date_text(self.row.last_day)}"

    @property
    def is_open(self) -> bool:
        """Whether it counts now or will count."""
        return not hasattr(self.row, "end") and self.today <= self.row.last_day

    @property
    def status(self) -> str:
        if hasattr(self.row, "end"):
            return f"Ended early by {self.row.end.by.name}"
        if self.today > self.row.last_day:
            return "Over"
        return "Acts now" if self.row.first_day <= self.today else "From the first day on"


@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """GET: all stand-ins of the licensee. POST: name one."""
    today, person = timezone.localdate(), person_of(request)
    form = StandInForm(person, *posted(request), initial={"first_day": today})
    if request.method == "POST":
        require(person, "name-stand-in")
        try:
            reauthentication.require_confirmation(request)
            if form.is_valid():
                row = stand_ins.name_stand_in(person, **form.cleaned_data)
                messages.success(request, f"{row.person.name} is stand-in: {StandInRow(row, today).days}.")
                return redirect("stand-ins")
        except Refusal as refusal:
            add_refusal(form, refusal)
    rows = page_of(request, stand_ins_visible_to(person), PAGE)
    context = {
        "page": rows,
        "rows": [StandInRow(row, today) for row in rows],
        "may_name": may(person, "name-stand-in"),
        "here": "people",
    }
    return render_form(request, "pages/stand_ins.html", context, form)


@require_POST
def end(request: HttpRequest, pk: int) -> HttpResponse:
    """End a stand-in at once."""
    row = get_object_or_404(stand_ins_visible_to(request.user), pk=pk)
    stand_ins.end_stand_in(person_of(request), row)
    messages.success(request, f"{row.person.name} is no longer stand-in.")
    return redirect("stand-ins")


def current_stand_ins(request: HttpRequest) -> list[StandInRow]:
    """Return the stand-ins that count today or later, for the People page."""
    today = timezone.localdate()
    return [StandInRow(row, today) for row in stand_ins_visible_to(request.user).filter(end=None, last_day__gte=today)]
