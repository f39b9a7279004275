"""What every response says to the browser beside its content: what a page may use, who may embed it, who may keep it.

Static files included: the middleware stands before the one that serves them. Not here: the content security policy
(`CONTENT_SECURITY_POLICY` in the settings), and how long the API's responses may be kept (`api.framework.read_views`).
"""

from collections.abc import Callable

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponseBase
from django.utils.cache import patch_cache_control

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
    """The middleware. What a view has set itself stays, but for a private response `no-store` is added."""

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
    """Whether the response may depend on who is signed in. Static files never open the session."""
    session = getattr(request, "session", None)
    return session is not None and session.accessed and SESSION_KEY in session
