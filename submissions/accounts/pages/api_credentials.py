"""An organization's API keys: issued, rotated and revoked by its administrators, who see the secret once.

Only the page that answers the request shows the secret, and it is not cached. The rules for keys are in
`accounts.api_credentials`.
"""

import re
import secrets
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from submissions.accounts import api_credentials
from submissions.accounts.pages import reauthentication
from submissions.accounts.pages.members import recent_changes
from submissions.accounts.public_keys import looks_private, parse_public_key, thumbprint
from submissions.core.dates import date_text
from submissions.core.errors import Refusal
from submissions.core.parameters import DayField, ParsedField
from submissions.jobs import idempotency
from submissions.models import SCOPES_OF, Credential, Organization
from submissions.permissions import require
from submissions.permissions.credentials import credentials_history_visible_to, credentials_visible_to
from submissions.web.access_gate import organization_of, person_of
from submissions.web.forms import PageForm, add_refusal, explained, posted, render_form
from submissions.web.middleware import never_compress

REACH = (
    ("test", explained("Test", "a sandbox of your own: nothing in it takes effect")),
    ("live", explained("Live", "your organization's real submissions")),
)
KEY_HINT = "A JWK or PEM: P-256, or RSA of 2048 to 4096 bits. Empty: the portal creates a secret."


def entered_networks(text: str) -> list[str]:
    """Return the networks of the field: one a line, or with commas."""
    return [network for network in re.split(r"[\s,;]+", text) if network]


class PublicKeyArea(forms.Textarea):
    """A text area that is shown again with its entry, unless that is a private key."""

    def format_value(self, value: Any) -> str | None:
        return None if looks_private(value or "") else super().format_value(value)


def _public_key_field(label: str) -> ParsedField:
    """Return the text of a public key that can be read."""
    widget = PublicKeyArea({"rows": 5, "autocomplete": "off", "spellcheck": "false"})
    parse = lambda text: parse_public_key(text) and text  # noqa: E731
    return ParsedField(label=label, help_text=KEY_HINT, parse=parse, required=False, widget=widget)


class CredentialForm(PageForm):
    name = forms.CharField(
        label="Name of the system that uses it",
        max_length=api_credentials.LONGEST_NAME,
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple)
    reach = forms.ChoiceField(label="Access to", choices=REACH, required=False, widget=forms.RadioSelect)
    expires = DayField(label="Expiration date")
    networks = ParsedField(
        label="Allowed networks",
        help_text="One a line, such as 203.0.113.0/24. Empty: from everywhere.",
        parse=lambda text: api_credentials.check_networks(entered_networks(text)),
        required=False,
        widget=forms.Textarea({"rows": 3, "spellcheck": "false"}),
    )
    public_key = _public_key_field("Public key, if the system signs in with OAuth 2")

    def __init__(self, kind: str, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["expires"].help_text = f"Up to {date_text(_latest())}; it can be rotated before."
        self.fields["expires"].widget.attrs["max"] = _latest()
        texts = api_credentials.SCOPE_TEXTS
        scopes = SCOPES_OF[Organization.Kind(kind)]
        cast(Any, self.fields["scopes"]).choices = [
            (scope.value, explained(str(scope.label), texts[scope])) for scope in scopes
        ]


class RotationForm(PageForm):
    use_required_attribute = False  # its fields are beside the button that revokes the key
    expires = DayField(label="Expiration date of the new key")
    overlap = forms.IntegerField(
        label="Days for which both keys are valid",
        help_text=f"0 to {api_credentials.LONGEST_OVERLAP.days}.",
        min_value=0,
        max_value=999,
        widget=forms.TextInput({"inputmode": "numeric", "maxlength": 3}),
    )
    public_key = _public_key_field("New public key, if the system signs in with OAuth 2")


class RevocationForm(PageForm):
    reason = forms.CharField(
        label="Why", help_text="The history keeps this reason.", required=False, widget=forms.Textarea({"rows": 2})
    )


DEFAULT_LIFETIME = timedelta(days=90)
SOON = timedelta(days=14)
DAY_ENDS = time(23, 59, 59)
SENTENCES = {
    "credential-made": "made “{name}”, {credential}",
    "credential-rotated": "replaced {replaced} of “{name}” by {credential}",
    "credential-revoked": "revoked “{name}”, {credential}",
}
PART = {"here": "people", "part": "credentials"}


@dataclass(frozen=True, slots=True)
class CredentialStatus:
    """A key and the status that its page shows; `look` is the style of that."""

    credential: Credential
    state: str
    look: str
    is_valid: bool  # it or its replacement can be used, so it can be revoked

    @property
    def rotates(self) -> bool:
        return self.is_valid and self.credential.replaced_by_id is None


def page(request: HttpRequest) -> HttpResponse:
    """GET: the keys. POST: issue one."""
    require(request.user, "administer")
    kind = organization_of(request).kind
    form = CredentialForm(kind, *posted(request), initial={"reach": "test", "expires": _default_expiry()})
    if request.method == "POST":
        try:
            idempotency.refuse_sent_form(person_of(request), form_token := request.POST.get("mark", ""))
            reauthentication.require_confirmation(request)
            if form.is_valid():
                return _with_secret(request, _issued(request, form.cleaned_data, form_token))
        except Refusal as refusal:
            _add_refusal(form, refusal)
    return _page(request, form)


def credential(request: HttpRequest, pk: int) -> HttpResponse:
    """Return a key, and the form that rotates or revokes it."""
    require(request.user, "administer")
    return _credential_page(request, get_object_or_404(credentials_visible_to(request.user), pk=pk))


@require_POST
def change(request: HttpRequest, pk: int, action: str) -> HttpResponse:
    """Rotate it, or revoke it."""
    require(request.user, "administer")
    credential = get_object_or_404(credentials_visible_to(request.user), pk=pk)
    if action not in ("rotate", "revoke"):
        raise Http404
    form = RotationForm(request.POST) if action == "rotate" else RevocationForm(request.POST)
    try:
        reauthentication.require_confirmation(request)
        if form.is_valid() and action == "rotate":
            return _with_secret(request, _rotated(request, credential, form.cleaned_data))
        if form.is_valid():
            api_credentials.revoke_credential(person_of(request), credential, reason=form.cleaned_data["reason"])
            what = f"“{credential.name}”, {credential.key_id}, is revoked"
            messages.success(request, f"{what}: calls with it are refused.")
            return redirect("credentials")
    except Refusal as refusal:
        _add_refusal(form, refusal)
    return _credential_page(request, credential, form)


def credential_status(credential: Credential, now: datetime) -> CredentialStatus:
    if credential.revoked_at:
        return CredentialStatus(credential, "Revoked", "ended", is_valid=False)
    if credential.overlap_until and credential.overlap_until <= now:
        return CredentialStatus(credential, "Replaced", "ended", is_valid=False)
    if credential.expires_at <= now:
        return CredentialStatus(credential, "Expired", "ended", is_valid=False)
    if credential.overlap_until:
        return CredentialStatus(credential, "Replaced, still valid", "returned", is_valid=True)
    if credential.expires_at <= now + SOON:
        return CredentialStatus(credential, "Ends soon", "returned", is_valid=True)
    return CredentialStatus(credential, "Good", "approved", is_valid=True)


def _add_refusal(form: forms.Form, refusal: Refusal) -> None:
    add_refusal(form, refusal, "expires" if refusal.option == "expires_at" else "")


def _issued(request: HttpRequest, values: dict[str, Any], form_token: str) -> api_credentials.IssuedCredential:
    return api_credentials.issue_credential(
        person_of(request),
        name=values["name"],
        scopes=values["scopes"],
        live=values["reach"] == "live",
        expires_at=_end_of(values["expires"]),
        networks=values["networks"] or (),
        public_key=values["public_key"] or "",
        form_token=form_token,
    )


def _rotated(request: HttpRequest, old: Credential, values: dict[str, Any]) -> api_credentials.IssuedCredential:
    return api_credentials.rotate_credential(
        person_of(request),
        old,
        expires_at=_end_of(values["expires"]),
        overlap=timedelta(days=values["overlap"]),
        public_key=values["public_key"] or "",
    )


def _with_secret(request: HttpRequest, issued: api_credentials.IssuedCredential) -> HttpResponse:
    """Return the page that shows the secret, if there is one; no other page does."""
    example = request.build_absolute_uri("/api/v1/submissions/")
    context = {"made": issued, "example": example, **_oauth_facts(request, issued.credential), **PART}
    page = render(request, "pages/credential_created.html", context)
    return never_compress(page)


def _page(request: HttpRequest, form: CredentialForm) -> HttpResponse:
    now = timezone.now()
    context = {
        "credentials": [credential_status(credential, now) for credential in credentials_visible_to(request.user)],
        "changes": recent_changes(credentials_history_visible_to(request.user), SENTENCES),
        "form_token": secrets.token_hex(16),  # a form that is sent twice has no second effect
        **PART,
    }
    return render_form(request, "pages/credentials.html", context, form)


def _credential_page(request: HttpRequest, credential: Credential, form: forms.Form | None = None) -> HttpResponse:
    """Return the page with both steps' forms; `form`: the one that was sent, whose entries the other one keeps."""
    initial = {"expires": _default_expiry(), "overlap": api_credentials.OVERLAP.days, **request.POST.dict()}
    rotation = form if isinstance(form, RotationForm) else RotationForm(initial=initial)
    rotation.fields["expires"].widget.attrs["max"] = _latest()
    revocation = form if isinstance(form, RevocationForm) else RevocationForm(initial=initial)
    context = {
        "rotation": rotation,
        "revocation": revocation,
        "status": credential_status(credential, timezone.now()),
        "credential": credential,
        **_oauth_facts(request, credential),
        "replaces": Credential.objects.filter(replaced_by=credential).first(),
        **PART,
    }
    return render_form(request, "pages/credential.html", context, form or rotation)


def _oauth_facts(request: HttpRequest, credential: Credential) -> dict[str, str]:
    """Return the token endpoint and the key's thumbprint, for a client that signs in with a public key."""
    if not credential.public_key:
        return {}
    endpoint = request.build_absolute_uri(reverse("api:token"))
    return {"token_endpoint": endpoint, "thumbprint": thumbprint(credential.public_key)}


def _end_of(day: date) -> datetime:
    """Return the last second of the day."""
    return timezone.make_aware(datetime.combine(day, DAY_ENDS))


def _default_expiry() -> date:
    return timezone.localdate() + DEFAULT_LIFETIME


def _latest() -> date:
    return timezone.localdate() + api_credentials.LONGEST - timedelta(days=1)
