"""Connections that ask again as soon as they are answered, and how the portal does beside them.

The load is of verifications, drafts and searches. Beside it: how long `/register/` takes, whether people sign in and
file, and the memory of all processes together (proportional set size).
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.cookiejar import CookieJar
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

from django.db import transaction

from bench.load import SECRET, load_of
from bench.worlds import open_session
from submissions.documents import signed_pdf, signing_keys, submission_document
from submissions.documents.document_record import document_record
from submissions.models import Organization, Revision, Role, Simulation
from tests.cast import PASSWORD, person
from tests.portal.running import descendants, share_of_memory
from tests.submissions.approved import Cast
from tests.submissions.example_drafts import ready_to_file


def requests_of_visitors(world: dict[str, Any]) -> Iterator[list[dict[str, str]]]:
    """Yield the lists that callers share: known by address, known by file, unknown, broken, and all of them mixed."""
    known = {"label": "known address", "method": "GET", "path": f"/verify/{world['digest']}"}
    other = {"label": "known address, no cache", "method": "GET", "path": f"/verify/{world['digest']}?{{n}}"}
    upload = {"method": "POST", "path": "/verify/"}
    sent = {"label": "known file", **upload, "file": world["signed"]}
    unknown = {"label": "unknown PDF", **upload, "file": world["signed"].replace("%%EOF", "%%EOF{n}")}
    broken = {"label": "broken PDF", **upload, "file": "%PDF-1.7 {n} nothing that can be read"}
    no_pdf = {"label": "no PDF", **upload, "file": "{n} hello"}
    yield from ([known, other], [sent], [unknown], [broken], [known, no_pdf, unknown, sent, broken])


def requests_of_people(world: dict[str, Any]) -> Iterator[list[dict[str, str]]]:
    """Yield searches, and every draft paper of the approved submission and of the drafts."""
    searches = ("/search/?words=casino", "/search/?chapter=687a", "/search/?status=approved&by=filed", "/search/")
    yield [{"label": "search", "method": "GET", "path": path} for path in searches]
    yield [
        {"label": "draft", "method": "GET", "path": f"/submissions/{number}/papers/0/{part}.pdf?{{n}}"}
        for number in world["drafts"]
        for part in ("sign", "guide", "layout")
    ]


FIRST_ANSWERS = 4.0  # seconds
BETWEEN = {"register": 0.1, "sign-in": 5.0, "filing": 5.0}  # seconds between two probes
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
Probe = Callable[[], None]


class Unexpected(Exception):
    """An answer of another status than the probe needs."""


def under_load(
    port: int, callers: list[dict[str, Any]], seconds: float, probing: dict[str, Probe], pid: int
) -> dict[str, Any]:
    """Run the load for that time, and next to it each probe again and again; `memory`: the most bytes during it.

    Probes begin after `FIRST_ANSWERS`: until then all callers ask at the same moment, and each process of the portal
    compiles the templates of its first pages. That is the portal's start, not its load.
    """
    stop = threading.Event()
    failed: dict[str, list[str]] = {name: [] for name in probing}
    with ThreadPoolExecutor(1 + len(probing)) as pool:
        load = pool.submit(load_of, port, callers, FIRST_ANSWERS + seconds)
        time.sleep(FIRST_ANSWERS)
        taken = {
            name: pool.submit(_repeat, stop, probe, BETWEEN[name], failed[name]) for name, probe in probing.items()
        }
        most = 0
        while not load.done():
            most = max(most, memory(pid))
            time.sleep(0.5)
        stop.set()
        probed = {name: future.result() for name, future in taken.items()}
        return {"load": load.result(), "probes": probed, "failed": failed, "memory": most}


def _repeat(stop: threading.Event, probe: Probe, between: float, failed: list[str]) -> list[float]:
    """Return the seconds of each probe until it is stopped."""
    taken = []
    while not stop.wait(between):
        began = time.perf_counter()
        try:
            probe()
        except (Unexpected, OSError) as error:
            failed.append(str(error)[:80])
        taken.append(time.perf_counter() - began)
    return taken


def probes(port: int, world: dict[str, Any]) -> dict[str, Probe]:
    """Return the probes that must work under load, each as a browser of its own would make it."""
    drafts = iter(world["drafts"])

    def register() -> None:
        ask(browser(), port, "/register/")

    def sign_in() -> None:
        person = build_opener(HTTPCookieProcessor(CookieJar()))
        person.addheaders = [("X-Forwarded-For", "192.0.2.2")]
        token = TOKEN.search(ask(person, port, "/accounts/login/"))
        secret = token[1] if token else ""
        form = {"login": world["email"], "password": world["password"], "csrfmiddlewaretoken": secret}
        if "Sign out" not in ask(person, port, "/accounts/login/", form):
            raise Unexpected("not signed in")

    def file() -> None:
        number = next(drafts, None)
        if number is None:
            return
        form = {"version": "1", "attested": "yes", "confirm_password": world["password"]}
        page = ask(browser(world["session"]), port, f"/submissions/{number}/file/", form)
        if f"{number}-R1" not in page:
            raise Unexpected("not filed")

    return {"register": register, "sign-in": sign_in, "filing": file}


def browser(session: str = "") -> OpenerDirector:
    """Return a browser with these cookies, and any others that it is given."""
    opener = build_opener()
    cookies = f"csrftoken={SECRET}" + (f"; sessionid={session}" if session else "")
    opener.addheaders = [("Cookie", cookies), ("X-Forwarded-For", "192.0.2.1")]
    return opener


def ask(opener: OpenerDirector, port: int, path: str, form: dict[str, str] | None = None) -> str:
    """Return the page after all redirects; raise `Unexpected` for any status but 200."""
    data = urlencode({"csrfmiddlewaretoken": SECRET, **form}).encode() if form else None
    try:
        with opener.open(Request(f"http://127.0.0.1:{port}{path}", data), timeout=60) as answer:
            return str(answer.read().decode())
    except HTTPError as error:
        raise Unexpected(f"{error.code} at {path.rstrip('0123456789')}") from error


def memory(pid: int) -> int:
    """Return the bytes of the process and all that it started, shared pages counted once."""
    return sum(map(share_of_memory, [pid, *(process.pid for process in descendants(pid))]))


def build_visited(people: int, drafts: int) -> dict[str, Any]:
    """Make the rows that the visitors read; return their names and sessions."""
    casino = Organization.objects.create(kind="licensee", name="Casino East", slug="east")
    board = Organization.objects.create(kind="regulator", name="Gaming Control Board", slug="board")
    manager = person(casino, Role.MANAGER, "Manager East")
    revision = Cast(
        manager, person(board, Role.ANALYST, "Analyst"), person(board, Role.DIRECTOR, "Director"), computes=False
    ).version("687a")
    signed = _sealed(revision)
    preparers = [person(casino, Role.PREPARER, f"Preparer {number}") for number in range(people)]
    return {
        "email": manager.email,
        "password": PASSWORD,
        "session": open_session(manager),
        "digest": revision.document.signed_id,
        "signed": signed.decode("latin-1"),
        "drafts": [ready_to_file(manager, "686a").number for _ in range(drafts)],
        "sessions": list(map(open_session, preparers)),
    }


def _sealed(revision: Revision) -> bytes:
    """Return the record with its real seal, as the job makes it."""
    for run in Simulation.objects.filter(revision=revision):
        Simulation.objects.filter(pk=run.pk).update(result=None)
    record, seal = document_record(revision), signing_keys.load_seal()
    rendered = submission_document.render_document({**record, "simulations": []})
    content = signed_pdf.sign_pdf(
        rendered.content, f"Rules Submission {revision.receipt}", record["approved"]["by"], seal
    )
    with transaction.atomic():
        submission_document.store_document(revision, record, signed_pdf.require_verified(rendered, content, seal))
    return content
