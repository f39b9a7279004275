"""Every address of the portal: the API, the pages (`submissions.web.urls`), verification, sign-in."""

from django.urls import URLPattern, URLResolver, include, path

from portal import accounts
from submissions.accounts.pages.agency_sign_in import PROVIDER, callback
from submissions.api.oauth import metadata
from submissions.documents.pages import urlpatterns as verification
from submissions.public.pages import open_data_patterns as open_data
from submissions.web.urls import urlpatterns as pages

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", include("submissions.api.urls")),  # first: programs read much, and each address is tried
    path(".well-known/oauth-authorization-server", metadata, name="oauth-metadata"),
    *pages,
    *verification,
    *open_data,
    # An address is who one is: nobody changes their own.
    path("accounts/email/", accounts.no_such_page, name="account_email"),
    # One page asks everybody who they are (`reauthentication`); allauth's would be content with less.
    path("accounts/2fa/reauthenticate/", accounts.no_such_page, name="mfa_reauthenticate"),
    path("accounts/2fa/webauthn/reauthenticate/", accounts.no_such_page, name="mfa_reauthenticate_webauthn"),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("accounts/sessions/", include("allauth.usersessions.urls")),
    # Of allauth's addresses for other accounts only the provider's way back: nobody signs up, links or unlinks there.
    path("accounts/agency/callback/", callback, {"provider_id": PROVIDER}, name="openid_connect_callback"),
]
handler404 = "submissions.web.error_pages.not_found"
handler400 = "submissions.web.error_pages.not_understood"
handler500 = "submissions.web.error_pages.server_error"
