"""The doors of a filing: receipt, its page with the evidence, the API, search, CSV, what is in effect, the signed PDF.

`Filed` is what was put through: the submission, its latest filing, the truth of its answers, the state it must be in.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pikepdf
import pypdfium2
from django.template.loader import render_to_string
from django.test import Client

from games.registry import chapter as chapter_of
from submissions.documents.context import document_context
from submissions.documents.document_record import document_record
from submissions.models import Revision, Submission
from tests.submissions.layouts.papers import squeezed
from tests.submissions.one_truth.by_command import exact, findings_of, place_of
from tests.submissions.one_truth.html_reading import (
    Node,
    badge_in,
    by_class,
    caption_of,
    cells_in,
    findings_in,
    heads_in,
    page_of,
    words,
)
from tests.submissions.one_truth.ledger import Cells, Ledger, Truth, flat

LABELS = {"filed": "Filed", "approved": "Approved"}
MISSING = "–"
LOOKED_UP = ("yes_no", "choice", "paytable", "count", "money", "percent")  # kinds of lines


@dataclass(frozen=True, slots=True)
class Filed:
    submission: Submission
    revision: Revision
    truth: Truth
    status: str

    @property
    def names(self) -> dict[str, str]:
        """Wager → its name with its parts, as it was frozen."""
        (row,) = self.revision.content["configurations"]
        return {wager["key"]: wager["name"] for wager in row["wagers"]}


def through_receipt(ledger: Ledger, filed: Filed, browser: Client) -> None:
    page = page_of(browser.get(f"/submissions/{filed.submission.number}/receipt/").content)
    facts = {words(each.xpath("./dt")[0]): words(each.xpath("./dd")[0]) for each in page.xpath("//dl/div")}
    ledger.one("receipt", "receipt", filed.revision.receipt, facts["Receipt"])
    ledger.one("receipt", "digest", filed.revision.sha256, facts["SHA-256 digest of the filing"])
    digest = chapter_of(filed.truth.number).digest
    ledger.one("receipt", "rules", digest, facts["Digest of the rules that apply"])
    ledger.one("receipt", "status", LABELS[filed.status], badge_in(page))


def through_its_page(ledger: Ledger, filed: Filed, browser: Client, *, who: str) -> None:
    """The submission's page: status, findings, every hold of its evidence; the paytables by name."""
    place, truth = f"page of the filing ({who})", filed.truth
    page = page_of(browser.get(f"/submissions/{filed.submission.number}/").content)
    ledger.one(place, "status", LABELS[filed.status], badge_in(page))
    ledger.each(place, "findings", truth.findings, findings_in(page))
    found = {}
    for table in by_class(page, "numbers"):
        if caption_of(table).startswith("Hold:"):
            for row in table.xpath("./tbody/tr"):
                paytable = words(by_class(row, "quiet")[0]) if by_class(row, "quiet") else ""
                found[words(row.xpath("./th/a")[0]), paytable] = words(row.xpath("./td")[0])
    expected = {(name, key[1]): hold for name, key, hold in _named_holds(filed)}
    ledger.holds(place, expected, found)
    stars = {(name, key[1]): key in truth.estimated for name, key, _ in _named_holds(filed)}
    ledger.same(place, "is estimated", stars, {key: text.endswith("*") for key, text in found.items()})


def _named_holds(filed: Filed) -> Iterator[tuple[str, tuple[str, str, str], Fraction]]:
    for key, hold in filed.truth.holds.items():
        name = filed.names[key[0]]
        yield f"{name}: {key[2]}" if key[2] else name, key, hold


def through_api(ledger: Ledger, filed: Filed, client: Client) -> None:
    """What was frozen, the findings, the exact figures and the state."""
    place, number = "API of the filing", filed.submission.number
    row = client.get(f"/api/v1/submissions/{number}/").json()
    ledger.one(place, "status", filed.status, row["status"])
    ledger.one(place, "receipt", filed.revision.receipt, row["receipt"])
    address = f"/api/v1/submissions/{number}"
    found = client.get(f"{address}/revisions/{filed.revision.number}/").json()
    ledger.one(place, "digest", filed.revision.sha256, found["sha256"])
    compare_frozen(ledger, place, filed, found["content"])
    findings = client.get(f"{address}/findings/").json()["results"]
    ledger.each(place, "findings", filed.truth.findings, findings_of(findings))
    runs = client.get(f"{address}/simulations/").json()["results"]
    analysis = next(run["analysis"] for run in runs if run["receipt"] == filed.revision.receipt)
    compare_analysis(ledger, place, filed.truth, analysis)


def compare_frozen(ledger: Ledger, place: str, filed: Filed, content: Mapping[str, Any]) -> None:
    """A snapshot: answers, findings but those on holds, wagers, every cell of every paytable."""
    truth, (row,) = filed.truth, content["configurations"]
    ledger.same(place, "answer", truth.answers, row["answers"])
    ledger.each(place, "findings", truth.findings - truth.on_holds, findings_of(row["findings"]))
    ledger.one(place, "wagers", truth.offered, tuple(row["offered"]))
    ledger.same(place, "paytable", truth.paytables, {table["wager"]: table["name"] for table in row["paytables"]})
    frozen = {table["wager"]: _frozen_cells(table) for table in row["paytables"]}
    ledger.same(place, "cell", truth.printed(), flat(frozen))


def _frozen_cells(table: Mapping[str, Any]) -> Cells:
    envy = table["envy"] if any(table["envy"]) else None
    return [(*row, *((envy[place],) if envy else ())) for place, row in enumerate(table["rows"])]


def compare_analysis(ledger: Ledger, place: str, truth: Truth, analysis: Mapping[str, Any]) -> None:
    ledger.same(place, "exact hold", truth.holds, {place_of(row): exact(row) for row in analysis["wagers"]})
    ledger.one(place, "rake", truth.rake, analysis.get("rake"))


def through_search(ledger: Ledger, filed: Filed, browser: Client, client: Client) -> None:
    """Found by each of its answers, and not by another paytable than its own; its state beside it."""
    truth, number = filed.truth, filed.submission.number
    for option in chapter_of(truth.number).options:
        answer = truth.answers.get(option.key)
        if option.kind in LOOKED_UP and answer is not None:
            value = {True: "yes", False: "no"}.get(answer, answer) if isinstance(answer, bool) else answer
            query = {"chapter": truth.number, "option": option.key, "value": value, "status": filed.status}
            rows = client.get("/api/v1/submissions/", query).json()["results"]
            ledger.one("search (API)", f"found by {option.key}", True, number in {row["number"] for row in rows})
        if option.kind == "paytable":
            own = truth.paytables.get(option.wager)
            names = [table.name for table in chapter_of(truth.number).tables_of(option.wager)]
            for name in dict.fromkeys([own or names[0], next((name for name in names if name != own), names[0])]):
                query = {"chapter": truth.number, "paytable": f"{option.wager}/{name}"}
                states = _states(page_of(browser.get("/search/", query).content))
                expected = LABELS[filed.status] if name == own else "not found"
                ledger.one("search", f"state by {name}", expected, states.get(number, "not found"))
    states = _states(page_of(browser.get("/search/", {"words": number}).content))
    ledger.one("search", "state", LABELS[filed.status], states.get(number, "not found"))


def _states(page: Node) -> dict[str, str]:
    """Number → state of what a search found."""
    return {
        words(row.xpath("./th")[0]).split()[0]: words(row.xpath("./td[@data-label='Status']")[0])
        for row in page.xpath("//table/tbody/tr[./td[@data-label='Status']]")
    }


def through_csv(ledger: Ledger, filed: Filed, browser: Client) -> None:
    """The row of the export: state, receipt, paytables, holds."""
    truth = filed.truth
    response = browser.get("/search/export.csv", {"chapter": truth.number})
    text = b"".join(response.streaming_content).decode("utf-8-sig")
    row = next(row for row in csv.DictReader(io.StringIO(text)) if row["Number"] == filed.submission.number)
    ledger.one("CSV", "status", LABELS[filed.status], row["State"])
    ledger.one("CSV", "receipt", filed.revision.receipt, row["Receipt"])
    compare_offers(ledger, "CSV", filed, _by_name(filed, row["Paytables"]), _by_name(filed, row["Holds"]))


def _by_name(filed: Filed, text: str) -> dict[str, str]:
    """Wager → what follows its name in “Name: text; Name: text”."""
    pattern = "|".join(re.escape(name) for name in filed.names.values())
    parts = re.split(rf"(?:^|; )({pattern}): ", text)[1:]
    keys = {name: key for key, name in filed.names.items()}
    return {keys[name]: value for name, value in zip(parts[::2], parts[1::2], strict=True)}


def compare_offers(
    ledger: Ledger, place: str, filed: Filed, paytables: Mapping[str, str], holds: Mapping[str, str]
) -> None:
    """Paytables and holds by wager: several parts each with its name, several spots from the lowest to the highest."""
    truth, chapter = filed.truth, chapter_of(filed.truth.number)
    wholes = {wager.key: wager.part_of or wager.key for wager in chapter.wagers}
    expected: dict[str, list[str]] = {}
    for wager, name in truth.paytables.items():
        expected.setdefault(wholes[wager], []).append(f"{truth.own_names[wager].removesuffix(' Wager')}: {name}")
    named = {
        wager: names[0].split(": ", 1)[1] if len(names) == 1 else ", ".join(names) for wager, names in expected.items()
    }
    ledger.same(place, "paytable", named, {wager: text for wager, text in paytables.items() if text})
    of_wager: dict[str, list[Fraction]] = {}
    for key, hold in truth.holds.items():
        of_wager.setdefault(key[0], []).append(hold)
    ends = {(wager, end): end(values) for wager, values in of_wager.items() for end in (min, max)}
    found = {}
    for wager, text in holds.items():
        low, _, high = text.partition(" to ")
        found |= {(wager, min): low, (wager, max): high or low} if text else {}
    ledger.holds(place, ends, found)
    about = {key[0]: True for key in truth.estimated}
    ledger.same(place, "is about", about, {key: True for key, text in holds.items() if text.startswith("about")})


def through_what_is_in_effect(ledger: Ledger, filed: Filed, client: Client) -> None:
    """The public pages and the public API: the wagers with paytable and hold, every cell, the receipt."""
    place, number, slug = "in effect (API)", filed.truth.number, filed.submission.organization.slug
    row = client.get(f"/api/v1/in-force/{slug}/{number}/").json()
    ledger.one(place, "receipt", filed.revision.receipt, row["receipt"])
    (group,) = row["groups"]
    paytables = {offer["wager"]: offer["paytable"] for offer in group["offers"]}
    compare_offers(ledger, place, filed, paytables, {offer["wager"]: offer["hold"] for offer in group["offers"]})
    place, page = "in effect (page)", page_of(Client().get(f"/in-force/{slug}/{number}/").content)
    table = next(table for table in page.xpath("//table") if heads_in(table) == ["Wager", "Paytable", "Hold"])
    rows = {name: [cell.replace(MISSING, "") if cell == MISSING else cell for cell in rest]
            for name, *rest in cells_in(table)}  # fmt: skip
    keys = {name: key for key, name in filed.names.items()}
    by_key = {keys.get(name, name): cells for name, cells in rows.items()}
    compare_offers(ledger, place, filed, *({key: cells[at] for key, cells in by_key.items()} for at in (0, 1)))
    _compare_printed(ledger, place, filed.truth, page)
    _compare_printed(
        ledger,
        "in effect at a table",
        filed.truth,
        page_of(Client().get(f"/in-force/{slug}/{number}/tables/1/").content),
    )


def _compare_printed(ledger: Ledger, place: str, truth: Truth, page: Node) -> None:
    """The paytables that a page prints, by the wager's own name; an empty bonus is a dash there."""
    found = {caption_of(table): cells_in(table) for table in by_class(page, "paid__table")}
    expected = {}
    for wager, name in truth.paytables.items():
        heading = truth.own_names[wager] + (f": {name}" if name != "Paytable" else "")
        expected[heading] = [(*row[:-1], row[-1] or MISSING) for row in truth.cells[wager]]
    ledger.same(place, "cell", flat(expected), flat(found))


def through_signed_pdf(ledger: Ledger, filed: Filed, content: bytes) -> None:
    """The record inside the PDF, and the words on its pages."""
    with pikepdf.open(io.BytesIO(content)) as pdf:
        record = json.loads(pdf.attachments[f"{filed.revision.receipt}.json"].get_file().read_bytes())
    _compare_record(ledger, "record of the PDF", filed, record)
    pages = pypdfium2.PdfDocument(content)
    _compare_printed_words(
        ledger, "pages of the PDF", filed, " ".join(page.get_textpage().get_text_range() for page in pages)
    )


def through_document(ledger: Ledger, filed: Filed) -> None:
    """The record that is sealed, and the words and paytables of the HTML that becomes its pages."""
    record = document_record(filed.revision)
    _compare_record(ledger, "record of the document", filed, record)
    context = {"document": document_context(record), "draft": False}
    page = page_of(render_to_string("documents/submission.html", context))
    place = "pages of the document"
    _compare_printed_words(ledger, place, filed, page.body.text_content())
    expected = {}
    for table in record["snapshot"]["configurations"][0]["paytables"]:
        caption = f"{table['wager_name']} {table['name']} · {table['citation']}"
        expected[caption] = [(*row[:-1], row[-1] or MISSING) for row in filed.truth.cells[table["wager"]]]
    printed = {caption_of(table): cells_in(table) for table in page.xpath("//div[contains(@class, 'paytable')]/table")}
    ledger.same(place, "cell of the paytable", flat(expected), flat(printed))


def _compare_record(ledger: Ledger, place: str, filed: Filed, record: Mapping[str, Any]) -> None:
    compare_frozen(ledger, place, filed, record["snapshot"])
    compare_analysis(ledger, place, filed.truth, record["simulations"][0]["analysis"])
    (on_holds,) = record.get("hold_findings", [[]])
    ledger.each(place, "findings on holds", filed.truth.on_holds, findings_of(on_holds))
    ledger.one(place, "receipt", filed.revision.receipt, record["snapshot"]["receipt"])
    ledger.one(place, "digest", filed.revision.sha256, record["snapshot_sha256"])
    ledger.one(place, "is approved", True, bool(record["approved"]))


def _compare_printed_words(ledger: Ledger, place: str, filed: Filed, printed_text: str) -> None:
    truth, text = filed.truth, squeezed(printed_text)
    for name, key, hold in _named_holds(filed):
        shown = f"{round(hold, 4).numerator / round(hold, 4).denominator:.4f}".replace("-", "−")
        printed = squeezed(f"{name} {key[1]} {shown}")
        ledger.one(place, f"hold of {name}", printed, printed if printed in text else NOT_PRINTED)
    for key, cell in truth.printed().items():
        printed = squeezed(cell)
        ledger.one(place, f"cell {key}", printed, printed if printed in text else NOT_PRINTED)
    for _, message, _, citation in truth.findings:
        printed = squeezed(message + citation)
        ledger.one(place, "finding", printed, printed if printed in text else NOT_PRINTED)
    ledger.one(place, "status", True, "Approved" in text and squeezed(filed.revision.receipt) in text)


NOT_PRINTED = "not printed"
