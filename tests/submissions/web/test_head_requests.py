"""HEAD as a web server gets it: Django's test client would drop the body itself."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.test import RequestFactory

pytestmark = pytest.mark.django_db
PAGES = ("/", "/accounts/login/", "/games/", "/api/v1/chapters/", "/health/live", "/no/such/page/")
STREAMS = ("/static/portal/icon.svg", "/open-data/register.csv")


def answer(method: str, address: str) -> Any:
    return WSGIHandler().get_response(RequestFactory().generic(method, address))


def test_head_has_the_headers_of_get_and_no_body() -> None:
    for address in PAGES + STREAMS:
        get, head = answer("GET", address), answer("HEAD", address)
        bodies = len(get.getvalue()) > 0, head.getvalue()
        get.close(), head.close()
        assert bodies == (True, b""), address
        assert (head.status_code, head.get("Content-Length")) == (get.status_code, get.get("Content-Length")), address
