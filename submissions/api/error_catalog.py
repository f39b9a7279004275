"""The catalogue of codes as a resource: what the `type` of every problem points to."""

from collections.abc import Iterable

from django.conf import settings
from django.urls import reverse
from rest_framework import serializers as of

from submissions.api.framework.read_views import DetailView, ReadSerializer, UnpagedListView
from submissions.core.error_catalog import ErrorCode, error_codes
from submissions.core.errors import NotFound


class CodeSerializer(ReadSerializer):
    code = of.CharField(help_text="Stable: rely on it")
    status = of.IntegerField()
    title = of.CharField()
    fix = of.CharField(help_text="What to do about it")
    page = of.SerializerMethodField(help_text="Where people read it")

    def get_page(self, code: ErrorCode) -> str:
        return f"{settings.PUBLIC_URL}{reverse('catalogue')}#{code.code}"


class CodesView(UnpagedListView):
    """Every code with which the portal refuses something, and the corrective action."""

    scope = None
    serializer_class = CodeSerializer

    def get_items(self) -> Iterable[ErrorCode]:
        return error_codes().values()


class CodeDetailView(DetailView):
    """One code: what it means, and what to do about it."""

    scope = None
    serializer_class = CodeSerializer

    def get_object(self) -> ErrorCode:
        found = error_codes().get(self.kwargs["code"])
        if found is None:
            raise NotFound("not-found/code")
        return found
