"""How a caller may sign in, as the description says it: an API key, or an access token of an OAuth 2 client."""

from typing import Any

from django.urls import reverse
from django.utils.text import capfirst
from drf_spectacular.extensions import OpenApiAuthenticationExtension

from submissions.accounts.api_credentials import SCOPE_TEXTS
from submissions.api.framework.read_views import BaseView


class CredentialScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Both are sent as a bearer token."""

    target_class = "submissions.api.framework.authentication.CredentialAuthentication"
    name = ["credential", "oauth"]

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, Any]]:
        bearer = {
            "type": "http",
            "scheme": "bearer",
            "description": "An API key, created by an administrator: `rsp_live_<prefix>_<secret>`, or "
            "`rsp_test_<prefix>_<secret>` for the sandbox",
        }
        scopes = {scope.value: capfirst(text) for scope, text in SCOPE_TEXTS.items()}
        oauth = {
            "type": "oauth2",
            "description": "Client credentials; the client proves who it is with `private_key_jwt`",
            "flows": {"clientCredentials": {"tokenUrl": reverse("api:token"), "scopes": scopes}},
        }
        return [bearer, oauth]

    def get_security_requirement(self, auto_schema: Any) -> list[dict[str, list[str]]]:
        """Either one is enough. A public address needs neither."""
        view = auto_schema.view
        scopes = view.scopes(auto_schema.method) if isinstance(view, BaseView) else ()
        if not scopes:
            return [{"credential": []}, {"oauth": []}, {}]
        return [{"credential": []}, *({"oauth": [scope.value]} for scope in scopes)]
