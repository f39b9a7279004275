"""Compression (gzip) of what is text: pages, the API's answers, tables. Packed files stay as they are.

A page that shows a secret is never compressed, because the length of a compressed page says something about its content
(BREACH): everything under `/accounts/`, and each response that says `no-transform`. Other pages have no secret that
stays the same: Django masks the token of forms again for each page, and adds a random number of bytes to each response.
Not here: static files, which are compressed once (`portal.static_files`).
"""

from typing import TypeVar

from django.http import HttpRequest, HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_cache_control

from submissions.web.headers import ACCOUNTS

TEXT_TYPES = (
    "text/", "application/json", "application/x-ndjson", "application/problem+json", "application/vnd.oai.openapi",
    "image/svg+xml",
)  # fmt: skip
Response = TypeVar("Response", bound=HttpResponseBase)


class Compression(GZipMiddleware):
    """Django's middleware for responses that are text and show no secret."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if request.path_info.startswith(ACCOUNTS):
            never_compress(response)
        return super().process_response(request, response) if _may_be_compressed(response) else response


def never_compress(response: Response) -> Response:
    """The response, which shows a secret: neither the portal nor a proxy compresses it."""
    patch_cache_control(response, no_transform=True)
    return response


def _may_be_compressed(response: HttpResponseBase) -> bool:
    is_text = response.headers.get("Content-Type", "").startswith(TEXT_TYPES)
    return is_text and "no-transform" not in response.headers.get("Cache-Control", "")
