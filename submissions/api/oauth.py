"""OAuth 2 for programs: client credentials (RFC 6749, section 4.4), proved by `private_key_jwt` (RFC 7523, RFC 7521).

The client signs a short-lived assertion with its private key and gets an access token. joserfc verifies the signature
and the registered claims; here are the token request, its refusals, and what the portal requires in addition:
algorithms, audience, lifetime, single use, network. Not here: the token itself (`permissions.credentials`), the
client's public key (`accounts.public_keys`).
"""

import json
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe
from joserfc import jws, jwt
from joserfc.errors import ClaimError, JoseError
from rest_framework.parsers import FormParser
from rest_framework.request import Request
from rest_framework.views import APIView

from submissions.accounts.public_keys import ALGORITHMS, public_key
from submissions.api.framework.authentication import TokenThrottle, address_of
from submissions.core.errors import error_codes
from submissions.models import AccessRecord, Credential, Scope, UsedAssertion
from submissions.permissions.credentials import (
    LIFETIME,
    UnrecognizedCredential,
    access_token,
    credential_named_in,
    refuse_unusable,
)
from submissions.security_log.records import Access, caller_from, record_access

GRANT_TYPE = "client_credentials"
METHOD = "private_key_jwt"
ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
LONGEST_ASSERTION = 8000  # characters
LONGEST_JTI = 255
ASSERTION_LIFETIME = timedelta(minutes=5)
CLOCK_SKEW = timedelta(minutes=1)  # between the client's clock and ours
LOCAL_HOSTS = {"localhost", "127.0.0.1", "::1"}  # this machine itself, which needs no https
NOT_STORED = {"Cache-Control": "no-store", "Pragma": "no-cache"}  # RFC 6749, section 5.1
WORDS = {  # what joserfc says of a claim → what the client did and what is allowed
    "Invalid claim: 'aud'": "The claim aud is another server: it must be the issuer, or its token_endpoint, of "
    "/.well-known/oauth-authorization-server.",
    "The token is expired": "The assertion has expired: the time of its claim exp has passed.",
}


class RefusedRequest(Exception):
    """A token request that is refused: the `error` of RFC 6749, section 5.2, and words about it."""

    code = "token-request-refused"

    def __init__(self, error: str, words: str) -> None:
        super().__init__(words)
        self.error = error


class RefusedClient(RefusedRequest):
    """A client that is unknown, did not prove its key, or may not get a token now (`code`)."""

    def __init__(self, words: str, credential: Credential | None = None, code: str = "assertion-refused") -> None:
        super().__init__("invalid_client", words)
        self.credential, self.code = credential, code


class TokenView(APIView):
    """The token endpoint. Its requests and answers are those of OAuth 2, not those of the other addresses."""

    http_method_names = ["post"]
    authentication_classes: list[Any] = []
    permission_classes: list[Any] = []
    throttle_classes = (TokenThrottle,)
    parser_classes = (FormParser,)
    schema = None

    def post(self, request: Request) -> HttpResponse:
        try:
            return JsonResponse(_issue_token(request), headers=NOT_STORED)
        except RefusedRequest as refusal:
            if isinstance(refusal, RefusedClient):
                _record(request, refusal)
            page = f"{settings.PUBLIC_URL}{reverse('catalogue')}#{refusal.code}"
            body = {"error": refusal.error, "error_description": str(refusal), "error_uri": page}
            return JsonResponse(body, status=400, headers=NOT_STORED)


def _issue_token(request: Request) -> dict[str, Any]:
    """Return the answer of section 5.1. Only a client that proved its key learns why its credential is not valid."""
    form = request.POST
    if not request.is_secure() and urlsplit(request.build_absolute_uri()).hostname not in LOCAL_HOSTS:
        raise RefusedRequest("insecure_transport", "The request was not sent over https.")
    if request.query_params or any(len(values) > 1 for _, values in form.lists()):
        raise RefusedRequest("invalid_request", "Send each parameter once, in the body.")
    if form.get("grant_type") != GRANT_TYPE:
        raise RefusedRequest("unsupported_grant_type", f"The parameter grant_type must be {GRANT_TYPE}.")
    if form.get("client_assertion_type") != ASSERTION_TYPE or not form.get("client_assertion"):
        raise RefusedClient("The request has no client_assertion. The portal takes no client_secret.")
    credential = _client_of(form["client_assertion"])
    try:
        refuse_unusable(credential, address_of(request), timezone.now())
    except UnrecognizedCredential as refusal:
        raise RefusedClient(error_codes()[refusal.code].title, credential, refusal.code) from None
    scopes = sorted(set(form.get("scope", "").split()) or credential.scopes)
    if not set(scopes) <= set(credential.scopes):
        raise RefusedRequest("invalid_scope", "The client does not have every scope that was asked for.")
    return {
        "token_type": "Bearer",
        "access_token": access_token(credential, scopes),
        "expires_in": int(LIFETIME.total_seconds()),
        "scope": " ".join(scopes),
    }


def _client_of(assertion: str) -> Credential:
    """Return the credential whose key signed the assertion, which is then used."""
    if len(assertion) > LONGEST_ASSERTION:
        raise RefusedClient(f"The assertion is longer than {LONGEST_ASSERTION} characters.")
    try:
        key_id = json.loads(jws.extract_compact(assertion.encode()).payload).get("sub")
        named, credential = credential_named_in(str(key_id))
        if credential is None or not credential.public_key or named != key_id:
            raise RefusedClient("The claims iss and sub do not name a client with a public key.")
        _use(_verified_claims(assertion, credential), credential)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, JoseError):
        raise RefusedClient("The assertion cannot be read.") from None
    return credential


def _verified_claims(assertion: str, credential: Credential) -> dict[str, Any]:
    """Check the signature with our algorithms, never `none`, never a shared secret; then the claims."""
    key = public_key(credential.public_key or {})
    allowed = [key.alg] if key.alg else list(ALGORITHMS[key.key_type])
    try:
        claims = jwt.decode(assertion, key, algorithms=allowed).claims
    except JoseError:
        text = f"The signature is not valid. Sign with the registered key and {' or '.join(allowed)}."
        raise RefusedClient(text, credential) from None
    registry = jwt.JWTClaimsRegistry(
        leeway=int(CLOCK_SKEW.total_seconds()),
        iss={"essential": True, "value": credential.key_id},
        sub={"essential": True, "value": credential.key_id},
        aud={"essential": True, "values": [settings.PUBLIC_URL, token_endpoint()]},
        exp={"essential": True},
    )
    try:
        registry.validate(claims)
    except ClaimError as error:
        raise RefusedClient(WORDS.get(error.description, error.description), credential) from None
    return claims


def _use(claims: dict[str, Any], credential: Credential) -> None:
    """Refuse an assertion that was used before, by any process."""
    now, jti = timezone.now(), claims.get("jti")
    if not isinstance(jti, str) or not 1 <= len(jti) <= LONGEST_JTI:
        raise RefusedClient(f"The claim jti must be a text of 1 to {LONGEST_JTI} characters.", credential)
    if claims["exp"] > (now + ASSERTION_LIFETIME + CLOCK_SKEW).timestamp():
        minutes = ASSERTION_LIFETIME // timedelta(minutes=1)
        raise RefusedClient(f"The claim exp must be at most {minutes} minutes from now.", credential)
    UsedAssertion.objects.filter(expires_at__lt=now).delete()
    ends = datetime.fromtimestamp(claims["exp"], UTC) + CLOCK_SKEW
    row = UsedAssertion(credential=credential, jti_sha256=sha256(jti.encode()).hexdigest(), expires_at=ends)
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        text = "This assertion was used before. Its claim jti must be a new text each time."
        raise RefusedClient(text, credential) from None


def _record(request: Request, refusal: RefusedClient) -> None:
    """Add a refused client to the security log, as a refused API key is."""
    credential = refusal.credential
    access = Access(
        AccessRecord.Kind.KEY_REFUSED,
        refusal.code,
        organization=credential.organization if credential else None,
        credential=credential.key_id if credential else "",
        object_reference=f"POST {reverse('api:token')}",
    )
    record_access(caller_from(request.META, address_of(request)), access)


def token_endpoint() -> str:
    return f"{settings.PUBLIC_URL}{reverse('api:token')}"


@require_safe
def metadata(request: HttpRequest) -> JsonResponse:
    """Return the authorization server's metadata (RFC 8414): where and how a client gets its token."""
    return JsonResponse(
        {
            "issuer": settings.PUBLIC_URL,
            "token_endpoint": token_endpoint(),
            "token_endpoint_auth_methods_supported": [METHOD],
            "token_endpoint_auth_signing_alg_values_supported": sorted(sum(ALGORITHMS.values(), ())),
            "grant_types_supported": [GRANT_TYPE],
            "response_types_supported": [],  # there is no authorization endpoint
            "scopes_supported": Scope.values,
            "service_documentation": f"{settings.PUBLIC_URL}{reverse('api:schema')}",
        }
    )
