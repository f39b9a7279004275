"""What becomes of an approved version: amended, discontinued; and what a filing changes, side by side with another.

Which filings are compared is `submissions.comparing`, what differs `submissions.differences`.
"""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from submissions.access import may
from submissions.actions import amendments, versions
from submissions.comparing import base_of, base_of_draft, choices, compare, compare_draft
from submissions.differences import Differences
from submissions.errors import Refusal
from submissions.models import Person, Revision, Submission, Version
from submissions.search.wording import day_of
from submissions.terms import in_words, term, with_ends
from submissions.web import confirming
from submissions.web.guard import is_prepared_by, submission_of

Shown = dict[str, Any]


@require_safe
def changes(request: HttpRequest, number: str) -> HttpResponse:
    """What a filing changes: `?of=RECEIPT`, the latest where none is named, against `?from=RECEIPT`."""
    submission = submission_of(request, number)
    filed = _filed(submission, request.GET.get("of", ""))
    if filed is None:
        return _changes_of_draft(request, submission)
    base = _base(filed, request.GET.get("from", ""))
    found = compare(base, filed) if base else None
    context = _context(submission, base, found) | {"revision": filed, "choices": choices(filed)}
    return render(request, "pages/changes.html", context)


@require_POST
def amend(request: HttpRequest, number: str) -> HttpResponse:
    """Begin an amendment, and go to its checklist."""
    draft = amendments.amend(cast(Person, request.user), submission_of(request, number))
    messages.success(
        request, f"{draft.number} begins as a copy of what is approved. Change what is to change, then file it."
    )
    return redirect("checklist", draft.number)


@require_http_methods(["GET", "HEAD", "POST"])
def discontinue(request: HttpRequest, number: str) -> HttpResponse:
    """GET: the form with its consequence. POST: from a day on, the game is not offered."""
    submission = submission_of(request, number)
    if request.method != "POST":
        return _discontinue(request, submission)
    try:
        confirming.demand(request)
        from_day = day_of(request.POST.get("from_day", "").strip())
        reason = request.POST.get("reason", "")
        versions.discontinue(cast(Person, request.user), submission, from_day=from_day, reason=reason)
    except Refusal as refusal:
        return _discontinue(request, submission, refusal)
    messages.success(request, f"Discontinued: the game is not offered from {in_words(from_day)}.")
    return redirect("submission", number)


def standing_of(person: Person, submission: Submission) -> Shown | None:
    """Where the version of an approved submission stands, and what may be done about it; None if there is none."""
    row = with_ends(Version.objects.filter(revision__submission=submission)).select_related("revision").first()
    if row is None:
        return None
    found, today, last = term(row), timezone.localdate(), versions.is_last_word(submission)
    return {
        "term": found,
        "state": found.state(today),
        "today": today,
        "may_amend": last and may(person, "amend", submission),
        "may_discontinue": last and may(person, "discontinue", submission),
        "under_way": amendments.under_way(submission) if last and person.at_licensee else None,
    }


def _discontinue(request: HttpRequest, submission: Submission, refusal: Refusal | None = None) -> HttpResponse:
    today = timezone.localdate()
    context = {
        "submission": submission,
        "standing": standing_of(cast(Person, request.user), submission),
        "verdict": may(request.user, "discontinue", submission),
        "typed": request.POST if refusal else {"from_day": today.isoformat()},
        "refusal": refusal,
        "today": today,
        "here": "home",
    }
    return render(request, "pages/discontinue.html", context, status=refusal.status if refusal else 200)


def _filed(submission: Submission, receipt: str) -> Revision | None:
    filings = submission.revisions.select_related("submission__organisation", "version")
    if receipt:
        return _named(list(filings), receipt)
    return filings.first()


def _base(filed: Revision, receipt: str) -> Revision | None:
    return _named(choices(filed), receipt) if receipt else base_of(filed)


def _named(filings: list[Revision], receipt: str) -> Revision:
    """The filing with this receipt; a `Refusal` that names those that there are."""
    for one in filings:
        if one.receipt == receipt.strip().upper():
            return one
    known = ", ".join(one.receipt for one in filings) or "none"
    raise Refusal(
        "unknown-receipt",
        f"“{receipt[:40]}” is no filing that can be compared here.",
        fix=f"There {'are' if len(filings) > 1 else 'is'}: {known}.",
    )


def _changes_of_draft(request: HttpRequest, submission: Submission) -> HttpResponse:
    """Before anything is filed: what the draft would change, for its own side."""
    base = base_of_draft(submission) if is_prepared_by(request, submission) else None
    found = compare_draft(base, submission, cast(Person, request.user)) if base else None
    return render(request, "pages/changes.html", _context(submission, base, found) | {"revision": None, "choices": []})


def _context(submission: Submission, base: Revision | None, found: Differences | None) -> Shown:
    return {
        "submission": submission,
        "base": base,
        "in_place_of": Version.objects.filter(revision=base).first() if base else None,
        "found": found,
        "here": "home",
    }
