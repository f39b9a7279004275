"""What the agency's provider answers: its configuration is its own, and one of its published keys signed the ID token.

OpenID Connect lets a client skip the signature of a token that came over TLS, and django-allauth does; here it is
always checked (ASVS 6.8.2). Audience and times are checked by both. Not here: who comes in (`agency_sign_in`).
"""

from collections.abc import Mapping
from typing import Any

import jwt
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponseBase

PROVIDER = "agency"
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")  # public keys


class AgencyProviderAdapter(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]  # django-allauth has no types
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
    """The way back from the provider; 404 where none is configured."""
    try:
        view = OAuth2CallbackView.adapter_view(AgencyProviderAdapter(request, provider_id))
        response: HttpResponseBase = view(request)
    except SocialApp.DoesNotExist:
        raise Http404("This portal does not use agency accounts.") from None
    return response


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
