"""Middleware of every response: protective headers, HEAD requests, compression; and one state of the rules for each.

The headers say what a page may use, who may embed it and who may keep it, of static files too. HEAD requests are
answered as GET, without the body: a server that has to drop it reports each as a fault of the portal's, and a stream
would be made in full for no one.

A page that shows a secret is never compressed, because the length of a compressed page says something about its content
(BREACH): everything under `/accounts/`, and each response that says `no-transform`. Other pages have no secret that
stays the same: Django masks the token of forms again for each page, and adds a random number of bytes to each response.

Not here: the content security policy (`CONTENT_SECURITY_POLICY` in the settings), static files, which are compressed
once (`portal.storage`), and how long the API's responses may be kept (`api.framework.views`).
"""

from collections.abc import Callable
from typing import TypeVar, cast

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_cache_control

from submissions.rules import published_changes_read_once

ACCOUNTS = "/accounts/"  # the sign-in, the second factor and its codes
FEATURES_USED = ("clipboard-write", "publickey-credentials-create", "publickey-credentials-get")  # to copy; passkeys
FEATURES_OFF = (
    "accelerometer",
    "attribution-reporting",
    "autoplay",
    "browsing-topics",
    "camera",
    "clipboard-read",
    "compute-pressure",
    "display-capture",
    "encrypted-media",
    "fullscreen",
    "gamepad",
    "geolocation",
    "gyroscope",
    "hid",
    "identity-credentials-get",
    "idle-detection",
    "keyboard-map",
    "local-fonts",
    "magnetometer",
    "microphone",
    "midi",
    "otp-credentials",
    "payment",
    "picture-in-picture",
    "screen-wake-lock",
    "serial",
    "storage-access",
    "sync-xhr",
    "usb",
    "window-management",
    "xr-spatial-tracking",
)
PERMISSIONS_POLICY = ", ".join([f"{name}=()" for name in FEATURES_OFF] + [f"{name}=(self)" for name in FEATURES_USED])
View = Callable[[HttpRequest], HttpResponseBase]


def protective_headers(get_response: View) -> View:
    """Return the middleware. What a view has set itself stays, but for a private response `no-store` is added."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        if response.status_code >= 500:  # perhaps without a database that knows who is signed in
            patch_cache_control(response, private=True, no_store=True)
            return response
        if request.path_info.startswith(ACCOUNTS) or _has_read_signed_in_session(request):
            patch_cache_control(response, private=True, no_store=True)
        return response

    return respond


def _has_read_signed_in_session(request: HttpRequest) -> bool:
    """Return whether the response may depend on who is signed in; static files never open the session."""
    session = getattr(request, "session", None)
    return session is not None and session.accessed and SESSION_KEY in session


def without_body(get_response: View) -> View:
    """Return the middleware, outside of all that reads or measures the body. `Content-Length` stays that of GET."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if request.method == "HEAD" and response.streaming:
            cast(StreamingHttpResponse, response).streaming_content = ()
        elif request.method == "HEAD":
            cast(HttpResponse, response).content = b""
        return response

    return respond


def read_rules_once(get_response: View) -> View:
    """Return the middleware: the published changes of the rules are read at most once for a request.

    Every answer of one request is by the same rules, and the next one sees what was published since, in every process.
    """

    def respond(request: HttpRequest) -> HttpResponseBase:
        with published_changes_read_once():
            return get_response(request)

    return respond


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
    """Return the response, which shows a secret: neither the portal nor a proxy compresses it."""
    patch_cache_control(response, no_transform=True)
    return response


def _may_be_compressed(response: HttpResponseBase) -> bool:
    is_text = response.headers.get("Content-Type", "").startswith(TEXT_TYPES)
    return is_text and "no-transform" not in response.headers.get("Cache-Control", "")
