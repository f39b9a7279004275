"""What a page costs at the least: one row by its primary key, behind the portal's middleware."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path

from portal.urls import urlpatterns as portal
from submissions.models import Submission


def trivial(request: HttpRequest, pk: int) -> HttpResponse:
    return HttpResponse(Submission.objects.get(pk=pk).number)


urlpatterns = [path("trivial/<int:pk>/", trivial), *portal]
