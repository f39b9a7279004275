"""The largest pages in Chromium: bytes as made and as sent, requests, time to the first byte, time until loaded.

Each page is opened in a window of its own, first with nothing stored; times are the best of three later visits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page, sync_playwright

from bench.visitors import Unexpected, ask, browser, served

TITLE = "The largest pages: kB made · kB sent · requests · first byte · loaded"
CHROMIUM = {"executable_path": "/usr/bin/chromium", "args": ["--headless", "--no-sandbox", "--disable-gpu"]}
CHECKLISTS = ("637a", "688a", "683a")
NUMBER = re.compile(r"RS-\d{4}-\d{5}")
TIMES = """() => {
    const [page] = performance.getEntriesByType("navigation");
    return [page.responseStart - page.requestStart, page.loadEventEnd - page.startTime, page.decodedBodySize,
            page.encodedBodySize];
}"""
REPEATS = 3


def rows() -> Iterator[tuple[str, str]]:
    with served() as (port, _, world), sync_playwright() as playwright:
        chromium = playwright.chromium.launch(**CHROMIUM)
        base = f"http://127.0.0.1:{port}"
        for label, path in _addresses(port, world):
            context = chromium.new_context(base_url=base)
            context.add_cookies([{"name": "sessionid", "value": world["session"], "url": base}])
            yield label, _figures(context.new_page(), path)
            context.close()
        chromium.close()


def _addresses(port: int, world: dict[str, Any]) -> Iterator[tuple[str, str]]:
    approved = f"/submissions/{_approved(port, world)}/"
    yield "approved submission 687a", approved
    yield "its receipt", f"{approved}receipt/"
    for number in CHECKLISTS:
        page = ask(browser(world["session"]), port, f"/submissions/start/{number}/", {"sent": "1"})
        yield f"checklist {number}", f"/submissions/{NUMBER.findall(page)[0]}/checklist/"
    yield "review and file 686a", f"/submissions/{world['drafts'][0]}/file/"
    yield from ((f"chapter {number}", f"/games/{number}/") for number in ("688a", "637a"))
    yield "error catalog", "/errors/"
    yield "my submissions", "/"


def _approved(port: int, world: dict[str, Any]) -> str:
    found = NUMBER.search(ask(browser(), port, f"/verify/{world['digest']}"))
    if found is None:
        raise Unexpected("the verification page names no submission")
    return found[0]


def _figures(page: Page, path: str) -> str:
    addresses: list[str] = []
    page.on("response", lambda response: addresses.append(response.url))
    page.goto(path, wait_until="load")
    requests, visits = len(addresses), []
    for _ in range(REPEATS):
        page.goto(path, wait_until="load")
        visits.append(page.evaluate(TIMES))
    first_byte, loaded = (min(visit[place] for visit in visits) for place in (0, 1))
    made, sent = visits[0][2] / 1e3, visits[0][3] / 1e3
    return f"{made:.0f} · {sent:.0f} · {requests} · {first_byte:.0f} ms · {loaded:.0f} ms"
