"""Every address of the portal: the pages (`submissions.web.addresses`), verification, sign-in."""

from django.urls import URLPattern, URLResolver, include, path

from submissions.web.addresses import urlpatterns as pages
from submissions.web.verify import urlpatterns as verification

urlpatterns: list[URLPattern | URLResolver] = [
    *pages,
    *verification,
    path("accounts/", include("allauth.urls")),
]
handler404 = "submissions.web.errors.not_found"
handler400 = "submissions.web.errors.not_understood"
