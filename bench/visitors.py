"""The portal under 200 connections that ask again as soon as they are answered: verifications; drafts and searches.

`manage.py serve` as in service. During the load: how long `/register/` takes, whether people sign in and file, and the
memory of all processes together (proportional set size). `BENCH_SECONDS` and `BENCH_CONNECTIONS` make it shorter.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from statistics import quantiles
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

from bench.load import SECRET, callers_of
from bench.parts import run_part
from tests.portal.running import free_port, until


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


TITLE = "200 connections that ask without a pause"
SECONDS = int(os.environ.get("BENCH_SECONDS", "120"))
CONNECTIONS = int(os.environ.get("BENCH_CONNECTIONS", "200"))
PEOPLE = ("search", "draft")
BETWEEN = {"register": 0.1, "sign-in": 5.0, "filing": 5.0}  # seconds between two probes
LOAD = [sys.executable, str(Path(__file__).with_name("load.py"))]
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
Probe = Callable[[], None]


class Unexpected(Exception):
    """An answer of another status than the probe needs."""


def rows() -> Iterator[tuple[str, str]]:
    """Yield the rows of each scenario, on a portal of its own."""
    for title, requests in (("verification", requests_of_visitors), ("drafts and searches", requests_of_people)):
        with served() as (port, pid, world):
            callers = list(callers_of(list(requests(world)), CONNECTIONS))
            if title != "verification":
                for place, caller in enumerate(callers):
                    caller["cookies"] = f"sessionid={world['sessions'][place % len(world['sessions'])]}"
            before = memory(pid)
            report = under_load(port, callers, SECONDS, probes(port, world), pid)
            yield f"{title}, load average", " ".join(f"{value:.1f}" for value in os.getloadavg())
            yield from figures(report, before)


def figures(report: dict[str, Any], before: int) -> Iterator[tuple[str, str]]:
    for name, count in sorted(report["load"]["counts"].items()):
        yield f"  {name}", f"{count} · {report['load']['slowest'][name]:.2f} s"
    for name, times in report["probes"].items():
        yield f"  {name}: p50 · p95 · slowest of {len(times)}", spread(times)
        yield f"  {name}: failed", "; ".join(sorted(set(report["failed"][name]))) or "none"
    yield "  memory before · at most", f"{before >> 20} · {report['memory'] >> 20} MB"


def spread(times: list[float]) -> str:
    if len(times) < 2:
        return str(times)
    cuts = quantiles(times, n=100)
    return f"{cuts[49]:.2f} · {cuts[94]:.2f} · {max(times):.2f} s"


def under_load(
    port: int, callers: list[dict[str, Any]], seconds: float, probing: dict[str, Probe], pid: int
) -> dict[str, Any]:
    """Run the load for that time, and next to it each probe again and again."""
    stop = threading.Event()
    taken: dict[str, list[float]] = {name: [] for name in probing}
    failed: dict[str, list[str]] = {name: [] for name in probing}
    threads = [
        threading.Thread(target=_repeat, args=(stop, probe, BETWEEN[name], taken[name], failed[name]))
        for name, probe in probing.items()
    ]
    with subprocess.Popen(LOAD, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as load:
        assert load.stdin is not None
        assert load.stdout is not None
        load.stdin.write(json.dumps({"port": port, "callers": callers, "seconds": seconds, "rate": 0}))
        load.stdin.close()
        for thread in threads:
            thread.start()
        most = 0
        while load.poll() is None:
            most = max(most, memory(pid))
            time.sleep(0.5)
        stop.set()
        for thread in threads:
            thread.join()
        return {"load": json.loads(load.stdout.read()), "probes": taken, "failed": failed, "memory": most}


def load_of(port: int, callers: list[dict[str, Any]], seconds: float, rate: float = 0) -> dict[str, Any]:
    """Run the load for that time, and nothing next to it; `rate`: requests a second of all callers together."""
    given = json.dumps({"port": port, "callers": callers, "seconds": seconds, "rate": rate})
    answered = subprocess.run(LOAD, input=given, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(answered.stdout)
    return found


def _repeat(stop: threading.Event, probe: Probe, between: float, taken: list[float], failed: list[str]) -> None:
    while not stop.wait(between):
        began = time.perf_counter()
        try:
            probe()
        except (Unexpected, OSError) as error:
            failed.append(str(error)[:80])
        taken.append(time.perf_counter() - began)


def probes(port: int, world: dict[str, Any]) -> dict[str, Probe]:
    """Return the probes that must work under load, each as a browser of its own would make it."""
    drafts = iter(world["drafts"])

    def register() -> None:
        ask(browser(), port, "/register/")

    def sign_in() -> None:
        person = build_opener(HTTPCookieProcessor(CookieJar()))
        person.addheaders = [("X-Forwarded-For", "192.0.2.2")]
        token = TOKEN.search(ask(person, port, "/accounts/login/"))
        form = {
            "login": world["email"],
            "password": world["password"],
            "csrfmiddlewaretoken": token[1] if token else "",
        }
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
    """Return a browser with these cookies, whatever others it is given."""
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
    return sum(map(share_of_memory, family(pid)))


def share_of_memory(process: int) -> int:
    """Return the bytes of one process, shared pages divided among those who have them; 0 if it is gone."""
    with contextlib.suppress(OSError):
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
        return int(re.search(r"^Pss: +(\d+) kB", text, re.MULTILINE)[1]) * 1024  # type: ignore[index]
    return 0


def family(pid: int) -> Iterator[int]:
    yield pid
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from family(int(child))


@contextlib.contextmanager
def served(
    world_name: str = "visitors", settings_module: str = "portal.settings"
) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Run a new portal; yield its port, its supervisor and its world."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "PORTAL_VAR": folder,
            "PORTAL_LOG": "ERROR",
            "PORTAL_SECOND_FACTOR": "0",
            "PORTAL_TRUSTED_PROXIES": "1",
            "PORTAL_SIMULATION_ROUNDS": "100000",
            "DJANGO_SETTINGS_MODULE": settings_module,
        }
        world, port = run_part("worlds", environment, world_name), free_port()
        command = [sys.executable, "manage.py", "serve", "--cold", "--port", str(port)]
        server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            until(lambda: _answers(port), 60)
            yield port, server.pid, world
        finally:
            server.terminate()
            server.wait()


def _answers(port: int) -> bool:
    try:
        ask(browser(), port, "/register/")
    except (Unexpected, OSError):
        return False
    return True
