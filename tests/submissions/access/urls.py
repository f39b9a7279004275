"""The portal's addresses, with an empty page for what is not there: the walk asks for it a thousand times."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from portal.urls import handler400, handler500, urlpatterns

__all__ = ["handler400", "handler404", "handler500", "urlpatterns"]


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    return HttpResponse(status=404)
