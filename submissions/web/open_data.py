"""Open data: the tables as files for everyone, and the page that explains them.

The files depend on nothing but their address, so that caches may keep them and other sites may read them; they open no
session. The tables are `submissions.open_data`. Not here: the register as a page (`filings.versions`), the API.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, StreamingHttpResponse
from django.shortcuts import render
from django.urls import path, re_path, reverse
from django.utils import timezone
from django.utils.http import http_date, quote_etag
from django.views.decorators.http import condition, require_safe

from submissions.core.errors import SHOWN_REFUSAL, NotFound, Refusal
from submissions.core.problem_details import MEDIA_TYPE, problem_details
from submissions.filings.versions import versions_in_effect
from submissions.models import Version
from submissions.open_data.data_dictionary import OPEN_TABLES, dictionary_rows
from submissions.open_data.formats import MEDIA_TYPES, as_csv, as_json
from submissions.open_data.rows import paytable_rows, public_versions, register_rows, wager_rows
from submissions.open_data.state import OpenDataState, open_data_state
from submissions.search.field_parsing import day_of
from submissions.search.version_filters import VersionFilterSet
from submissions.web.access_gate import Audience, ask_to_sign_in, guarded

SHARED = "public, max-age=300, stale-while-revalidate=3600"
FILTERS = ("licensee", "chapter")


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """What the tables are, every column, and the terms."""
    tables = [(name, table, list(MEDIA_TYPES)) for name, table in OPEN_TABLES.items()]
    context = {"tables": tables, "terms": settings.OPEN_DATA_TERMS, "address": settings.PUBLIC_URL, "here": "register"}
    return render(request, "public/open_data.html", context)


@require_safe
def file(request: HttpRequest, name: str, kind: str) -> HttpResponseBase:
    """A table as CSV or JSON; `?on=` chooses its day, `?licensee=` and `?chapter=` narrow it."""
    if not (settings.PUBLIC_REGISTER or request.user.is_authenticated):
        return ask_to_sign_in(request)
    try:
        if name not in OPEN_TABLES:
            raise NotFound("not-found/open-data", name=name, tables=", ".join(OPEN_TABLES))
        query = _query(request, name)
        response: HttpResponseBase = _file(request, name=name, kind=kind, query=query, state=open_data_state())
    except Refusal as refusal:
        response = _problem(request, refusal)
    response["Access-Control-Allow-Origin"] = "*"  # it is public, and knows no caller
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def _etag(request: HttpRequest, *, name: str, kind: str, query: Mapping[str, str], state: OpenDataState) -> str:
    """Weak: it is the same data, however it is compressed."""
    parts = (name, kind, timezone.localdate().isoformat(), *sorted(query.items()), state.digest)
    return f"W/{quote_etag(sha256(repr(parts).encode()).hexdigest()[:32])}"


@condition(etag_func=_etag)
def _file(
    request: HttpRequest, *, name: str, kind: str, query: Mapping[str, str], state: OpenDataState
) -> HttpResponseBase:
    table, rows = OPEN_TABLES[name], _rows(name, query)
    if request.method == "HEAD":
        rows = ()
    content = as_csv(table, rows) if kind == "csv" else as_json(table, rows, _about(name, query))
    response = StreamingHttpResponse(content, MEDIA_TYPES[kind])
    response["Content-Disposition"] = f'inline; filename="{name}-{_day(query).isoformat()}.{kind}"'
    response["Cache-Control"] = SHARED if settings.PUBLIC_REGISTER else "private, no-store"
    if state.changed_at:
        response["Last-Modified"] = http_date(state.changed_at.timestamp())
    return response


def _query(request: HttpRequest, name: str) -> dict[str, str]:
    """The parameters of the address; a wrong one is refused before anything is sent."""
    allowed = (*(("on",) if OPEN_TABLES[name].of_a_day else ()), *(FILTERS if name != "data-dictionary" else ()))
    for parameter in request.GET:
        if parameter not in allowed:
            known = f"Choose from: {', '.join(allowed)}." if allowed else "This address does not have any."
            raise Refusal("unknown-parameter", fix=known, name=parameter[:40])
    query = {parameter: request.GET[parameter] for parameter in request.GET}
    _day(query)
    VersionFilterSet.narrow(_filters(query), Version.objects.none())
    return query


def _filters(query: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in query.items() if name in FILTERS}


def _rows(name: str, query: Mapping[str, str]) -> Iterable[Mapping[str, Any]]:
    if name == "data-dictionary":
        return dictionary_rows()
    day = _day(query)
    of_day = OPEN_TABLES[name].of_a_day
    rows = public_versions(versions_in_effect(day) if of_day else Version.objects.all())
    rows = VersionFilterSet.narrow(_filters(query), rows)
    return _table_rows(name, rows, day)


def _table_rows(name: str, rows: Any, day: Any) -> Iterator[Mapping[str, Any]]:
    if name == "wagers":
        return wager_rows(rows)
    return paytable_rows(rows) if name == "paytables" else register_rows(rows, day)


def _about(name: str, query: Mapping[str, str]) -> dict[str, object]:
    """What a JSON file begins with."""
    table = OPEN_TABLES[name]
    return {
        "table": name,
        "title": table.title,
        "day": _day(query).isoformat(),
        "terms": settings.OPEN_DATA_TERMS,
        "is_demonstration": settings.DEMO,
        "dictionary": f"{settings.PUBLIC_URL}{reverse('open-data-file', args=['data-dictionary', 'json'])}",
    }


def _day(query: Mapping[str, str]) -> date:
    return day_of(query["on"].strip()) if "on" in query else timezone.localdate()


def _problem(request: HttpRequest, refusal: Refusal) -> JsonResponse:
    """The refusal as problem details (RFC 9457): who asks here is a program more often than a person."""
    request.META[SHOWN_REFUSAL] = refusal.code  # for the security log
    return JsonResponse(problem_details(refusal, request.path), status=refusal.status, content_type=MEDIA_TYPE)


urlpatterns = [
    path("open-data/", guarded(page, Audience.REGISTER), name="open-data"),
    re_path(r"^open-data/(?P<name>[a-z-]{1,40})\.(?P<kind>csv|json)$", file, name="open-data-file"),
]
