"""The least that a page or a read costs, beside the portal's addresses.

One row by its primary key behind the portal's middleware, and a plain DRF view of one row.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path
from rest_framework.generics import RetrieveAPIView
from rest_framework.serializers import ModelSerializer

from portal.urls import urlpatterns as portal
from submissions.models import Submission


class Row(ModelSerializer[Submission]):
    class Meta:
        model = Submission
        fields = ("number", "organization", "chapter", "status", "version", "amends", "created_at", "changed_at")


class Peer(RetrieveAPIView[Submission]):
    queryset = Submission.objects.all()
    serializer_class = Row
    authentication_classes: list[Any] = []
    permission_classes: list[Any] = []
    schema = None


def trivial(request: HttpRequest, pk: int) -> HttpResponse:
    return HttpResponse(Submission.objects.get(pk=pk).number)


urlpatterns = [path("peer/<int:pk>/", Peer.as_view()), path("trivial/<int:pk>/", trivial), *portal]
