"""Addresses that pages had before: bookmarks and links in old mails still lead to the page."""

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.utils.encoding import iri_to_uri
from django.utils.http import urlencode


def organization(request: HttpRequest, rest: str) -> HttpResponse:
    """From the British spelling to the American one; a form that was open keeps its method and what it sends (308)."""
    query = urlencode(list(request.GET.lists()), doseq=True)
    address = iri_to_uri(f"/organization/{rest}") + (f"?{query}" if query else "")
    return HttpResponsePermanentRedirect(address, preserve_request=True)
