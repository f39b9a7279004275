"""Records for the security log what a response shows: a file that leaves the portal, a refusal, recovery codes.

A middleware, so that a new page is recorded without a line of its own: every attachment that a signed-in person or an
API key gets is a download, and an export where `EXPORTS` names the page. The row is written before the first byte
leaves. What the sign-in itself records is in `accounts.pages.sign_in_records`. Not recorded: pages, pictures within
pages, and what anyone may download without signing in.
"""

import time
from collections.abc import Callable
from typing import Any, cast

from allauth.account.adapter import get_adapter
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.urls import ResolverMatch

from submissions.core.errors import SHOWN_REFUSAL
from submissions.models import AccessRecord, Credential, Person
from submissions.security_log.records import EXPORTED_FILTER, EXPORTED_ROWS, Access, Caller, caller_from, record_access

Kind = AccessRecord.Kind
EXPORTS = (
    "export-csv", "export-zip", "export-file", "bulk-workbook", "batch-result", "batch-result-workbook",
    "api:batch-result-workbook", "api:batch-result", "security-log-export", "tables-download", "api:tables-csv",
    "api:tables-xlsx", "workload-csv", "calendar-ics",
)  # fmt: skip
CODES_SHOWN = ("mfa_view_recovery_codes", "mfa_download_recovery_codes")
# Parts of addresses that name an object; secrets of links are not among them.
NAMES = (
    "number", "chapter", "licensee", "group", "place", "part", "kind", "sha256", "pk", "page", "name", "action",
    "verb", "step", "receipt", "digest",
)  # fmt: skip
RECORDED_ELSEWHERE = (  # codes of refusals that the sign-in records, or that only ask
    "not-confirmed", "confirmation-wrong", "confirmation-too-often", "agency-account-unknown", "agency-sign-in-failed",
)  # fmt: skip
_recorded: dict[int, set[tuple[str, ...]]] = {}  # minute → downloads that are recorded


class SecurityRecords:
    """Django's middleware, after the one that knows the person."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        match = request.resolver_match
        if match is None:
            return response
        if response.status_code == 403:
            _record_denial(request, match)
        elif response.status_code == 200 and request.method != "HEAD":
            _record_delivery(request, match, response)
        return response


def record(request: HttpRequest, kind: Kind, **known: Any) -> None:
    """Write one row about this request. `known` are fields of `Access`; the person is the one who is signed in."""
    if "person" not in known:
        known["person"] = request.user if isinstance(request.user, Person) else None
    record_access(caller_of(request), Access(kind, **known))


def caller_of(request: HttpRequest) -> Caller:
    """Return where the request comes from."""
    try:
        address = str(get_adapter().get_client_ip(request))
    except PermissionDenied:  # a request without an address: of a test client, or over a Unix socket
        address = ""
    return caller_from(request.META, address, request.session.session_key)


def _record_denial(request: HttpRequest, match: ResolverMatch) -> None:
    code = str(request.META.get(SHOWN_REFUSAL, "not-allowed"))
    if code not in RECORDED_ELSEWHERE:
        details = {"method": str(request.method)}
        record(request, Kind.ACCESS_DENIED, reason=code, details=details, **_subject(request, match))


def _record_delivery(request: HttpRequest, match: ResolverMatch, response: HttpResponseBase) -> None:
    if match.view_name in CODES_SHOWN:
        record(request, Kind.CODES_SHOWN)
        return
    is_file = response.headers.get("Content-Disposition", "").startswith("attachment")
    if not (is_file and request.user.is_authenticated):
        return
    subject = _subject(request, match)
    if match.view_name in EXPORTS:
        details = {"filter": str(request.META.get(EXPORTED_FILTER, request.GET.urlencode()))}
        rows = {"rows": cast(int, request.META[EXPORTED_ROWS])} if EXPORTED_ROWS in request.META else {}
        record(request, Kind.EXPORT, details=details | rows, **subject)
        return
    # One row a minute says enough: who asks without a pause must not make everyone wait for the database.
    minute, session = int(time.monotonic() // 60), request.session.session_key or ""
    download = (session, str(request.user.pk), caller_of(request).address, *subject.values())
    if download in _recorded.get(minute, ()):
        return
    record(request, Kind.DOWNLOAD, **subject)
    if minute not in _recorded:
        _recorded.clear()
    _recorded.setdefault(minute, set()).add(download)


def _subject(request: HttpRequest, match: ResolverMatch) -> dict[str, str]:
    """Return the object that the address names, and the API key that called."""
    parts = [f"{name}={match.kwargs[name]}" for name in NAMES if name in match.kwargs]
    credential: Credential | None = getattr(request, "auth", None)
    return {
        "object_reference": " ".join([match.view_name or match.route, *parts]),
        "credential": credential.key_id if credential else "",
    }
