"""What every template may use."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def portal(request: HttpRequest) -> dict[str, object]:
    return {"demo": settings.DEMO}
