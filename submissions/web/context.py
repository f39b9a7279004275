"""What every template may use."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest


def portal(request: HttpRequest) -> dict[str, object]:
    return {"demo": settings.DEMO, "back": _back(request)}


def _back(request: HttpRequest) -> str:
    """The page of this portal that the person came from; the first page otherwise."""
    before = urlsplit(request.headers.get("Referer", ""))
    return before.path if before.netloc == request.get_host() and before.path != request.path else "/"
