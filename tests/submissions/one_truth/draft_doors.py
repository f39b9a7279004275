"""The doors of a draft: the API's judge, the checklist, the page before filing, the API, sign and guide, bulk workbook.

Each function reads what its door gives out and compares it with the truth. Sign and guide are read as the HTML that
becomes their PDF.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from io import BytesIO
from typing import Any

from django.test import Client
from openpyxl import load_workbook

from games.registry import chapter as chapter_of
from submissions.layouts.paper_content import GuideMissing, guide_content, payout_sign_content
from submissions.layouts.paper_pdf import PaperDetails, PaperSheet
from submissions.models import Submission
from tests.submissions.one_truth.by_command import exact, findings_of, paytables_by_command, place_of
from tests.submissions.one_truth.html_reading import (
    Node,
    badge_in,
    by_class,
    cells_in,
    findings_in,
    first_number,
    heads_in,
    page_of,
    words,
)
from tests.submissions.one_truth.ledger import Cells, Ledger, Truth

HEADER, FIRST_ROW = 3, 4  # rows of a sheet of the workbook
GAP = re.compile(r"(?<=\d) (?=\d)")  # of the Code's conversion, "4 00 to 1": sign and guide mend it
MISSING = "–"


def ask_for_figures(ledger: Ledger, truth: Truth, client: Client) -> None:
    """The first answer of the judge: none of the figures as long as it says that they are being computed."""
    judged = _judged(truth, client)
    expected = {} if judged["computing"] else truth.holds
    ledger.same("judge", "exact hold at once", expected, {place_of(row): exact(row) for row in judged["holds"]})


def _judged(truth: Truth, client: Client) -> dict[str, Any]:
    found: dict[str, Any] = client.post(
        f"/api/v1/chapters/{truth.number}/judge/", {"answers": dict(truth.answers)}, content_type="application/json"
    ).json()
    return found


def through_judge(ledger: Ledger, truth: Truth, client: Client) -> dict[str, Any]:
    """The API's judgment; also how many lines it calls for, which the checklist counts."""
    judged = _judged(truth, client)
    place = "judge"
    ledger.one(place, "blocking", 0, judged["blocking"])
    ledger.one(place, "computing", False, judged["computing"])
    ledger.one(place, "unused answers", [], judged["unused"])
    ledger.one(place, "wagers", truth.offered, tuple(judged["offered"]))
    ledger.same(place, "paytable", truth.paytables, judged["paytables"])
    ledger.each(place, "findings", truth.findings, findings_of(judged["findings"]))
    ledger.same(place, "exact hold", truth.holds, {place_of(row): exact(row) for row in judged["holds"]})
    estimated = {place_of(row): row["method"] == "estimate" for row in judged["holds"]}
    ledger.same(place, "is estimated", {key: key in truth.estimated for key in truth.holds}, estimated)
    return judged


def through_checklist(ledger: Ledger, truth: Truth, browser: Client, draft: Submission, asked: int) -> None:
    """Findings, state, the chosen paytables with their cells and holds, the hold of the house way."""
    page = page_of(browser.get(f"/submissions/{draft.number}/checklist/").content)
    place = "checklist"
    ledger.each(place, "findings", truth.findings, findings_in(page))
    ledger.one(place, "status", "Draft", badge_in(page))
    answered = re.findall(r"(\d+) of (\d+) lines answered", words(by_class(page, "summary")[0]))
    ledger.one(place, "lines answered", len(truth.answers), int(answered[0][0]))
    ledger.one(place, "lines asked", asked, int(answered[0][1]))
    ledger.one(place, "nothing in the way", 1, len(by_class(page, "summary__ready")))
    chosen = {}
    for option in chapter_of(truth.number).options:
        if option.kind == "paytable" and option.key in truth.answers:
            line = page.get_element_by_id(f"line-{option.key}")
            name = _chosen(line)
            chosen[option.wager] = name
            _compare_column(ledger, truth, option.wager, name, by_class(line, "paytables")[0])
    lines = {option.wager for option in chapter_of(truth.number).options if option.kind == "paytable"}
    ledger.same(place, "paytable", {key: name for key, name in truth.paytables.items() if key in lines}, chosen)
    _compare_house_way(ledger, truth, page)


def _chosen(line: Node) -> str:
    checked = line.xpath(".//input[@type='radio'][@checked]")
    return str(checked[0].get("value")) if checked else ""


def _compare_column(ledger: Ledger, truth: Truth, wager: str, name: str, table: Node) -> None:
    heads = [(words(head), int(head.get("colspan", "1"))) for head in table.xpath("./thead/tr[1]/th")]
    place = [head for head, _ in heads].index(name)
    first = sum(width for _, width in heads[:place])
    rows = [row for row in table.xpath("./tbody[not(contains(@class, 'figures'))]/tr") if not row.get("class")]
    found = [tuple(words(cell) for cell in row.xpath("./*")) for row in rows]
    shown = [(row[0], *row[1 + first : 1 + first + heads[place][1]]) for row in found]
    shown = [row for row in shown if set(row[1:]) != {MISSING}]
    ledger.same("checklist", f"cells of {name}", by_outcome(dashed(truth.cells[wager])), by_outcome(shown))
    figures = [
        (words(row.xpath("./th")[0]), words(row.xpath("./td")[place]))
        for row in table.xpath("./tbody[contains(@class, 'figures')]/tr")
    ]
    expected = {key: hold for key, hold in truth.holds.items() if key[:2] == (wager, name)}
    spots = [key for key in expected if key[2]]
    holds = {key: next((cell for head, cell in figures if head.endswith(f" {key[2]}")), "") for key in spots}
    if expected and not spots:
        holds = {(wager, name, ""): figures[0][1]}
    ledger.holds("checklist", expected, holds)


def _compare_house_way(ledger: Ledger, truth: Truth, page: Node) -> None:
    way = truth.answers.get("house_way")
    expected = {key: hold for key, hold in truth.holds.items() if way and key[1] == way}
    found = {key: first_number(words(page.get_element_by_id(f"hold-{way}"))) for key in expected}
    ledger.holds("checklist", expected, found)


def every_column(ledger: Ledger, number: str, browser: Client, draft: Submission) -> None:
    """Every paytable among which the checklist lets choose: all its cells."""
    page, printed = (
        page_of(browser.get(f"/submissions/{draft.number}/checklist/").content),
        paytables_by_command(number),
    )
    for option in chapter_of(number).options:
        if option.kind != "paytable":
            continue
        table = by_class(page.get_element_by_id(f"line-{option.key}"), "paytables")[0]
        heads = [(words(head), int(head.get("colspan", "1"))) for head in table.xpath("./thead/tr[1]/th")]
        rows = [row for row in table.xpath("./tbody[not(contains(@class, 'figures'))]/tr") if not row.get("class")]
        found, first = [tuple(words(cell) for cell in row.xpath("./*")) for row in rows], 1
        for name, width in heads:
            shown = [(row[0], *row[first : first + width]) for row in found]
            shown = [row for row in shown if set(row[1:]) != {MISSING}]
            expected = dashed(printed[option.wager, name])
            ledger.same("checklist", f"cells of {name}", by_outcome(expected), by_outcome(shown))
            first += width


def by_outcome(cells: Cells) -> dict[tuple[str, int, int], str]:
    """(outcome, how often it came before, column) → cell: rows of several tables are mixed, in no table's order."""
    seen: dict[str, int] = {}
    found = {}
    for row in cells:
        seen[row[0]] = seen.get(row[0], -1) + 1
        found |= {(row[0], seen[row[0]], column): cell for column, cell in enumerate(row)}
    return found


def dashed(cells: Cells) -> Cells:
    """As pages print an empty cell."""
    return [tuple(cell or MISSING for cell in row) for row in cells]


def through_last_page(ledger: Ledger, truth: Truth, browser: Client, draft: Submission) -> None:
    """The page before filing: nothing blocks, the findings, every answer in words."""
    page = page_of(browser.get(f"/submissions/{draft.number}/file/").content)
    place = "page before filing"
    ledger.one(place, "errors", 0, len(page.xpath("//*[@id='errors']")))
    ledger.one(place, "status", "Draft", badge_in(page))
    ledger.each(place, "findings", truth.findings, findings_in(page))
    names = {cell for table in by_class(page, "answers") for row in cells_in(table) for cell in row[2:]}
    chosen = {name for wager, name in truth.paytables.items() if chapter_of(truth.number).wager(wager).paytable_option}
    ledger.same(place, "paytable", dict.fromkeys(chosen, True), {name: name in names for name in chosen})


def through_api_of_draft(ledger: Ledger, truth: Truth, client: Client, draft: Submission) -> None:
    place, address = "API of the draft", f"/api/v1/submissions/{draft.number}"
    ledger.one(place, "status", "draft", client.get(f"{address}/").json()["status"])
    (row,) = client.get(f"{address}/configurations/").json()["results"]
    given = {key: answer for key, answer in row["answers"].items() if answer is not None}
    ledger.same(place, "answer", truth.answers, given)
    ledger.each(place, "findings", truth.findings, findings_of(client.get(f"{address}/findings/").json()["results"]))


def through_sign(ledger: Ledger, truth: Truth) -> None:
    chapter = chapter_of(truth.number)
    content = {**payout_sign_content(chapter, truth.answers), "paper": "letter", "size": 10}
    page = page_of(_sheet("sign", truth).html(content))
    tables = {words(section.xpath("./h2")[0]): section.xpath("./table")[0] for section in page.xpath("//section[./h2]")}
    _compare_paper(ledger, truth, "sign", tables)


def through_guide(ledger: Ledger, truth: Truth) -> None:
    try:
        content = guide_content(chapter_of(truth.number), truth.answers)
    except GuideMissing:
        ledger.one("guide", "is there", False, bool(truth.number not in ("655a", "657a")))
        return
    page = page_of(_sheet("guide", truth).html({**content, "size": 10}))
    tables = {}
    for board in by_class(page, "board"):
        heading = board.xpath("./h3")[0]
        tables[" ".join((heading.text or "").split())] = board.xpath("./table")[0]
    _compare_paper(ledger, truth, "guide", tables)


def _sheet(part: str, truth: Truth) -> PaperSheet:
    details = PaperDetails("Casino East", date(2026, 11, 22))
    return PaperSheet(part, chapter_of(truth.number), truth.answers, details)


def _compare_paper(ledger: Ledger, truth: Truth, place: str, tables: Mapping[str, Node]) -> None:
    """Every wager with a paytable has its table; of several envy bonuses, for higher wagers, the first is compared."""
    names = {truth.own_names[wager]: wager for wager in truth.paytables}
    ledger.same(place, "table of", dict.fromkeys(names, True), dict.fromkeys(tables, True))
    for name in names.keys() & tables.keys():
        wager = names[name]
        expected = [tuple(GAP.sub("", cell) for cell in row) for row in dashed(truth.cells[wager])]
        width = len(expected[0])
        found = [row[:width] for row in cells_in(tables[name])]
        ledger.same(place, f"cells of {name}", _flat(expected), _flat(found))
        if width > 2 and len(heads_in(tables[name])) > 1:
            ledger.one(place, f"columns of {name}", width, len(heads_in(tables[name])[:width]))


def _flat(cells: Cells) -> dict[tuple[int, int], str]:
    return {(place, column): cell for place, row in enumerate(cells) for column, cell in enumerate(row)}


def through_workbook(ledger: Ledger, truths: Mapping[str, Truth], browser: Client) -> None:
    """The downloaded workbook: a row for each draft, by its number; every answer as its cell says it."""
    book = load_workbook(BytesIO(browser.get("/bulk/configurations.xlsx").content))
    number = next(iter(truths.values())).number
    rows = list(book[number].iter_rows(values_only=True))
    keys = rows[HEADER - 1]
    for row in rows[FIRST_ROW - 1 :]:
        cells = dict(zip(keys, row, strict=True))
        truth = truths[str(cells["submission"])]
        ledger.one("workbook", "action", "update", cells["action"])
        expected = dict(_as_cells(truth))
        found = {key: cells[key] for key in keys[6:] if cells[key] is not None}
        ledger.same("workbook", "answer", expected, {key: _plain(value) for key, value in found.items()})


def _as_cells(truth: Truth) -> Iterator[tuple[str, str]]:
    for option in chapter_of(truth.number).options:
        answer = truth.answers.get(option.key)
        if answer is None or option.kind == "attachment":
            continue
        if option.kind == "yes_no":
            yield option.key, "yes" if answer else "no"
        elif option.kind == "choice":
            yield option.key, next(choice.label for choice in option.choices if choice.value == answer)
        elif option.kind in ("count", "money", "percent"):
            yield option.key, _plain(Decimal(str(answer)))
        else:
            yield option.key, str(answer)


def _plain(value: object) -> str:
    number = isinstance(value, int | float | Decimal)
    return f"{Decimal(str(value)).normalize():f}" if number else str(value)
