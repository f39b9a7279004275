"""OAuth 2 for programs: client credentials (RFC 6749, section 4.4), proved by `private_key_jwt` (RFC 7523, RFC 7521).

The client signs a short-lived assertion with its private key and gets an access token. Protocol and verification are
Authlib's; here is what the portal asks for in addition: algorithms, audience, lifetime, single use, network. Not here:
the token itself (`permissions.access_tokens`), the client's public key (`accounts.public_keys`).
"""

from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from typing import Any, ClassVar

from authlib.integrations.django_oauth2 import AuthorizationServer
from authlib.integrations.django_oauth2.requests import DjangoOAuth2Request
from authlib.oauth2.rfc6749 import ClientMixin, InsecureTransportError, InvalidClientError, InvalidRequestError
from authlib.oauth2.rfc6749.grants import ClientCredentialsGrant
from authlib.oauth2.rfc6750 import BearerTokenGenerator
from authlib.oauth2.rfc7523 import JWTBearerClientAssertion
from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe
from joserfc import jwt
from joserfc.errors import JoseError
from rest_framework.parsers import FormParser
from rest_framework.request import Request
from rest_framework.views import APIView

from submissions.accounts.public_keys import ALGORITHMS, public_key
from submissions.api.framework.authentication import address_of
from submissions.api.framework.throttling import TokenThrottle
from submissions.api.oauth_words import METHOD, WORDS
from submissions.core.error_catalog import error_codes
from submissions.models import AccessRecord, Credential, Scope, UsedAssertion
from submissions.permissions.access_tokens import LIFETIME, access_token
from submissions.permissions.credentials import UnrecognizedCredential, credential_named_in, refuse_unusable
from submissions.security_log.records import Access, caller_from, record_access

GRANT_TYPE = "client_credentials"
LONGEST_ASSERTION = 8000  # characters
LONGEST_JTI = 255
ASSERTION_LIFETIME = timedelta(minutes=5)
CLOCK_SKEW = timedelta(minutes=1)  # between the client's clock and ours
REFUSED = "assertion-refused"
REQUEST_REFUSED = "token-request-refused"


class Client(ClientMixin):
    """A credential with a public key, as Authlib sees it. Its `client_id` is the credential's displayable part."""

    def __init__(self, credential: Credential) -> None:
        self.credential = credential

    def get_client_id(self) -> str:
        return self.credential.key_id

    def get_allowed_scope(self, scope: str | None) -> str | None:
        """All scopes if none is asked for; None if one is asked for that the credential does not have."""
        wanted = set((scope or "").split()) or set(self.credential.scopes)
        return " ".join(sorted(wanted)) if wanted <= set(self.credential.scopes) else None

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return method == METHOD

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type == GRANT_TYPE


class RefusedClient(InvalidClientError):
    """The client is known, but may not get a token now; `code` is that of the portal."""

    def __init__(self, code: str) -> None:
        super().__init__(description=error_codes()[code].title)
        self.code = code


class TokenRequest(DjangoOAuth2Request):
    """The request with the caller's network address."""

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self.address = address_of(request)
        self.environment = request.META


class ClientAssertion(JWTBearerClientAssertion):
    """Verifies the assertion of a client: the answer is the client, or a refusal for any content that is not valid."""

    CLIENT_AUTH_METHOD = METHOD

    def __call__(self, query_client: Any, request: TokenRequest) -> Any:
        if len(request.form.get("client_assertion", "")) > LONGEST_ASSERTION:
            raise InvalidClientError(description=f"The assertion is longer than {LONGEST_ASSERTION} characters.")
        try:
            return super().__call__(query_client, request)
        except (ValueError, TypeError, KeyError, RecursionError, JoseError):
            raise InvalidClientError(description="The assertion cannot be read.") from None

    def get_audiences(self) -> list[str]:
        return [settings.PUBLIC_URL, token_endpoint()]

    def resolve_client_public_key(self, client: Client) -> Any:
        return public_key(client.credential.public_key or {})

    def process_assertion_claims(self, assertion: str, resolve_key: Any) -> Any:
        """As in Authlib, with our algorithms: never `none`, never a shared secret."""
        allowed = [resolve_key.alg] if resolve_key.alg else list(ALGORITHMS[resolve_key.key_type])
        try:
            token = jwt.decode(assertion, resolve_key, algorithms=allowed)
        except JoseError:
            text = f"The signature is not valid. Sign with the registered key and {' or '.join(allowed)}."
            raise InvalidClientError(description=text) from None
        self.verify_claims(token.claims)
        return token.claims

    def validate_jti(self, claims: dict[str, Any], jti: object) -> bool:
        """False for an assertion that was used before, by any process."""
        if not isinstance(jti, str) or not 1 <= len(jti) <= LONGEST_JTI:
            raise InvalidClientError(description=f"The claim jti must be a text of 1 to {LONGEST_JTI} characters.")
        now = timezone.now()
        if claims["exp"] > (now + ASSERTION_LIFETIME + CLOCK_SKEW).timestamp():
            minutes = ASSERTION_LIFETIME // timedelta(minutes=1)
            raise InvalidClientError(description=f"The claim exp must be at most {minutes} minutes from now.")
        client = credential_named_in(claims["sub"])[1]
        UsedAssertion.objects.filter(expires_at__lt=now).delete()
        ends = datetime.fromtimestamp(claims["exp"], UTC) + CLOCK_SKEW
        row = UsedAssertion(credential=client, jti_sha256=sha256(jti.encode()).hexdigest(), expires_at=ends)
        try:
            with transaction.atomic():
                row.save(force_insert=True)
        except IntegrityError:
            return False
        return True


class TokenGrant(ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS: ClassVar[list[str]] = [METHOD]

    def validate_token_request(self) -> None:
        """After the proof of the key: only who has it learns why the credential is no longer valid."""
        form = self.request.form
        if self.request.args or any(len(form.getlist(name)) > 1 for name in form):
            raise InvalidRequestError("Send each parameter once, in the body.")
        super().validate_token_request()
        try:
            refuse_unusable(self.client.credential, self.request.address, timezone.now())
        except UnrecognizedCredential as refusal:
            raise RefusedClient(refusal.code) from None


class TokenServer(AuthorizationServer):
    """Authlib's server on our credentials. Tokens are not stored."""

    def __init__(self) -> None:
        super().__init__(client_model=None, token_model=None)
        self.register_grant(TokenGrant)
        self.register_client_auth_method(METHOD, ClientAssertion(leeway=CLOCK_SKEW.total_seconds()))

    def query_client(self, client_id: str) -> Client | None:
        key_id, credential = credential_named_in(client_id)
        return Client(credential) if credential and credential.public_key and key_id == client_id else None

    def save_token(self, token: dict[str, Any], request: TokenRequest) -> None:
        """Nothing: a token is checked by its signature and its credential's row."""

    def create_oauth2_request(self, request: Request) -> TokenRequest:
        return TokenRequest(request)

    def create_token_response(self, request: Request) -> HttpResponse:
        try:
            response: HttpResponse = super().create_token_response(request)
        except InsecureTransportError as error:  # over http, but for this machine itself
            error.description = WORDS[error.error]
            response = self.handle_response(*error(_page_of(REQUEST_REFUSED)))
        return response

    def create_bearer_token_generator(self) -> BearerTokenGenerator:
        def token(client: Client, scope: str, **_: object) -> str:
            return access_token(client.credential, scope.split())

        return BearerTokenGenerator(token, expires_generator=int(LIFETIME.total_seconds()))

    def handle_error_response(self, request: TokenRequest, error: Any) -> HttpResponse:
        """A refused client is in the security log, as a refused API key is."""
        code = getattr(error, "code", REFUSED if isinstance(error, InvalidClientError) else REQUEST_REFUSED)
        error.description = WORDS.get(error.error) or WORDS.get(error.description, error.description)
        if isinstance(error, InvalidClientError):
            credential = request.client.credential if request.client else None
            access = Access(
                AccessRecord.Kind.KEY_REFUSED,
                code,
                organization=credential.organization if credential else None,
                credential=credential.key_id if credential else "",
                object_reference=f"POST {reverse('api:token')}",
            )
            record_access(caller_from(request.environment, request.address), access)
        response: HttpResponse = self.handle_response(*error(_page_of(code)))
        return response


class TokenView(APIView):
    """The token endpoint. Its requests and answers are those of OAuth 2, not those of the other addresses."""

    http_method_names = ["post"]
    authentication_classes: list[Any] = []
    permission_classes: list[Any] = []
    throttle_classes = (TokenThrottle,)
    parser_classes = (FormParser,)
    schema = None

    def post(self, request: Request) -> HttpResponse:
        return token_server().create_token_response(request)


def _page_of(code: str) -> str:
    return f"{settings.PUBLIC_URL}{reverse('catalogue')}#{code}"


@cache
def token_server() -> TokenServer:
    return TokenServer()


def token_endpoint() -> str:
    return f"{settings.PUBLIC_URL}{reverse('api:token')}"


@require_safe
def metadata(request: HttpRequest) -> JsonResponse:
    """The authorization server's metadata (RFC 8414): where and how a client gets its token."""
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
