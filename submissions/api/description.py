"""Two special addresses: the API's description of itself, and any address that does not exist.

What the description says is `framework.openapi`.
"""

from functools import cache
from typing import Any

from django.http import HttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.http import conditional_page
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request
from rest_framework.views import APIView

from submissions.core.errors import NotFound


@method_decorator(conditional_page, name="dispatch")
class SchemaView(APIView):
    """OpenAPI 3.1, for everybody, as YAML or JSON."""

    http_method_names = ["get", "head"]
    authentication_classes: list[Any] = []
    permission_classes: list[Any] = []
    renderer_classes = SpectacularAPIView.renderer_classes
    schema = None

    def get(self, request: Request) -> HttpResponse:
        media_type = request.accepted_renderer.media_type
        return HttpResponse(_written(media_type), content_type=media_type)


@cache
def _written(media_type: str) -> Any:
    """Written once: it is the same for every caller, takes a third of a second, and is not throttled."""
    renderer = next(one for one in SchemaView.renderer_classes if one.media_type == media_type)
    described = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return renderer().render(described, renderer_context={})


class UnknownAddressView(APIView):
    """An address that does not exist, refused with problem details."""

    authentication_classes: list[Any] = []
    permission_classes: list[Any] = []
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        raise NotFound("not-found/address")
