"""A person's notices, newest first, and their e-mail preference; and the webhooks of an organization.

Of each webhook: where it is notified of events, what was sent, and with what result.
"""

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import capfirst
from django.views.decorators.http import require_POST

from submissions.accounts.pages import reauthentication
from submissions.accounts.pages.members import recent_changes
from submissions.audit.timeline import VERB_TEXTS
from submissions.core.dates import short_moment
from submissions.core.errors import Refusal
from submissions.core.parameters import ParsedField
from submissions.core.text import counted
from submissions.jobs import idempotency
from submissions.models import Delivery, MailPreference, Notice, Organization, Webhook
from submissions.notifications import notices, webhooks
from submissions.permissions import notices_visible_to, read_scope_of, readable_notices, require
from submissions.permissions.credentials import webhooks_history_visible_to, webhooks_visible_to
from submissions.web.access_gate import organization_of, person_of
from submissions.web.forms import ANY_ENTRY, PageForm, add_refusal, explained, posted, render_form
from submissions.web.middleware import never_compress
from submissions.web.responses import page_of, render_page
from submissions.web.sentences import moment

NOTICES_PER_PAGE = 30
MOST_COUNTED = 99
PREFERENCE_TEXTS = {
    MailPreference.EACH: (
        "An e-mail for each decision on your filings, at once. One e-mail with everything else, at 7 a.m. the next day."
    ),
    MailPreference.DIGEST: "One e-mail a day, at 7 a.m., with everything that is new.",
    MailPreference.NONE: "No e-mails. Check this page yourself.",
}


def notice_list(request: HttpRequest) -> HttpResponse:
    """GET: the notices, which then count as seen. POST: the e-mail preference."""
    if request.method != "POST":
        return _notice_list(request)
    choice = request.POST.get("mails", "")
    try:
        notices.choose_mail_preference(person_of(request), choice)
    except Refusal as refusal:
        return _notice_list(request, refusal)
    messages.success(request, f"From now on: {MailPreference(choice).label}.")
    return redirect("notices")


def unseen_notices(request: HttpRequest) -> str:
    """Return the number of new notices, for the head of every page: "" for none, "99+" where there are more."""
    user = getattr(request, "user", AnonymousUser())  # an error page may come before anyone is signed in
    if not user.is_authenticated or not user.is_active:
        return ""
    # Only of these is asked whether they may be read: PostgreSQL would ask it of every notice or submission first.
    new = Notice.objects.filter(person=user.pk, seen_at=None).order_by().values("pk")[: MOST_COUNTED + 1]
    count = readable_notices(read_scope_of(user)).filter(pk__in=new).count()
    return f"{MOST_COUNTED}+" if count > MOST_COUNTED else str(count or "")


def _notice_list(request: HttpRequest, refusal: Refusal | None = None) -> HttpResponse:
    rows = notices_visible_to(request.user).select_related("submission", "event").order_by("-pk")
    page = page_of(request, rows.only("words", "at", "seen_at", "submission__number", "event__after"), NOTICES_PER_PAGE)
    shown = [_notice_row(notice) for notice in page]
    notices.mark_seen(list(page))
    context = {
        "page": page,
        "shown": shown,
        "choices": [(choice.value, choice.label, PREFERENCE_TEXTS[choice]) for choice in MailPreference],
        "error_fields": {ANY_ENTRY: f"mails-{MailPreference.values[0]}"},
        "here": "notices",
    }
    return render_page(request, "pages/notices.html", context, refusal)


def _notice_row(notice: Notice) -> dict[str, object]:
    """Return a notice: its sentence, the lines below it, when it was sent, and what it leads to."""
    sentence, *lines = notice.words.split("\n")
    at = timezone.localtime(notice.at)
    return {
        "sentence": sentence,
        "lines": [line.removeprefix("- ") for line in lines],
        "is_new": notice.seen_at is None,
        "stamp": at.isoformat(),
        "sent": short_moment(at),
        "link": _notice_link(notice),
    }


def _notice_link(notice: Notice) -> tuple[str, str] | None:
    """Return the address and the name of the notice's subject; None if it has no page."""
    about: Mapping[str, str] = notice.event.after
    if number := about.get("filing"):
        return reverse("layout", args=[number]), number
    if notice.submission:
        return reverse("submission", args=[notice.submission.number]), notice.submission.number
    if about.get("alert"):
        return reverse("operations"), "Operations"
    if number := about.get("rulemaking"):
        return reverse("rulemaking", args=[number]), number
    return None


DELIVERIES_ON_PAGE = 30
REACH = (("test", explained("Test", "what happens in your sandbox")), ("live", explained("Live", "real submissions")))
SENTENCES = {"webhook-made": "had events sent to {host}", "webhook-ended": "ended the webhook to {host}"}
DONE_MESSAGES = {
    "test": "The portal is sending the test. The result appears here.",
    "end": "The portal no longer sends events to {}.",
    "replay": "The portal is sending it again. The result appears here.",
}
PART = {"here": "people", "part": "webhooks"}


class WebhookForm(PageForm):
    codes: ClassVar = {"required": "webhook-address", "invalid_choice": "unknown-verb"}
    url = ParsedField(
        label="Address of your system",
        help_text="An https address that can be reached from the public internet.",
        parse=webhooks.check_url,
        widget=forms.TextInput(
            {"inputmode": "url", "autocomplete": "off", "spellcheck": "false", "maxlength": webhooks.LONGEST_URL}
        ),
    )
    reach = forms.ChoiceField(label="Events", choices=REACH, required=False, widget=forms.RadioSelect)
    verbs = forms.MultipleChoiceField(
        label="Kinds of events (all, if you choose none)", required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, kind: str, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        label = '{} <span class="quiet digest">{}</span>'
        verbs = webhooks.verbs_for(Organization.Kind(kind))
        cast(Any, self.fields["verbs"]).choices = [
            (verb, format_html(label, capfirst(VERB_TEXTS[verb]), verb)) for verb in verbs
        ]


@dataclass(frozen=True, slots=True)
class DeliveryRow:
    """A delivery with the text of its event and of its state; `look` is the style of that."""

    delivery: Delivery
    what: str
    state: str
    look: str
    due_at: datetime | None = None

    @property
    def attempts(self) -> str:
        """The number of calls of the address, and the days of the last and the next one."""
        made, last = self.delivery.attempts, self.delivery.attempted_at
        return (
            counted(made, "attempt")
            + (f", last {moment(last, 'M j, g:i a')}" if last else "")
            + (f", next {moment(self.due_at, 'M j, g:i a')}" if made and self.due_at else "")
        )


def webhook_list(request: HttpRequest) -> HttpResponse:
    """GET: the webhooks. POST: create one."""
    require(request.user, "connect")
    form = WebhookForm(organization_of(request).kind, *posted(request), initial={"reach": "test"})
    if request.method == "POST":
        try:
            idempotency.refuse_sent_form(person_of(request), form_token := request.POST.get("mark", ""))
            reauthentication.require_confirmation(request)
            if form.is_valid():
                values = form.cleaned_data
                created = webhooks.create_webhook(
                    person_of(request),
                    url=values["url"],
                    verbs=values["verbs"],
                    live=values["reach"] == "live",
                    form_token=form_token,
                )
                return never_compress(render(request, "pages/webhook_created.html", {"made": created, **PART}))
        except Refusal as refusal:
            add_refusal(form, refusal)
    return _webhook_list(request, form)


def webhook_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one webhook with its deliveries, the latest first."""
    require(request.user, "connect")
    return _webhook_page(request, get_object_or_404(webhooks_visible_to(request.user), pk=pk))


@require_POST
def change_webhook(request: HttpRequest, pk: int, action: str, key: str = "") -> HttpResponse:
    """Send a test, end it, or send the delivery with this key again."""
    require(request.user, "connect")
    person, webhook = person_of(request), get_object_or_404(webhooks_visible_to(request.user), pk=pk)
    try:
        if action == "test":
            webhooks.send_test(person, webhook)
        elif action == "end":
            reauthentication.require_confirmation(request)
            webhooks.end_webhook(person, webhook)
        elif action == "replay":
            delivery = get_object_or_404(Delivery.objects.select_related("webhook"), webhook=webhook, key=key)
            webhooks.replay_delivery(person, delivery)
        else:
            raise Http404
    except Refusal as refusal:
        return _webhook_page(request, webhook, refusal)
    messages.success(request, DONE_MESSAGES[action].format(webhook))
    return redirect("webhook", webhook.pk)


def replay(request: HttpRequest, pk: int, key: str) -> HttpResponse:
    """Send a delivery again."""
    return change_webhook(request, pk, "replay", key)


def _webhook_list(request: HttpRequest, form: WebhookForm) -> HttpResponse:
    context = {
        "webhooks": webhooks_visible_to(request.user),
        "now": timezone.now(),
        "changes": recent_changes(webhooks_history_visible_to(request.user), SENTENCES),
        "form_token": secrets.token_hex(16),  # a form that is sent twice has no second effect
        **PART,
    }
    return render_form(request, "pages/webhooks.html", context, form)


def _webhook_page(request: HttpRequest, webhook: Webhook, refusal: Refusal | None = None) -> HttpResponse:
    page = page_of(request, webhooks.deliveries(webhook), DELIVERIES_ON_PAGE)
    rows = [_delivery_row(delivery) for delivery in page]
    context = {"webhook": webhook, "page": page, "rows": rows, "now": timezone.now(), **PART}
    return render_page(request, "pages/webhook.html", context, refusal)


def _delivery_row(delivery: Delivery) -> DeliveryRow:
    body = json.loads(delivery.body)
    what = f"{body['who']} {body['what']}" if delivery.event_id else "Test"
    if delivery.delivered_at:
        return DeliveryRow(delivery, what, "Delivered", "approved")
    if delivery.given_up_at:
        return DeliveryRow(delivery, what, "Given up", "returned")
    due_at = getattr(delivery, "due_at", None)  # an annotation of `webhooks.deliveries`
    return DeliveryRow(delivery, what, "Waiting", "filed", due_at)
