"""The public log: a page about it, and the addresses of C2SP `tlog-tiles` for witnesses. Nothing here is confidential.

A full tile never changes and may be cached for good; a partial tile and an old checkpoint are kept for a minute.
"""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, re_path
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from submissions.models import LogCheckpoint, LogEntry
from submissions.transparency.log_key import log_verifier
from submissions.transparency.publishing import latest_checkpoint, stored_tile
from submissions.transparency.tiles import MOST_LEVELS, WIDTH, read_address, tile_width

SHOWN = 10  # checkpoints on the page
FOR_GOOD = "public, max-age=31536000, immutable"
A_MINUTE = "public, max-age=60"


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """What the log is, its key, and its last checkpoints."""
    context = {
        "here": "log",
        "key": str(log_verifier()),
        "checkpoints": LogCheckpoint.objects.order_by("-size")[:SHOWN],
        "address": request.build_absolute_uri(request.path),
    }
    return render(request, "public/log.html", context)


@require_safe
@cache_control(public=True, max_age=5)
def checkpoint(request: HttpRequest) -> HttpResponse:
    row = latest_checkpoint()
    if row is None:
        raise Http404("There is no checkpoint yet.")
    return _text(row.note)


@require_safe
@cache_control(public=True, max_age=60)
def key(request: HttpRequest) -> HttpResponse:
    return _text(f"{log_verifier()}\n")


@require_safe
def tile(request: HttpRequest, level: str, address: str) -> HttpResponse:
    """A tile of hashes, or of entries; no more of it than the last checkpoint covers."""
    place, row = read_address(address), latest_checkpoint()
    depth = 0 if level == "entries" else int(level)
    if place is None or row is None or depth >= MOST_LEVELS:
        raise Http404("This tile does not exist.")
    index, width = place
    if width > tile_width(depth, index, row.size):
        raise Http404("The log does not have this tile yet.")
    content = _entries(index, width) if level == "entries" else stored_tile(depth, index, width)
    response = HttpResponse(content, content_type="application/octet-stream")
    response["Cache-Control"] = FOR_GOOD if width == WIDTH else A_MINUTE
    return response


def _entries(index: int, width: int) -> bytes:
    """Each entry with its length in two bytes before it."""
    first = WIDTH * index
    rows = LogEntry.objects.filter(sequence__gt=first, sequence__lte=first + width).order_by("sequence")
    contents = (bytes.fromhex(row.entry) for row in rows)
    return b"".join(len(content).to_bytes(2, "big") + content for content in contents)


def _text(text: str) -> HttpResponse:
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


urlpatterns = [
    path("log/", page, name="log"),
    path("log/checkpoint", checkpoint, name="log-checkpoint"),
    path("log/key", key, name="log-key"),
    re_path(r"^log/tile/(?P<level>entries|[0-9])/(?P<address>[x0-9/.p]{3,40})$", tile, name="log-tile"),
]
