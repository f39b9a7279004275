"""The page that copies a filing to another property of the company, as a draft there."""

import secrets

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from submissions.core.errors import Refusal
from submissions.filings import property_copies
from submissions.web.access_gate import person_of, submission_of
from submissions.web.forms import Radios, RefusalForm, SentChoice


class CopyForm(RefusalForm):
    target = SentChoice(Radios())


@require_http_methods(["GET", "HEAD", "POST"])
def copy(request: HttpRequest, number: str) -> HttpResponse:
    """GET: the properties for which the person may prepare. POST: the draft there; its source's page follows."""
    submission, person = submission_of(request, number), person_of(request)
    targets = {str(row.pk): row for row in property_copies.copy_targets(person)}
    form = CopyForm(request, target=next(iter(targets), ""))
    form.offer("target", [(key, str(row.organization)) for key, row in targets.items()])
    if request.method == "POST":
        with form.showing_refusals():
            target = targets.get(form.values["target"])
            if target is None:
                raise Refusal("copy-target-missing", option="target", properties=_names(form))
            draft = property_copies.copy_to_property(
                person, submission, target, form_token=request.POST.get("mark", "")
            )
            messages.success(
                request,
                f"{draft.number} is a draft of {target.organization}. To complete it, choose {target.organization} "
                "under “You act for”, at the top of the page.",
            )
            return redirect("submission", number)
    context = {"submission": submission, "targets": targets, "form_token": secrets.token_hex(16), "here": "home"}
    return form.page(request, "pages/copy.html", context)


def _names(form: CopyForm) -> str:
    return ", ".join(label for _, label in form.fields["target"].choices) or "none"  # type: ignore[attr-defined]
