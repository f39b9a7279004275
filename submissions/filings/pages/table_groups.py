"""The table groups of a draft on pages: the tabs above a checklist, and the form that adds, describes and removes one.

Not here: the checklist of a group (`checklist`), what makes a group (`submissions.filings.table_groups`).
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from games.rules.evaluate import effective
from games.rules.lists import format_tables, parse_tables
from games.rules.model import Chapter
from submissions.core import configurations
from submissions.core.errors import Conflict, Refusal
from submissions.filings import table_groups
from submissions.filings.judging import judge_draft
from submissions.filings.questions import is_fully_editable
from submissions.filings.table_groups import GroupDescription
from submissions.filings.tables.table_lists import has_list, open_tables
from submissions.models import Configuration, Submission
from submissions.permissions import may, require
from submissions.rules import rules_day
from submissions.web.access_gate import is_prepared_by, person_of, submission_of
from submissions.web.forms import PageForm, add_refusal, posted, render_form
from submissions.web.responses import whole_number

DESCRIPTION = ("name", "tables", "pit")


class TableGroupForm(PageForm):
    name = forms.CharField(
        help_text="The name that your staff uses, such as “High limit room”.",
        widget=forms.TextInput({"autocomplete": "off", "maxlength": 80}),
    )
    listed = forms.MultipleChoiceField(
        label="Open tables of this game on your table list", required=False, widget=forms.CheckboxSelectMultiple
    )
    tables = forms.CharField(
        help_text="Numbers, ranges and names, such as “3, 7-9, BJ-4”. A table can be in one group only.",
        required=False,
        widget=forms.TextInput({"autocomplete": "off", "maxlength": 10000}),
    )
    pit = forms.CharField(
        label="Pit, if there is one",
        required=False,
        widget=forms.TextInput({"autocomplete": "off", "maxlength": 80}),
    )
    copy_of = forms.ChoiceField(label="Start with the answers of", required=False)

    def __init__(self, submission: Submission, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # The tables that the list has open for the game on the day for which the draft is judged.
        self.offered = open_tables(submission.organization, submission.chapter, rules_day(submission))
        labels = ((row.number, f"{row.number} (pit {row.pit})" if row.pit else row.number) for row in self.offered)
        cast(Any, self.fields["listed"]).choices = labels
        rows = submission.configurations.all()
        cast(Any, self.fields["copy_of"]).choices = [
            (str(row.position), row.display_name(several=True)) for row in rows
        ]

    @property
    def description(self) -> GroupDescription:
        """The group with the tables that were entered, and those that were checked on the list."""
        values = self.cleaned_data
        tables = ", ".join(filter(None, (values["tables"], *values["listed"])))
        return GroupDescription(values["name"], tables, values["pit"])


def _add_refusal(form: TableGroupForm, refusal: Refusal) -> None:
    """Add a refusal of what was entered; any other goes to a page of its own."""
    if refusal.option not in DESCRIPTION and refusal.code not in ("group-changed-meanwhile", "too-many-groups"):
        raise refusal
    add_refusal(form, refusal)


def group_tabs(chapter: Chapter, rows: Sequence[Configuration]) -> list[dict[str, object]]:
    """Return a tab for each configuration, judged as filing judges; none as long as there is only one."""
    return [_tab(chapter, row, rows) for row in rows] if len(rows) > 1 else []


def may_group(request: HttpRequest, submission: Submission) -> bool:
    return bool(may(request.user, "edit", submission)) and is_fully_editable(submission)


def checklist_address(submission: Submission, position: int, line: str = "") -> str:
    """Return the checklist of a configuration, at a line of it."""
    group = f"?group={position}" if position else ""
    return reverse("checklist", args=[submission.number]) + group + (f"#line-{line}" if line else "")


def position_in(text: str | None) -> int:
    """Return the position that a form or an address names; −1, which no configuration has, for any other text."""
    return whole_number(text or "0", digits=4)


def add(request: HttpRequest, number: str) -> HttpResponse:
    """GET: the form of a new group. POST: add it, and go to its checklist."""
    submission = _prepared(request, number)
    form = TableGroupForm(submission, *posted(request), initial={"copy_of": "0"})
    if form.is_valid():
        try:
            copy_of = position_in(form.cleaned_data["copy_of"])
            row = table_groups.add_group(person_of(request), submission, form.description, copy_of=copy_of)
            messages.success(request, f"“{row.name}” was added. Change what is different at its tables.")
            return HttpResponseRedirect(checklist_address(submission, row.position))
        except Refusal as refusal:
            _add_refusal(form, refusal)
    return _page(request, submission, form, {})


def change(request: HttpRequest, number: str, group: int) -> HttpResponse:
    """GET: name, tables and pit of a group. POST: change them."""
    submission = _prepared(request, number)
    row = submission.configurations.filter(position=group).exclude(position=0).first()
    if row is None:
        raise Http404("This table group does not exist. It may have been removed.")
    stored = seen = table_groups.describe_input(row)
    form = TableGroupForm(submission, *posted(request), initial=asdict(stored))
    named, listed = parse_tables(stored.tables), {entry.number for entry in form.offered}
    form.initial.update(listed=sorted(named & listed), tables=format_tables(named - listed))  # checked, or as text
    if request.method == "POST":
        seen = GroupDescription(*(request.POST.get(f"seen-{name}", "") for name in DESCRIPTION))
    if form.is_valid():
        try:
            row = table_groups.describe_group(person_of(request), submission, group, form.description, seen=seen)
            messages.success(request, f"Saved: “{row.name}”, {configurations.tables_as_text(row.tables, row.pit)}.")
            return HttpResponseRedirect(checklist_address(submission, group))
        except Refusal as refusal:
            _add_refusal(form, refusal)
            if isinstance(refusal, Conflict):  # the page shows what the other person saved: it is seen now
                seen = stored
    return _page(request, submission, form, {"group": row, "seen": seen})


@require_POST
def remove(request: HttpRequest, number: str, group: int) -> HttpResponse:
    submission = submission_of(request, number)
    table_groups.remove_group(person_of(request), submission, group)
    messages.success(request, "The table group was removed. The history keeps its answers.")
    return redirect("checklist", number)


def _prepared(request: HttpRequest, number: str) -> Submission:
    submission = submission_of(request, number)
    if request.method == "POST":
        require(request.user, "edit", submission)
    elif not is_prepared_by(request, submission):
        raise Http404("You cannot change the answers of this submission now.")
    return submission


def _tab(chapter: Chapter, row: Configuration, rows: Sequence[Configuration]) -> dict[str, object]:
    """Return the tab of a configuration: its tables and its progress."""
    answers = effective(chapter, row.answers)
    judgment = judge_draft(chapter, row, rows)
    return {
        "position": row.position,
        "name": row.display_name(several=True),
        "tables": configurations.tables_as_text(row.tables, row.pit) if row.position else "",  # "" = all other tables
        "answered": len(answers),
        "asked": len(judgment.asked_keys),
        "wrong": sum(not finding.unanswered for finding in judgment.blocking),
    }


def _page(request: HttpRequest, submission: Submission, form: TableGroupForm, own: dict[str, object]) -> HttpResponse:
    context = {
        "submission": submission,
        "may_group": may_group(request, submission),
        "has_list": bool(form.offered) or has_list(submission.organization, rules_day(submission)),
        "here": "home",
        **own,
    }
    return render_form(request, "pages/group.html", context, form)
