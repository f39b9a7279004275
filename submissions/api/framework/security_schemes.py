"""How a caller may sign in, as the description says it: an API key, or an access token of an OAuth 2 client."""

from typing import Any

from django.urls import reverse
from drf_spectacular.extensions import OpenApiAuthenticationExtension

from submissions.api.framework.read_views import BaseView
from submissions.models import Scope

SCOPES = {
    Scope.READ.value: "Read what the pages show",
    Scope.PREPARE.value: "Create and change drafts, tables and layouts",
    Scope.FILE.value: "File and withdraw",
    Scope.REVIEW.value: "Do the work of the Board's analysts",
}


class CredentialScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Both are sent as a bearer token."""

    target_class = "submissions.api.framework.authentication.CredentialAuthentication"
    name = ["credential", "oauth"]

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, Any]]:
        bearer = {
            "type": "http",
            "scheme": "bearer",
            "description": "`rsp_live_<prefix>_<secret>`, created by an administrator",
        }
        oauth = {
            "type": "oauth2",
            "description": "Client credentials; the client proves who it is with `private_key_jwt`",
            "flows": {"clientCredentials": {"tokenUrl": reverse("api:token"), "scopes": SCOPES}},
        }
        return [bearer, oauth]

    def get_security_requirement(self, auto_schema: Any) -> list[dict[str, list[str]]]:
        """Each alone is enough. A public address takes either, and goes without."""
        view = auto_schema.view
        scopes = view.scopes(auto_schema.method) if isinstance(view, BaseView) else ()
        if not scopes:
            return [{"credential": []}, {"oauth": []}, {}]
        return [{"credential": []}, *({"oauth": [scope.value]} for scope in scopes)]
