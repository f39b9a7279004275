"""Approved versions: amending and discontinuing them; the changes of a filing, side by side with another.

Not here: the differences, and the filings that are compared (`filings.diff`).
"""

from collections.abc import Iterator

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from submissions.accounts.pages import reauthentication
from submissions.core.dates import date_text
from submissions.core.errors import Refusal
from submissions.core.parameters import DayField
from submissions.filings import copies, versions
from submissions.filings.diff import (
    FilingDiff,
    base_revision,
    base_revision_of_draft,
    comparable_revisions,
    compare_draft,
    compare_revisions,
    draft_content,
)
from submissions.filings.snapshot import JsonObject
from submissions.layouts.required_facts import updates_required
from submissions.models import Person, Revision, Submission, Version
from submissions.permissions import may, require
from submissions.rules import draft_chapter, filed_chapter_or_none
from submissions.web.access_gate import is_prepared_by, person_of, submission_of
from submissions.web.forms import PageForm, add_refusal, posted, render_form

DRAFT = "draft"  # in the place of a receipt: what would be filed now


class DiscontinuationForm(PageForm):
    from_day = DayField(label="Not offered from")
    reason = forms.CharField(
        help_text="The Board can read it. It stays in the history.", widget=forms.Textarea({"rows": 3})
    )


@require_safe
def changes(request: HttpRequest, number: str) -> HttpResponse:
    """Compare a filing, `?of=RECEIPT` or the latest, with the one in `?from=RECEIPT`.

    `?of=draft`: what the draft changes in the filing that the Board returned, for its own side.
    """
    submission = submission_of(request, number)
    filings, receipt = submission.revisions.select_related("submission__organization", "version"), request.GET.get("of")
    of_draft = receipt == DRAFT and is_prepared_by(request, submission)
    filed = None if of_draft else _named(list(filings), receipt) if receipt else filings.first()
    choices: list[Revision] = []
    base = comparison = after = None
    if filed:
        choices, receipt = comparable_revisions(filed), request.GET.get("from")
        base = _named(choices, receipt) if receipt else base_revision(filed)
        comparison = compare_revisions(base, filed) if base else None
        after = filed.content
    elif is_prepared_by(request, submission) and (base := filings.first() or base_revision_of_draft(submission)):
        chapter = draft_chapter(submission)
        after = draft_content(submission, chapter, person_of(request))
        comparison = compare_draft(base, chapter, after)
    context = {
        "submission": submission,
        "revision": filed,
        "choices": choices,
        "base": base,
        "in_place_of": Version.objects.filter(revision=base).first() if base else None,
        "comparison": comparison,
        "parts": list(_compared(base.content, after, comparison)) if base and after and comparison else [],
        "here": "home",
    }
    return render(request, "pages/changes.html", context)


def _compared(before: JsonObject, after: JsonObject, comparison: FilingDiff) -> Iterator[dict[str, object]]:
    """Yield each part with the papers that it makes stale, each filing by the rules of its own day.

    `if_repeated`: those that are stale only where the layout repeats what the sign shows.
    """
    chapter, was = filed_chapter_or_none(after), filed_chapter_or_none(before)
    for part in comparison.parts:
        answers = [
            content["configurations"][place]["answers"]
            for content, place in zip((before, after), part.places, strict=True)
        ]
        required = updates_required(chapter, *answers, odds_repeated=False, chapter_before=was) if chapter else ()
        at_most = updates_required(chapter, *answers, chapter_before=was) if chapter else ()
        parts = {update.part for update in required}
        yield {
            "diff": part,
            "updates": required,
            "if_repeated": [update for update in at_most if update.part not in parts],
        }


@require_POST
def amend(request: HttpRequest, number: str) -> HttpResponse:
    """Begin an amendment, and go to its checklist."""
    draft = copies.start_amendment(person_of(request), submission_of(request, number))
    messages.success(request, f"{draft.number} is a copy of the approved version. Make your changes, then file it.")
    return redirect("checklist", draft.number)


@require_http_methods(["GET", "HEAD", "POST"])
def discontinue(request: HttpRequest, number: str) -> HttpResponse:
    """GET: the form with its consequence. POST: from a day on, the game is not offered."""
    submission, today = submission_of(request, number), timezone.localdate()
    verdict = may(request.user, "discontinue", submission)
    form = DiscontinuationForm(*posted(request), initial={"from_day": today})
    if request.method == "POST":
        require(request.user, "discontinue", submission)
        try:
            reauthentication.require_confirmation(request)
            if form.is_valid():
                version = versions.discontinue(person_of(request), submission, **form.cleaned_data)
                messages.success(request, f"Discontinued: the game is not offered from {date_text(version.from_day)}.")
                return redirect("submission", number)
        except Refusal as refusal:
            add_refusal(form, refusal)
    form.fields["from_day"].widget.attrs["min"] = today
    context = {
        "submission": submission,
        "version": version_state(person_of(request), submission),
        "verdict": verdict,
        "here": "home",
    }
    return render_form(request, "pages/discontinue.html", context, form)


def version_state(person: Person, submission: Submission) -> dict[str, object] | None:
    """Return the version of an approved submission today, and what may be done about it; None if there is none."""
    rows = Version.objects.filter(revision__submission=submission).select_related("revision", "period")
    row = rows.defer("revision__snapshot", "revision__attestation").first()
    if row is None:
        return None
    period, today = versions.effective_period(row), timezone.localdate()
    return {
        "term": period,
        "state": period.state(today),
        "today": today,
        "may_amend": period.is_latest and may(person, "amend", submission),
        "may_discontinue": period.is_latest and may(person, "discontinue", submission),
        "under_way": copies.open_amendment(submission) if period.is_latest and person.at_licensee else None,
    }


def _named(filings: list[Revision], receipt: str) -> Revision:
    """Return the filing with this receipt; a `Refusal` that names those that there are."""
    for filing in filings:
        if filing.receipt == receipt.strip().upper():
            return filing
    known = ", ".join(filing.receipt for filing in filings) or "none"
    raise Refusal("unknown-receipt", receipt=receipt[:40], verb="are" if len(filings) > 1 else "is", known=known)
