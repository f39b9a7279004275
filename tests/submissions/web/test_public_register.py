"""The register, what is in effect and the open data are public only if `PORTAL_PUBLIC_REGISTER` is 1."""

from __future__ import annotations

import pytest
from django.conf import LazySettings
from django.test import Client

from submissions.models import Person
from tests.submissions.web.clients import browser

PAGES = (
    "/register/", "/in-force/", "/in-force/east/686a/", "/in-force/east/686a/tables/12/", "/in-force/east/tables/",
    "/in-force/east/tables/12/", "/open-data/", "/open-data/register.csv", "/open-data/wagers.json",
)  # fmt: skip
API = ("/api/v1/register/", "/api/v1/in-force/", "/api/v1/in-force/east/686a/")
THERE = (200, 404)  # Casino East has no approved version


def answered(client: Client, address: str) -> tuple[int, str]:
    """The status, and where a redirection leads; a table is read to its end, so that the next one may be sent."""
    response = client.get(address)
    response.getvalue()
    return response.status_code, response.headers.get("Location", "").partition("?")[0]


@pytest.mark.django_db
@pytest.mark.parametrize("is_public", [True, False])
def test_visitors_read_the_register_only_if_it_is_public(
    is_public: bool, settings: LazySettings, preparer: Person
) -> None:
    settings.PUBLIC_REGISTER = is_public
    visitor, member = Client(), browser(preparer)
    for address in PAGES:
        status, leads_to = answered(visitor, address)
        assert status in THERE if is_public else (status, leads_to) == (302, "/accounts/login/"), address
        assert answered(member, address)[0] in THERE, address
    for address in API:
        status, _ = answered(visitor, address)
        assert status in THERE if is_public else status == 401, address
    assert answered(visitor, "/games/686a/")[0] == 200  # the rules are public all the same
