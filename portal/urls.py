"""Every address of the portal: the API, the pages (`submissions.web.addresses`), verification, sign-in."""

from django.urls import URLPattern, URLResolver, include, path

from portal import accounts
from submissions.web.addresses import urlpatterns as pages
from submissions.web.verify import urlpatterns as verification

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", include("submissions.api.addresses")),  # first: programs read much, and each address is tried
    *pages,
    *verification,
    # An address is who one is: nobody changes their own.
    path("accounts/email/", accounts.no_such_page, name="account_email"),
    path("accounts/", include("allauth.urls")),
]
handler404 = "submissions.web.errors.not_found"
handler400 = "submissions.web.errors.not_understood"
