"""What Chromium lets a page of the portal use: what the portal itself uses, and nothing that the headers forbid."""

from __future__ import annotations

import pytest

from submissions.web.middleware import FEATURES_OFF, FEATURES_USED
from tests.browser.desk import Desk

pytestmark = pytest.mark.browser


def test_page_may_use_only_what_the_portal_uses(desk: Desk) -> None:
    page, said = desk.window(), []
    page.on("console", lambda message: said.append(message.text))
    page.goto("/accounts/login/")
    allowed = set(page.evaluate("document.featurePolicy.allowedFeatures()"))
    assert allowed >= set(FEATURES_USED)
    assert allowed.isdisjoint(FEATURES_OFF)
    assert said == []  # Chromium names a feature that it does not know
