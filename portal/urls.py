"""Every address of the portal: the API, the pages (`submissions.web.urls`), verification, sign-in."""

from django.urls import URLPattern, URLResolver, include, path

from portal import accounts
from submissions.web.urls import urlpatterns as pages
from submissions.web.verification import urlpatterns as verification

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", include("submissions.api.urls")),  # first: programs read much, and each address is tried
    *pages,
    *verification,
    # An address is who one is: nobody changes their own.
    path("accounts/email/", accounts.no_such_page, name="account_email"),
    # One page asks everybody who they are (`confirmation_page`); allauth's would be content with less.
    path("accounts/2fa/reauthenticate/", accounts.no_such_page, name="mfa_reauthenticate"),
    path("accounts/2fa/webauthn/reauthenticate/", accounts.no_such_page, name="mfa_reauthenticate_webauthn"),
    path("accounts/", include("allauth.urls")),
]
handler404 = "submissions.web.error_pages.not_found"
handler400 = "submissions.web.error_pages.not_understood"
