"""The par sheet of one filed configuration: its content, the figures that it adds to the evidence, and the PDF.

Everything is of the filing's frozen record; nothing is counted or dealt again. Not signed: the signed document of the
submission states the holds. Not here: the workbook (`bulk.par_workbook`), and the figures themselves
(`games.runs.board_figures`).
"""

from collections.abc import Iterator

from django.template.loader import render_to_string

from games.runs.board_figures import HoldSpread, Jackpot, hold_spread, jackpots
from submissions.core.configurations import evidence_index, tables_text
from submissions.documents.context_evidence import dollars, evidence_context, number, percent
from submissions.documents.document_record import DocumentRecord, Fields
from submissions.documents.weasyprint_pdf import render_pages, write_pdf
from submissions.filings.evidence.charts import interval_svg

HEADER = ("receipt", "licensee", "chapter", "rules_digest", "engine", "filed")


def par_content(record: DocumentRecord, place: int) -> Fields | None:
    """Return what the par sheet is made from; None without a finished simulation, or without a house wager."""
    snapshot = record["snapshot"]
    if not 0 <= place < len(snapshot["configurations"]):
        return None
    tested = evidence_index(snapshot["configurations"], place)
    run = next((run for run in record["simulations"] if run["configuration"] == tested), None)
    if run is None or not run["result"] or not run["analysis"]["wagers"]:
        return None
    return {
        **{name: snapshot[name] for name in HEADER},
        "rules_on": snapshot.get("rules_on") or snapshot["filed"]["at"][:10],  # older filings: the day of filing
        "sha256": record["snapshot_sha256"],
        "demo": record["demo"],
        "tables": tables_text(snapshot, place) or "all tables",
        "configuration": snapshot["configurations"][place],
        "run": run,
    }


def wager_rows(content: Fields) -> Iterator[tuple[str, Fields]]:
    """Yield the name of each wager, with its spot, and its row of the frozen analysis."""
    names = {wager["key"]: wager["name"] for wager in content["configuration"]["wagers"]}
    for row in content["run"]["analysis"]["wagers"]:
        name = names.get(row["wager"]) or str(row["wager"])
        yield (f"{name}: {row['spot']}" if row.get("spot") else name), row


def terms_of(content: Fields, row: Fields) -> list[list[str]]:
    """Return what is printed around the wager's paytable: the bet, the seed, the rates."""
    tables = content["configuration"]["paytables"]
    named = (table for table in tables if (table["wager"], table["name"]) == (row["wager"], row["paytable"]))
    return next((table["facts"] for table in named), [])


def interval_rows(spread: HoldSpread) -> list[Fields]:
    """Return the intervals of the actual hold, in percent of all money wagered, without the unit."""
    return [
        {"rounds": f"{rounds:,}", "limits": [percent(limit) for limit in limits], "reliable": is_reliable}
        for rounds, limits, is_reliable in spread.table()
    ]


def jackpot_row(jackpot: Jackpot) -> Fields:
    """Return a jackpot as text."""
    average, deviation = jackpot.average_meter, jackpot.meter_deviation
    return {
        "outcome": jackpot.outcome,
        "pays": jackpot.pays,
        "between": number(float(jackpot.rounds_between), 0),
        "average": "–" if average is None else dollars(float(average)),
        "deviation": "–" if deviation is None else dollars(deviation),
    }


def par_sheet_pdf(content: Fields) -> bytes:
    """Return the PDF; the same content gives the same bytes."""
    evidence = evidence_context(content["configuration"], content["run"], key="par")
    parts = [part for group in evidence["wagers"] for part in group["parts"]]
    wagers = [_wager(name, content, row, part) for (name, row), part in zip(wager_rows(content), parts, strict=True)]
    context = {**content, "evidence": evidence, "wagers": wagers}
    return write_pdf(render_pages(render_to_string("documents/par_sheet.html", context)))


def _wager(name: str, content: Fields, row: Fields, evidence: Fields) -> Fields:
    spread = hold_spread(row)
    return {
        **evidence,
        "name": name,
        "terms": terms_of(content, row),
        "fewest": f"{spread.fewest_rounds:,}" if spread else "",
        "intervals": interval_rows(spread) if spread else [],
        "chart": interval_svg(spread, name=name, key=f"{evidence['id']}-interval") if spread else "",
        "jackpots": [jackpot_row(jackpot) for jackpot in jackpots(row)],
    }
