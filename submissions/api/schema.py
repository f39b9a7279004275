"""Two addresses apart: the API's description of itself, and whatever is no address of the API.

What the description says is `describing`.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request
from rest_framework.views import APIView

from submissions.errors import NotThere


class Description(SpectacularAPIView):
    """OpenAPI 3.1, for everybody."""

    authentication_classes: list[Any] = []
    permission_classes: list[Any] = []


class Nowhere(APIView):
    """An address that there is not, told in the API's own way."""

    authentication_classes: list[Any] = []
    permission_classes: list[Any] = []
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        raise NotThere(
            "not-found",
            "There is no such address.",
            fix="They are listed in /api/v1/schema/; each ends with a slash.",
        )
