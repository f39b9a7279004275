"""What the API says of itself: its description, the catalog of its codes (the `type` of every problem points there).

And any address that does not exist. What the description says is `framework.openapi`.
"""

import re
from functools import cache
from typing import Any

from corsheaders.signals import check_request_enabled
from django.conf import settings
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.urls import resolve, reverse
from django.utils.decorators import method_decorator
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularAPIView
from rest_framework import serializers as of
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from submissions.api.framework.preconditions import view_class, with_etag
from submissions.api.framework.views import BaseView
from submissions.core.errors import ErrorCode, NotFound, error_codes

PUBLIC = re.compile(r"/api/v1/(?:schema/|errors/|chapters/[0-9a-z]+/schema/|data-dictionary\.csv)")


@receiver(check_request_enabled, dispatch_uid="submissions.api.description")
def is_description(request: HttpRequest, **_: Any) -> bool:
    """Return whether a program on any website may read it in its visitor's browser; nothing there is the caller's.

    Not here: the websites that may call every address (`PORTAL_API_ORIGINS`), and the headers (django-cors-headers).
    """
    return PUBLIC.match(request.path_info) is not None


@method_decorator(with_etag, name="dispatch")
class SchemaView(APIView):
    """OpenAPI 3.1, for everybody, as YAML or JSON."""

    http_method_names = ["get", "head", "options"]
    authentication_classes: list[Any] = []
    permission_classes: list[Any] = []
    throttle_classes: list[Any] = []
    renderer_classes = SpectacularAPIView.renderer_classes
    schema = None

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Response:
        return Response(status=204)

    def get(self, request: Request) -> HttpResponse:
        media_type = request.accepted_renderer.media_type
        return HttpResponse(_written(media_type), content_type=media_type)


@cache
def _written(media_type: str) -> Any:
    """Return the description in this media type, written once.

    It is the same for every caller, takes a third of a second, and is not throttled.
    """
    renderer = next(renderer for renderer in SchemaView.renderer_classes if renderer.media_type == media_type)
    described = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return renderer().render(described, renderer_context={})


class UnknownAddressView(APIView):
    """An address that does not exist, refused with problem details."""

    authentication_classes: list[Any] = []
    permission_classes: list[Any] = []
    throttle_classes: list[Any] = []
    schema = None
    default_response_headers: dict[str, str] = {}  # an address that does not exist allows no method

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        with_slash = f"{request.path}/"
        if view_class(resolve(with_slash)) is not UnknownAddressView:
            raise NotFound("not-found/without-slash", address=with_slash)
        raise NotFound("not-found/address")


class CodeSerializer(of.Serializer[Any]):
    code = of.CharField(help_text="Stable: programs can rely on it")
    status = of.IntegerField()
    title = of.CharField()
    fix = of.CharField(help_text="The next step")
    page = of.SerializerMethodField(help_text="The address of its page")

    def get_page(self, code: ErrorCode) -> str:
        return f"{settings.PUBLIC_URL}{reverse('catalogue')}#{code.code}"


class CodesView(BaseView, ListAPIView[Any]):
    """Every code with which the portal refuses something, and the corrective action."""

    scope = None
    serializer_class = CodeSerializer

    def get_queryset(self) -> Any:
        return error_codes().values()


class CodeDetailView(BaseView, RetrieveAPIView[Any]):
    """One code: what it means, and what to do about it."""

    scope = None
    serializer_class = CodeSerializer

    def get_object(self) -> ErrorCode:
        code = error_codes().get(self.kwargs["code"])
        if code is None:
            raise NotFound("not-found/code")
        return code
