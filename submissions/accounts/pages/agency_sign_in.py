"""Sign-in of agency staff through their OpenID Connect provider, where one is configured.

django-allauth speaks the protocol. Here is who may come in that way: an active person of the Board, found by the
provider's subject once it is linked, and the first time by a verified e-mail address. OpenID Connect lets a client skip
the signature of a token that came over TLS, and django-allauth does; here it is always checked (ASVS 6.8.2). Signatures
are confirmed as everybody's, not at the provider.
"""

from collections.abc import Mapping
from typing import Any, NoReturn, cast
from urllib.parse import urlencode, urlsplit

import jwt
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal import ratelimit
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter, get_adapter
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe
from requests import RequestException, Session
from requests.adapters import HTTPAdapter

from submissions.core.errors import SHOWN_REFUSAL, Forbidden, Refusal
from submissions.models import AccessRecord, Organization, Person
from submissions.web.security_records import record

PROVIDER = "agency"
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")  # public keys


class AgencyProviderAdapter(OpenIDConnectOAuth2Adapter):
    """django-allauth's, with the checks of this module before anything of the answer is used."""

    def complete_login(self, request: HttpRequest, app: SocialApp, token: SocialToken, **kwargs: Any) -> SocialLogin:
        configuration = self.openid_config
        if str(configuration.get("issuer", "")).rstrip("/") != settings.OIDC_ISSUER:
            raise OAuth2Error("The provider's configuration is that of another issuer.")
        with get_adapter().get_requests_session() as session:
            answer = session.get(configuration["jwks_uri"])
            answer.raise_for_status()
        require_signature(kwargs["response"].get("id_token") or "", answer.json(), audience=app.client_id)
        return super().complete_login(request, app, token, **kwargs)


def callback(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """Handle the way back from the provider; 404 where none is configured."""
    try:
        view = OAuth2CallbackView.adapter_view(AgencyProviderAdapter(request, provider_id))
        return cast(HttpResponseBase, view(request))
    except SocialApp.DoesNotExist:
        raise Http404("This portal does not use agency accounts.") from None


def require_signature(token: str, published: Mapping[str, Any], *, audience: str) -> None:
    """Raise `OAuth2Error` unless one of the published keys (RFC 7517) signed the token, for this audience and time."""
    try:
        wanted = jwt.get_unverified_header(token).get("kid")
        keys = [key for key in jwt.PyJWKSet.from_dict(dict(published)).keys if wanted in (None, key.key_id)]
    except jwt.PyJWTError as error:
        raise OAuth2Error("The provider's ID token or its keys cannot be read.") from error
    if not any(_is_signed_by(key, token, audience) for key in keys):
        raise OAuth2Error("The provider's ID token is not signed by one of its keys.")


def _is_signed_by(key: jwt.PyJWK, token: str, audience: str) -> bool:
    try:
        jwt.decode(token, key.key, algorithms=ALGORITHMS, audience=audience, options={"require": ["exp", "sub", "iss"]})
    except (jwt.PyJWTError, TypeError, ValueError):  # the last two: a key of another kind than the algorithm
        return False
    return True


SIGN_OUT_AT = "agency_sign_out_at"  # in the session: where the provider ends its own session
SALT = "submissions.agency-sign-out"
LOOPBACK = ("localhost", "127.0.0.1", "::1")
OWN_SITE = ("same-origin", "none")  # a page of the portal; an address that was entered (Fetch Metadata)


class TooManyRequests(Refusal):
    status = 429


class AgencyAdapter(DefaultSocialAccountAdapter):
    """The adapter that decides who comes in, and how the portal calls the provider."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        return False

    def get_requests_session(self) -> Session:
        """Return a session that calls https only; a provider on this very machine, for tests, also without."""
        session: Session = super().get_requests_session()
        session.adapters.pop("http://")
        issuer = urlsplit(settings.OIDC_ISSUER)
        if issuer.scheme == "http" and issuer.hostname in LOOPBACK:
            session.mount(f"http://{issuer.netloc}/", HTTPAdapter())
        return session

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Link the account to its person the first time; refuse everybody who is not to come in."""
        person = _person_of(sociallogin)
        if person is None:
            claims = sociallogin.account.extra_data.get("userinfo") or {}
            _refuse(request, Forbidden("agency-account-unknown"), account=str(claims.get("email") or ""))
        sociallogin.account.extra_data = {}  # what the provider says of the person is not kept
        if sociallogin.is_existing:
            sociallogin.account.save(update_fields=["extra_data"])
        else:
            sociallogin.connect(request, person)
        configuration = sociallogin.provider.get_oauth2_adapter(request).openid_config
        request.session[SIGN_OUT_AT] = configuration.get("end_session_endpoint", "")

    def on_authentication_error(self, request: HttpRequest, provider: object, **details: Any) -> None:
        _refuse(request, Forbidden("agency-sign-in-failed"))


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """Lead to the provider; what it answers comes to allauth's callback."""
    if not settings.OIDC_ISSUER:
        raise Http404("This portal does not use agency accounts.")
    if request.user.is_authenticated:
        return redirect("home")
    if request.headers.get("Sec-Fetch-Site", OWN_SITE[0]) not in OWN_SITE:  # nobody is signed in by a link elsewhere
        return redirect(settings.LOGIN_URL)
    if not ratelimit.consume(request, app="allauth.account", action="agency_sign_in", limit_get=True):
        raise TooManyRequests("too-many-attempts", "Too many attempts.", fix="Wait a minute, then try again.")
    provider = get_adapter().get_provider(request, PROVIDER)
    try:
        return cast(HttpResponse, provider.redirect(request, process="login", next_url=request.GET.get("next")))
    except RequestException:
        refusal = Forbidden("agency-sign-in-failed")
        _record_refusal(request, refusal)
        raise refusal from None


@require_safe
def signed_out(request: HttpRequest) -> HttpResponse:
    """Show, after signing out of the portal, the way to sign out at the provider as well."""
    try:
        address = signing.loads(request.GET.get("at", ""), salt=SALT)
    except signing.BadSignature:
        raise Http404("You were not signed out here.") from None
    return render(request, "pages/agency_signed_out.html", {"address": address})


def sign_out_page(request: HttpRequest) -> str:
    """Return the address of that page; "" for a session that did not begin at the provider."""
    address = request.session.get(SIGN_OUT_AT, "")
    if not address:
        return ""
    client = get_adapter().get_app(None, PROVIDER).client_id
    back = urlencode({"client_id": client, "post_logout_redirect_uri": f"{settings.PUBLIC_URL}/"})
    return f"{reverse('agency-signed-out')}?{urlencode({'at': signing.dumps(f'{address}?{back}', salt=SALT)})}"


def must_sign_in_there(person: Person) -> bool:
    """Return whether this person's passphrase does not sign in, because the agency's provider must."""
    return bool(settings.OIDC_ISSUER and settings.OIDC_REQUIRED and person.at_regulator)


def _person_of(sociallogin: SocialLogin) -> Person | None:
    """Return who this is; None for everybody who has no business here."""
    data = sociallogin.account.extra_data
    token, claims = data.get("id_token") or {}, data.get("userinfo") or {}
    if token.get("iss", "").rstrip("/") != settings.OIDC_ISSUER or token.get("sub") != claims.get("sub"):
        return None
    staff = Person.objects.filter(
        account=None,
        is_active=True,
        is_system=False,
        organization__kind=Organization.Kind.REGULATOR,
        organization__sandbox_of=None,
    )
    if sociallogin.is_existing:
        return staff.filter(pk=sociallogin.user.pk).first()
    if claims.get("email_verified") is not True or not claims.get("email"):
        return None
    person = staff.filter(email__iexact=claims["email"]).first()
    # An address that the agency gave to somebody else does not open the account of the one who had it.
    linked = SocialAccount.objects.filter(user=person, provider=PROVIDER).exists()
    return None if linked else person


def _refuse(request: HttpRequest, refusal: Refusal, *, account: str = "") -> NoReturn:
    _record_refusal(request, refusal, account)
    raise ImmediateHttpResponse(render(request, "pages/refusal.html", {"refusal": refusal}, status=refusal.status))


def _record_refusal(request: HttpRequest, refusal: Refusal, account: str = "") -> None:
    request.META[SHOWN_REFUSAL] = refusal.code
    details = {"with": "agency account"}
    record(request, AccessRecord.Kind.SIGN_IN_FAILED, reason=refusal.code, account=account, details=details)
