"""What a read costs at the least: a plain DRF view of one row by its primary key; beside it, the portal's addresses."""

from __future__ import annotations

from typing import Any

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


urlpatterns = [path("peer/<int:pk>/", Peer.as_view()), *portal]
