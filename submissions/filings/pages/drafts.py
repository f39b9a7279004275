"""Starting a Rules Submission: empty, as another draft of the game, or from a copy of an earlier filing.

Also copying a filing to another property of the company; and deleting a draft, which the page asks to confirm.
"""

import secrets
from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from games.rules.model import Chapter
from submissions.core.errors import Conflict, Refusal
from submissions.filings import copies, drafts
from submissions.filings.pages.filing import version_of
from submissions.filings.pages.next_steps import draft_notes
from submissions.models import Person
from submissions.permissions import may
from submissions.rules import chapter_on_or_none
from submissions.web.access_gate import organization_of, person_of, submission_of
from submissions.web.forms import PageForm, add_refusal, posted, render_form
from submissions.web.responses import render_page, whole_number

OPEN_AT_MOST = 20


@require_POST
def start(request: HttpRequest, number: str) -> HttpResponse:
    """Start a draft; where one of the game is open, ask first: continue that one, or start another."""
    another = request.POST.get("another") == "yes"
    try:
        draft = drafts.start_submission(person_of(request), number, another=another)
    except Conflict as conflict:
        return _ask(request, number, conflict)
    return redirect("checklist", draft.number)


@require_http_methods(["GET", "HEAD", "POST"])
def start_from(request: HttpRequest, number: str) -> HttpResponse:
    """GET: the filings of this game to start from. POST: a draft with the answers of the chosen one."""
    chapter, person, refusal = _chapter_or_404(number), person_of(request), None
    verdict = may(person, "start")
    sources = copies.copy_sources(person, number) if verdict else []
    if request.method == "POST":
        try:
            return _copied(request, person, sources)
        except Refusal as refused:
            refusal = refused
    context = {
        "chapter": chapter,
        "sources": sources,
        "verdict": verdict,
        "form_token": secrets.token_hex(16),
        "error_fields": {"source": f"source-{sources[0].submission.pk}"} if sources else {},
        "here": "home",
    }
    return render_page(request, "pages/start_from.html", context, refusal)


def _copied(request: HttpRequest, person: Person, sources: list[copies.CopySource]) -> HttpResponse:
    chosen = whole_number(request.POST.get("source", ""))
    source = next((source for source in sources if source.submission.pk == chosen), None)
    if source is None:
        raise Refusal("copy-source-missing", option="source")
    draft = copies.start_from(person, source, form_token=request.POST.get("mark", ""))
    messages.success(
        request, f"{draft.number} starts with the answers of {source.submission.number}. Check each finding."
    )
    if missing := "; ".join(copies.lines_not_copied(draft)):
        messages.warning(request, f"Not copied, because the rules no longer have it: {missing}.")
    return redirect("checklist", draft.number)


def _ask(request: HttpRequest, number: str, conflict: Conflict) -> HttpResponse:
    begun = drafts.open_submissions(organization_of(request), number).prefetch_related("configurations")
    rows = list(begun[:OPEN_AT_MOST])
    context = {
        "chapter": _chapter_or_404(number),
        "listed": draft_notes(rows).rows(rows),
        "conflict": conflict,
        "here": "home",
    }
    return render(request, "pages/start_another.html", context, status=conflict.status)


def _chapter_or_404(number: str) -> Chapter:
    chapter = chapter_on_or_none(number, timezone.localdate())
    if chapter is None:
        raise Http404(f"The portal has no chapter {number}.")
    return chapter


class CopyForm(PageForm):
    target = forms.ChoiceField(label="Property", widget=forms.RadioSelect)

    def __init__(self, targets: Mapping[str, Person], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        names = {key: str(row.organization) for key, row in targets.items()}
        cast(Any, self.fields["target"]).choices = names.items()
        missing = Refusal("copy-target-missing", properties=", ".join(names.values()) or "none")
        words = f"{missing.message} {missing.fix}"
        # Django puts the value into the text of an unknown choice, by the sign for percent.
        self.fields["target"].error_messages |= {"required": words, "invalid_choice": words.replace("%", "%%")}


@require_http_methods(["GET", "HEAD", "POST"])
def copy_to_property(request: HttpRequest, number: str) -> HttpResponse:
    """GET: the properties for which the person may prepare. POST: the draft there; its source's page follows."""
    submission, person = submission_of(request, number), person_of(request)
    targets = {str(row.pk): row for row in copies.copy_targets(person)}
    form = CopyForm(targets, *posted(request), initial={"target": next(iter(targets), "")})
    if form.is_valid():
        try:
            target = targets[form.cleaned_data["target"]]
            draft = copies.copy_to_property(person, submission, target, form_token=request.POST.get("mark", ""))
            messages.success(
                request,
                f"{draft.number} is a draft of {target.organization}. To complete it, choose {target.organization} "
                "under “You act for”, at the top of the page.",
            )
            return redirect("submission", number)
        except Refusal as refusal:
            add_refusal(form, refusal)
    context = {"submission": submission, "targets": targets, "form_token": secrets.token_hex(16), "here": "home"}
    return render_form(request, "pages/copy.html", context, form)


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, number: str) -> HttpResponse:
    """GET: what deleting means, and the button. POST: delete it; the first page follows."""
    submission, refusal = submission_of(request, number), None
    if request.method == "POST":
        try:
            drafts.delete_draft(person_of(request), submission, version=version_of(request))
        except Refusal as refused:
            refusal = refused
        else:
            messages.success(request, f"{number} is deleted. It stays in the history.")
            return redirect("home")
    context = {
        "submission": submission,
        "verdict": may(request.user, "delete", submission),
        "progress": drafts.draft_progress(submission),
        "here": "home",
    }
    return render_page(request, "pages/draft_deletion.html", context, refusal)
