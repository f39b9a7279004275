"""Where a program begins: what there is (`/api/v1/`), who it is (`me/`), and how the portal is (`status/`).

Not here: the description (`description`), the checks for operators and balancers (`operations`, `web.probes`).
"""

import tomllib
from functools import cache
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from rest_framework import serializers as of
from rest_framework.generics import RetrieveAPIView

from submissions.api.framework.authentication import RequestThrottle, address_of
from submissions.api.framework.views import BaseView
from submissions.models import Credential, Organization, Scope
from submissions.operations.work_checks import check_oldest_due, check_processes
from submissions.rules import chapters_on

LINKS = (  # names of addresses without arguments
    "me", "status", "schema", "errors", "chapters", "submissions", "feed", "layouts", "orders", "tables", "register",
    "in-force", "batches", "webhooks", "token",
)  # fmt: skip


class RootSerializer(of.Serializer[Any]):
    links = of.DictField(child=of.URLField(), help_text="The name of each list or service, and its address")
    errors_page = of.URLField(help_text="The error codes, for people")
    oauth_metadata = of.URLField(help_text="Where and how a client gets an access token (RFC 8414)")


class RootView(BaseView, RetrieveAPIView[Any]):
    """What there is: the address of each list and service. Follow the links instead of building addresses."""

    scope = None
    serializer_class = RootSerializer

    def get_object(self) -> dict[str, Any]:
        return {
            "links": {name: self.absolute_url(reverse(f"api:{name}")) for name in LINKS},
            "errors_page": self.absolute_url(reverse("catalogue")),
            "oauth_metadata": self.absolute_url(reverse("oauth-metadata")),
        }


class OwnOrganizationSerializer(of.Serializer[Any]):
    slug = of.CharField(help_text="Its short name, as in addresses")
    name = of.CharField()
    kind = of.ChoiceField(Organization.Kind.choices)


class LimitSerializer(of.Serializer[Any]):
    requests = of.IntegerField(help_text="Requests in this time; the header RateLimit says how many are left")
    seconds = of.IntegerField()


class MeSerializer(of.Serializer[Any]):
    organization = OwnOrganizationSerializer(help_text="Whose submissions it reads and changes")
    service_account = of.CharField(help_text="The name under which the history records its changes")
    credential = of.CharField(help_text="The part of the API key, or the client_id, that may be displayed")
    sign_in = of.ChoiceField(["api-key", "oauth"])
    scopes = of.ListField(child=of.ChoiceField(Scope.choices), help_text="Of this call; of a token, only its own")
    live = of.BooleanField(help_text="False: a test key, which reaches the sandbox only")
    networks = of.ListField(child=of.CharField(), help_text="Calls from other networks are refused; empty = none are")
    address = of.CharField(help_text="The network address from which this call came")
    expires_at = of.DateTimeField(help_text="The last moment of the credential")
    replaced = of.BooleanField(help_text="Another credential replaced it: change to that one before it expires")
    limit = LimitSerializer()


class MeView(BaseView, RetrieveAPIView[Any]):
    """Who is calling: organization, service account, scopes, live or test, networks, expiration and limits."""

    serializer_class = MeSerializer

    def scopes(self, method: str) -> tuple[Scope, ...]:
        return () if method == "OPTIONS" else tuple(Scope)

    def get_object(self) -> dict[str, Any]:
        credential: Credential = self.request.auth  # type: ignore[assignment]
        account = credential.service_account
        return {
            "organization": account.organization,
            "service_account": account.name,
            "credential": credential.key_id,
            "sign_in": "oauth" if credential.public_key else "api-key",
            "scopes": credential.scopes,
            "live": credential.live,
            "networks": credential.networks,
            "address": address_of(self.request),
            "expires_at": credential.overlap_until or credential.expires_at,
            "replaced": credential.replaced_by_id is not None,
            "limit": _limit("credential"),
        }


class RuleVersionSerializer(of.Serializer[Any]):
    chapter = of.CharField(source="number")
    digest = of.CharField(help_text="Changes if anything in the chapter's rules changes")


class StatusSerializer(of.Serializer[Any]):
    version = of.CharField(help_text="Of the portal")
    environment = of.ChoiceField(["demo", "live"], help_text="In a demo every document is marked DEMO")
    time = of.DateTimeField()
    work = of.ChoiceField(
        ["normal", "delayed"], help_text="Delayed: batches, simulations, documents and webhooks take longer than usual"
    )
    limit = LimitSerializer(help_text="For a caller without a key, by network address")
    rules = RuleVersionSerializer(many=True, help_text="The chapters in effect today, each with its version")


class StatusView(BaseView, RetrieveAPIView[Any]):
    """How the portal is: its version, demo or live, whether work goes on, and the version of each chapter's rules."""

    scope = None
    serializer_class = StatusSerializer

    def get_object(self) -> dict[str, Any]:
        now = timezone.now()
        checks = (*check_processes(now), *check_oldest_due(now))
        return {
            "version": portal_version(),
            "environment": "demo" if settings.DEMO else "live",
            "time": now,
            "work": "normal" if all(check.is_good for check in checks) else "delayed",
            "limit": _limit("address"),
            "rules": chapters_on(timezone.localdate()),
        }


def _limit(scope: str) -> dict[str, int | None]:
    """Return a scope's limit, as `framework.authentication` counts."""
    requests, seconds = RequestThrottle().parse_rate(RequestThrottle.THROTTLE_RATES[scope])
    return {"requests": requests, "seconds": seconds}


@cache
def portal_version() -> str:
    """Return the version in pyproject.toml."""
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))
    return str(project["project"]["version"])
