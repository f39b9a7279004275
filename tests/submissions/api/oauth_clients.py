"""Programs that sign in with their own key: their keys, assertions and tokens."""

from __future__ import annotations

import json
import time
import uuid
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.test import Client
from joserfc import jwt
from joserfc.jwk import ECKey, RSAKey

from submissions.models import Credential, Organization
from tests.submissions.api.clients import made

TOKEN = "/api/v1/oauth/token/"
ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


def new_ec() -> ECKey:
    return ECKey.generate_key("P-256", private=True)


def jwk_text(key: ECKey | RSAKey, **members: str) -> str:
    return json.dumps(key.as_dict(private=False) | members)


def send(client: Client, form: dict[str, str], path: str = TOKEN, **extra: Any) -> Any:
    return client.post(path, urlencode(form), content_type="application/x-www-form-urlencoded", **extra)


def caller(**environment: str) -> Client:
    """At an address of this machine: elsewhere tokens are issued over https only."""
    return Client(SERVER_NAME="127.0.0.1", **environment)


@dataclass
class Program:
    """A client with its private key."""

    credential: Credential
    key: Any
    algorithm: str = "ES256"
    client: Client = field(default_factory=caller)

    def claims(self, **other: Any) -> dict[str, Any]:
        """Those of a good assertion, with others in their place; None leaves one out."""
        name, now = self.credential.key_id, int(time.time())
        usual = {"iss": name, "sub": name, "aud": settings.PUBLIC_URL, "exp": now + 60, "jti": uuid.uuid4().hex}
        return {claim: value for claim, value in (usual | other).items() if value is not None}

    def assertion(self, **other: Any) -> str:
        return str(jwt.encode({"alg": self.algorithm}, self.claims(**other), self.key, algorithms=[self.algorithm]))

    def ask(self, assertion: str | None = None, **form: str) -> Any:
        """The answer of the token endpoint."""
        usual = {
            "grant_type": "client_credentials",
            "client_assertion_type": ASSERTION_TYPE,
            "client_assertion": self.assertion() if assertion is None else assertion,
        }
        return send(self.client, usual | form)

    def token(self, **form: str) -> str:
        answer = self.ask(**form)
        assert answer.status_code == 200, answer.content
        return str(answer.json()["access_token"])


def program(organization: Organization, **given: Any) -> Program:
    """A client of the organization with a key on P-256."""
    key = new_ec()
    return Program(made(organization, public_key=jwk_text(key), **given).credential, key)
