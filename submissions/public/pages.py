"""Looking for submissions and taking them away as files; exports that a job writes; and open data.

A long table is written by a job (`jobs.export_files`). Open data depend on nothing but their address, so that caches
may keep them and other sites may read them; they open no session.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.core.paginator import EmptyPage, Page, PageNotAnInteger
from django.db.models import QuerySet
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    JsonResponse,
    QueryDict,
    StreamingHttpResponse,
)
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, re_path, reverse
from django.utils import timezone
from django.utils.http import http_date, quote_etag
from django.views.decorators.http import condition, require_POST, require_safe

from games.rules.model import Wager
from submissions.core.errors import MEDIA_TYPE, SHOWN_REFUSAL, NotFound, Refusal, problem_details
from submissions.core.parameters import day_of
from submissions.filings.versions import versions_in_effect
from submissions.jobs.export_files import ExportRequest, export_size, request_export, request_of
from submissions.jobs.progress import Progress
from submissions.models import Computation, Document, Job, Party, Person, SavedFilter, Status, Submission, Version
from submissions.permissions import exports_visible_to, filters_visible_to, read_scope_of
from submissions.public import submission_search
from submissions.public.exports import KIND, archive, archive_size, signed_documents, table
from submissions.public.list_filters import VersionFilterSet
from submissions.public.open_data import (
    MEDIA_TYPES,
    OPEN_TABLES,
    OpenDataState,
    as_csv,
    as_json,
    dictionary_rows,
    open_data_state,
    paytable_rows,
    public_versions,
    register_rows,
    wager_rows,
)
from submissions.public.submission_search import (
    ORDERS,
    SubmissionSearch,
    answers_of,
    offers_of,
    paytables_of,
    with_latest_within,
)
from submissions.rules import chapters_on
from submissions.security_log.records import EXPORTED_FILTER, EXPORTED_ROWS
from submissions.web.access_gate import Audience, ask_to_sign_in, guarded, person_of
from submissions.web.forms import ANY_ENTRY
from submissions.web.responses import STOP_POLLING, KeyPaginator

SUBMISSIONS_PER_PAGE = 25


@require_safe
def search_page(request: HttpRequest) -> HttpResponse:
    return _search_page(request, searched(request, request.GET))


@require_POST
def keep_search(request: HttpRequest) -> HttpResponse:
    """Save the search that is on the screen; refused, the page comes again with what was typed."""
    search = searched(request, QueryDict(request.POST.get("query", "")))
    name = request.POST.get("name", "")
    try:
        search.refuse_faults()
        saved_search = submission_search.save_search(cast(Person, request.user), name, search.query)
    except Refusal as refusal:
        more = {"name": name, "refusal": refusal, "error_fields": {ANY_ENTRY: "name"}}
        return _search_page(request, search, more, refusal.status)
    messages.success(request, f"Saved as “{saved_search.name}”.")
    return redirect(f"{reverse('search')}?{saved_search.query}")


@require_POST
def forget_search(request: HttpRequest, pk: int) -> HttpResponse:
    saved_search = get_object_or_404(filters_visible_to(request.user), pk=pk)
    submission_search.delete_search(cast(Person, request.user), saved_search)
    messages.success(request, f"“{saved_search.name}” is deleted.")
    return redirect("home" if saved_search.page == SavedFilter.Page.QUEUE else "search")


def searched(request: HttpRequest, query: Mapping[str, str]) -> SubmissionSearch:
    """Return the search of a query string, among the submissions that this person may see."""
    return SubmissionSearch(query, with_latest_within(read_scope_of(request.user)), request=request)


def _search_page(
    request: HttpRequest, search: SubmissionSearch, more: Mapping[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    rows, fault = _search_rows(request, search)
    wager = _wager(search)
    offers = offers_of([row.latest for row in rows], wager.key) if rows and wager else {}
    faults = {**search.faults, **({"page": fault} if fault else {})}
    if faults and not getattr(request, "htmx", False):  # there only the form's choices are asked for
        status = 400
    context = {
        **_search_form(request, search),
        "faults": faults,
        "without_field": () if cast(Person, request.user).at_regulator else ("licensee", "assigned"),
        "page": rows,
        "wager": wager,
        "submissions": [(row, offers.get(row.latest, [])) for row in rows or ()],
        "query": f"{search.query}&" if search.query else "",
        "saved_searches": list(filters_visible_to(request.user).filter(page=SavedFilter.Page.SEARCH)),
        "orders": [
            {"key": key, "label": label, "query": search.query_of(search.values | {"by": key})}
            for key, label in ORDERS.items()
        ],
        "here": "search",
        **(more or {}),
    }
    return render(request, "pages/search.html", context, status=status)


def _search_rows(request: HttpRequest, search: SubmissionSearch) -> tuple[Page[Any] | None, Refusal | None]:
    """Return the page of the results; none as long as a field is not understood."""
    if search.faults:
        return None, None
    page_number = request.GET.get("page", "1")
    pages = KeyPaginator(search.qs, SUBMISSIONS_PER_PAGE, page_number)
    try:
        return pages.page(page_number), None
    except (PageNotAnInteger, EmptyPage):
        there = f"There are pages 1 to {pages.num_pages}." if pages.num_pages > 1 else "There is one page."
        return pages.page(1), Refusal("no-such-page", fix=there, value=page_number[:40])


def _wager(search: SubmissionSearch) -> Wager | None:
    """Return the wager whose paytable is looked for; of a part of a wager, the whole, which has the hold."""
    game, paytable = search.form.game, search.values.get("paytable")
    if game is None or not paytable:
        return None
    wager: Wager = game.wager(paytable.partition("/")[0])
    return game.wager(wager.part_of) if wager.part_of else wager


def _search_form(request: HttpRequest, search: SubmissionSearch) -> dict[str, Any]:
    """Return the form's values and choices."""
    chapter, option = search.form.game, search.form.line
    at_regulator, options = cast(Person, request.user).at_regulator, chapter.options if chapter else ()
    return {
        "search": search,
        "entered": search.entered,
        "chapters": chapters_on(timezone.localdate()),
        "chapter": chapter,
        "option": option,
        "states": [(key, label) for key, label in Status.choices if key != Status.DRAFT or not at_regulator],
        "assignees": search.filters["assigned"].extra["choices"],
        "waiting_on": Party.choices,
        "lines": [(name, list(some)) for name, some in groupby(options, attrgetter("group"))],
        "answers": answers_of(chapter, option) if chapter and option else [],
        "paytables": [  # wager → (value, name) of each of its paytables
            (chapter.wager(line.wager).name, [(f"{line.wager}/{name}", name) for name in names])
            for line, names in (paytables_of(chapter) if chapter else ())
        ],
    }


MOST_AT_ONCE = 500  # rows that are written without a job: less than half a second


@require_safe
def search_csv(request: HttpRequest) -> HttpResponseBase:
    """Return the table; of many rows, the page that waits for it."""
    rows = _matches(request)
    if request.META[EXPORTED_ROWS] > MOST_AT_ONCE:
        return queued_export(request, _export_request(request, rows, "csv"))
    response = StreamingHttpResponse(table(rows), content_type=CSV)
    response["Content-Disposition"] = f'attachment; filename="{_file_name()}.csv"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


@require_safe
def search_archive(request: HttpRequest) -> HttpResponseBase:
    """Return the documents with the table; of many rows, the page that waits for the table."""
    rows = _matches(request)
    documents = signed_documents(rows)
    if request.META[EXPORTED_ROWS] > MOST_AT_ONCE:
        keys = list(documents.values_list("pk", flat=True))
        return queued_export(request, _export_request(request, rows, "zip", keys))
    index = "".join(table(rows)).encode()
    return archive_response(f"{_file_name()}.zip", index, documents)


def _export_request(
    request: HttpRequest, rows: QuerySet[Submission], ending: str, documents: list[int] | None = None
) -> ExportRequest:
    keys = list(rows.values_list("pk", flat=True))
    content = {"keys": keys} | ({} if documents is None else {"documents": documents})
    media_type = CSV if documents is None else ZIP
    return ExportRequest(KIND, f"{_file_name()}.{ending}", media_type, len(keys), request.GET.urlencode(), content)


def _matches(request: HttpRequest) -> QuerySet[Submission]:
    """Return the results of this address's search; raise its first fault, so that nothing else is exported instead."""
    search = searched(request, request.GET)
    search.refuse_faults()
    rows: QuerySet[Submission] = search.qs
    request.META[EXPORTED_ROWS] = rows.count()
    return rows


def _file_name() -> str:
    return f"rules-submissions-{timezone.localdate():%Y-%m-%d}"


CSV, ZIP = "text/csv; charset=utf-8", "application/zip"
REFRESH = 5  # seconds, without script


def queued_export(request: HttpRequest, wanted: ExportRequest) -> HttpResponseRedirect:
    """Enqueue the export and go to its page."""
    return redirect("export", request_export(person_of(request), wanted).pk)


@require_safe
def export_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the progress of the export, or its download; for htmx, the part of the page that changes."""
    row = get_object_or_404(exports_visible_to(request.user), pk=pk)
    is_ready, is_part = row.result is not None, bool(getattr(request, "htmx", False))
    progress = None if is_ready else Progress.of(Job.objects.filter(kind=Job.Kind.EXPORT, subject=row.pk))
    has_ended = progress is None or progress.stopped
    context = {
        "export": request_of(row),
        "row": row,
        "progress": progress,
        "refresh": None if has_ended else REFRESH,
        "here": "home",
    }
    template = "parts/export_progress.html" if is_part else "pages/export.html"
    return render(request, template, context, status=STOP_POLLING if is_part and has_ended else 200)


@require_safe
def export_file(request: HttpRequest, pk: int) -> StreamingHttpResponse:
    """Return the file, once it is ready."""
    row = get_object_or_404(exports_visible_to(request.user), pk=pk)
    if row.result is None:
        raise Http404("The export is not ready.")
    wanted = request_of(row)
    request.META[EXPORTED_ROWS], request.META[EXPORTED_FILTER] = wanted.rows, wanted.query
    if "documents" in wanted.content:
        documents = Document.objects.filter(pk__in=wanted.content["documents"])
        return archive_response(wanted.file_name, b"".join(_parts(row)), documents)
    return _download(wanted.file_name, wanted.media_type, export_size(row), _parts(row))


def archive_response(name: str, index: bytes, documents: QuerySet[Document]) -> StreamingHttpResponse:
    """Return a ZIP as it is written. Its size is known before, so the browser shows how far the download is."""
    return _download(name, ZIP, archive_size(len(index), documents), archive(index, documents))


def _download(name: str, media_type: str, size: int, content: Iterator[bytes]) -> StreamingHttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Content-Length": str(size)}
    return StreamingHttpResponse(content, media_type, headers=headers)


def _parts(row: Computation) -> Iterator[bytes]:
    """Yield the file, one part in memory at a time."""
    for text in row.parts.values_list("text", flat=True).iterator(chunk_size=1):
        yield text.encode()


SHARED = "public, max-age=300, stale-while-revalidate=3600"
FILTERS = ("licensee", "chapter")


@require_safe
def open_data_page(request: HttpRequest) -> HttpResponse:
    """Show the tables of open data, their columns and the terms."""
    tables = [(name, table, list(MEDIA_TYPES)) for name, table in OPEN_TABLES.items()]
    context = {"tables": tables, "terms": settings.OPEN_DATA_TERMS, "address": settings.PUBLIC_URL, "here": "register"}
    return render(request, "public/open_data.html", context)


@require_safe
def open_data_file(request: HttpRequest, name: str, kind: str) -> HttpResponseBase:
    """Return a table as CSV or JSON; `?on=` chooses its day, `?licensee=` and `?chapter=` narrow it."""
    if not (settings.PUBLIC_REGISTER or request.user.is_authenticated):
        return ask_to_sign_in(request)
    try:
        if name not in OPEN_TABLES:
            raise NotFound("not-found/open-data", name=name, tables=", ".join(OPEN_TABLES))
        query = _query(request, name)
        state = open_data_state()
        response: HttpResponseBase = _open_data_file(request, name=name, kind=kind, query=query, state=state)
    except Refusal as refusal:  # as problem details (RFC 9457): who asks here is a program more often than a person
        request.META[SHOWN_REFUSAL] = refusal.code  # for the security log
        problem = problem_details(refusal, request.path)
        response = JsonResponse(problem, status=refusal.status, content_type=MEDIA_TYPE)
    response["Access-Control-Allow-Origin"] = "*"  # it is public, and knows no caller
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def _etag(request: HttpRequest, *, name: str, kind: str, query: Mapping[str, str], state: OpenDataState) -> str:
    """Return a weak ETag: the data is the same, however it is compressed."""
    parts = (name, kind, timezone.localdate().isoformat(), *sorted(query.items()), state.digest)
    return f"W/{quote_etag(sha256(repr(parts).encode()).hexdigest()[:32])}"


@condition(etag_func=_etag)
def _open_data_file(
    request: HttpRequest, *, name: str, kind: str, query: Mapping[str, str], state: OpenDataState
) -> HttpResponseBase:
    table, rows = OPEN_TABLES[name], _open_data_rows(name, query)
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
    """Return the parameters of the address; a wrong one is refused before anything is sent."""
    allowed = (*(("on",) if OPEN_TABLES[name].of_a_day else ()), *(FILTERS if name != "data-dictionary" else ()))
    for parameter in request.GET:
        if parameter not in allowed:
            known = f"Choose from: {', '.join(allowed)}." if allowed else "This address does not have any."
            raise Refusal("unknown-parameter", fix=known, name=parameter[:40])
    query = request.GET.dict()
    _day(query)
    VersionFilterSet.narrow(query, Version.objects.none())
    return query


def _open_data_rows(name: str, query: Mapping[str, str]) -> Iterable[Mapping[str, Any]]:
    if name == "data-dictionary":
        return dictionary_rows()
    day = _day(query)
    rows = public_versions(versions_in_effect(day) if OPEN_TABLES[name].of_a_day else Version.objects.all())
    rows = VersionFilterSet.narrow(query, rows)
    if name == "wagers":
        return wager_rows(rows)
    return paytable_rows(rows) if name == "paytables" else register_rows(rows, day)


def _about(name: str, query: Mapping[str, str]) -> dict[str, object]:
    """Return the head of a JSON file."""
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


open_data_patterns = [
    path("open-data/", guarded(open_data_page, Audience.REGISTER), name="open-data"),
    re_path(r"^open-data/(?P<name>[a-z-]{1,40})\.(?P<kind>csv|json)$", open_data_file, name="open-data-file"),
]
