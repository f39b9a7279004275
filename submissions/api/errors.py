"""The catalogue of codes as a resource: what the `type` of every problem points to."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.urls import reverse
from rest_framework import serializers as of

from submissions.api.reading import One, Shape, Whole
from submissions.catalogue import Code, codes
from submissions.errors import NotThere


class CodeShape(Shape):
    code = of.CharField(help_text="Stable: rely on it")
    status = of.IntegerField()
    title = of.CharField()
    fix = of.CharField(help_text="What to do about it")
    page = of.SerializerMethodField(help_text="Where people read it")

    def get_page(self, code: Code) -> str:
        return f"{settings.PUBLIC_URL}{reverse('catalogue')}#{code.code}"


class Codes(Whole):
    """Every code with which the portal refuses something, and the corrective action."""

    scope = None
    serializer_class = CodeShape

    def things(self) -> Iterable[Code]:
        return codes().values()


class OneCode(One):
    """One code: what it means, and what to do about it."""

    scope = None
    serializer_class = CodeShape

    def thing(self) -> Code:
        found = codes().get(self.kwargs["code"])
        if found is None:
            raise NotThere("not-found", "There is no such code.", fix="Look for it in /api/v1/errors/.")
        return found
