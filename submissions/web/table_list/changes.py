"""The form that adds a table to one's own list, changes it, closes it or removes it, from a day on."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from submissions.core.dates import date_text
from submissions.core.errors import Refusal
from submissions.models import TableEntry, TableState
from submissions.permissions import require, tables_visible_to
from submissions.rules.effective_rules import chapters_on
from submissions.table_list.list_changes import TableRow, change_table_list, last_entry
from submissions.table_list.listed_tables import entries_on
from submissions.web.access_gate import organization_of, person_of
from submissions.web.forms import Select, SentChoice, SentText
from submissions.web.orders.order_forms import DatedForm
from submissions.web.responses import whole_number
from submissions.web.table_list.pages import HERE


class TableForm(DatedForm):
    number = SentText(
        "Number", hint="As on the felt, such as 12 or BJ-4.", maxlength=12, autocomplete="off", required=True
    )
    chapter = SentChoice(Select(), label="Game")
    pit = SentText("Pit (optional)", maxlength=80, autocomplete="off")
    state = SentChoice(Select(), label="State", choices=TableState.choices)
    from_day = SentText("From", hint="The first day of this change. Eastern Time.", kind="date", required=True)

    @property
    def row(self) -> TableRow:
        values = self.values
        return TableRow(values["number"], values["chapter"], values["pit"], values["state"])


def change(request: HttpRequest) -> HttpResponse:
    """GET: the form, for the table in the address if one is named. POST: apply it."""
    require(request.user, "edit-tables")
    organization, entry = organization_of(request), _entry(request)
    form = TableForm(request, **_initial(entry))
    form.offer(
        "chapter", [(game.number, f"{game.title} ({game.number})") for game in chapters_on(timezone.localdate())]
    )
    if request.method == "POST":
        with form.showing_refusals():
            return _apply(request, form)
    context = {"owner": organization, "entry": entry, "seen": last_entry(organization), "here": HERE}
    return form.page(request, "pages/table_form.html", context)


def _apply(request: HttpRequest, form: TableForm) -> HttpResponse:
    """Apply the form and go back to the list; raise the refusal where it changes nothing."""
    from_day = form.required_day("from_day")
    seen = whole_number(request.POST.get("seen", ""))
    entries = change_table_list(person_of(request), [form.row], from_day=from_day, seen=seen)
    if not entries:
        raise Refusal("table-list-unchanged", day=date_text(from_day))
    (entry,) = entries
    state = entry.get_state_display().lower()
    messages.success(request, f"Saved: table {entry.number}, {state} from {date_text(entry.from_day)}.")
    return redirect("tables-of", organization_of(request).slug)


def _entry(request: HttpRequest) -> TableEntry | None:
    """The table that the address names, as it is today."""
    rows = tables_visible_to(request.user).filter(organization=organization_of(request))
    return entries_on(timezone.localdate(), rows).filter(number=request.GET.get("table", "")).first()


def _initial(entry: TableEntry | None) -> dict[str, object]:
    values: dict[str, object] = {"state": TableState.OPEN, "from_day": timezone.localdate().isoformat()}
    copied = ("number", "chapter", "pit", "state")
    return values | ({name: getattr(entry, name) for name in copied} if entry else {})
