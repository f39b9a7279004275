"""The template's context for a record: texts and tables in the order of the document.

Content that all tables have in common is printed once, then the differences by table group. Not here: the evidence
(`context_evidence`), the layout (templates, CSS), the data (`document_record`).
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import groupby

import segno
from django.utils.dateformat import format as format_date
from django.utils.safestring import SafeString

from submissions.core.configurations import evidence_index, tables_as_text
from submissions.documents.context_evidence import evidence_context
from submissions.documents.document_record import DocumentRecord, Fields

STATUS = {
    "proposed": "Proposed rulemaking",
    "temporary": "Temporary regulation",
    "final": "Final regulation",
    "lapsed": "Lapsed regulation",
}
PARTS = ("tables_in_use", "layout", "house_ways", "findings", "blocking")
MOST_COLUMNS = 4  # groups side by side; more are printed below each other
WIDE = 2  # a paytable with more columns of pay takes the whole width


def document_context(record: DocumentRecord) -> Fields:
    snapshot, approved = record["snapshot"], record["approved"]
    chapter, printed = snapshot["chapter"], _step(snapshot["filed"])
    filed_on = snapshot["filed"]["at"][: len("2026-01-01")]
    rules_on = snapshot.get("rules_on") or filed_on  # older snapshots name no day
    runs = {run["configuration"]: run for run in record["simulations"]}
    places = range(len(snapshot["configurations"]))
    on_holds = record.get("hold_findings") or [[] for _ in places]
    configurations = [_configuration(snapshot, place, runs, on_holds[place]) for place in places]
    common = side_by_side(configurations)
    common["paytables"] = in_pairs(common["tables_in_use"])
    for entry in common["apart"]["tables_in_use"]:
        entry["paytables"] = in_pairs(entry["items"])
    return {
        "receipt": snapshot["receipt"],
        "licensee": snapshot["licensee"]["name"],
        "chapter": chapter["number"],
        "game": chapter["title"],
        "title": f"{chapter['title']}—58 Pa. Code Chapter {chapter['number']}",
        "status": STATUS.get(chapter["status"], chapter["status"]),
        "source": chapter["source"],
        "filed": printed if record["filed"] else None,
        "printed": printed,
        "rules_on": day(rules_on),
        "judged_ahead": rules_on != filed_on,
        "attestation": snapshot["attestation"],
        "has_form": has_form(snapshot),
        "names_tables": any(
            lists_tables(line) and line["answer"] for row in snapshot["configurations"] for line in row["lines"]
        ),
        "approved": _step(approved) if approved else None,
        "in_force": _in_force(record.get("in_force")) if approved else "",
        "made_at": (approved or snapshot["filed"])["at"],
        "configurations": configurations,
        "common": common,
        "passed": bool(runs) and all(run["passed"] for run in runs.values()),
        "nothing_to_deal": bool(runs)
        and not any(run["analysis"] and run["analysis"]["wagers"] for run in runs.values()),
        "rounds": f"{sum(run['rounds'] for run in runs.values()):,}",
        "attachments": [_attachment(snapshot, row) for row in snapshot["attachments"]],
        "readings": list({row["id"]: row for each in snapshot["configurations"] for row in each["readings"]}.values()),
        "decisions": [
            {"label": row["label"], "reason": row["reason"], "confirmed": row.get("confirmed", ()), **_step(row)}
            for row in record["decisions"]
        ],
        "conditions": condition_rows(record),
        "sha256": record["snapshot_sha256"],
        "short": record["snapshot_sha256"][:12],
        "rules_digest": snapshot["rules_digest"],
        "engine": snapshot["engine"],
        "demo": record["demo"],
        "verify_at": record["verify_at"],
        "qr": qr(record["verify_at"]) if record["verify_at"] else "",
    }


def _step(row: Fields) -> Fields:
    """Return the step with its time and person: name and role."""
    return {"at": moment(row["at"]), "day": day(row["at"]), **row["by"]}


def _in_force(version: Fields | None) -> str:
    """Return "From March 1, 2026, in the place of RS-2026-00001-R1", or "" if it is not approved."""
    if not version:
        return ""
    place = f", in the place of {version['supersedes']}" if version["supersedes"] else ""
    return f"From {day(version['from_day'])}{place}"


def moment(iso: str) -> str:
    """Return "November 20, 2026, 9:14 a.m. EST": Eastern Time, as frozen."""
    at = datetime.fromisoformat(iso)
    zone = {"-0500": "EST", "-0400": "EDT"}.get(at.strftime("%z"), at.strftime("UTC%z"))
    return f"{day(iso)}, {format_date(at, 'g:i a')} {zone}"


def day(iso: str) -> str:
    return format_date(datetime.fromisoformat(iso), "F j, Y")


@lru_cache(maxsize=1_000)
def qr(address: str) -> SafeString:
    """Return the address as a QR code, an SVG in a data: address."""
    return SafeString(segno.make(address, error="m", micro=False).svg_data_uri(border=0, scale=4, dark="#1b1b1b"))


def _configuration(snapshot: Fields, place: int, runs: Mapping[int, Fields], on_holds: Sequence[Fields]) -> Fields:
    """Return one configuration; with the evidence of an earlier one of equal answers (`evidence_as`: its key)."""
    row, several = snapshot["configurations"][place], len(snapshot["configurations"]) > 1
    tested = evidence_index(snapshot["configurations"], place)
    run, tables = runs.get(tested), [_paytable(table) for table in row["paytables"]]
    where = tables_as_text(row["tables"], row.get("pit", "")) if row["tables"] else ""
    return {
        "key": f"c{place}",
        "name": row["name"] if several else "",
        "where": where,
        "heading": f"{row['name']}{f': {where}' if where else ''}" if several else "",
        "tables": row["tables"] or "all tables",
        "groups": [
            {"name": name, "lines": [line_context(snapshot, line) for line in lines]}
            for name, lines in groupby(row["lines"], key=lambda line: line["group"])
        ],
        "tables_in_use": tables,
        "paytables": in_pairs(tables),
        "evidence": evidence_context(row, run, key=f"c{tested}") if run and run["analysis"] and run["result"] else None,
        "evidence_as": "" if tested == place else f"c{tested}",
        "evidence_of": f"“{snapshot['configurations'][tested]['name']}”" if tested else "all other tables",
        "layout": row["layout"],
        "findings": findings_of((*row["findings"], *on_holds), blocking=False),
        "blocking": findings_of((*row["findings"], *on_holds), blocking=True),
        "house_way": row["house_way"],
        "house_ways": [row["house_way"]] if row["house_way"] else [],
    }


def _paytable(table: Fields) -> Fields:
    envy = any(table["envy"])
    columns = [*(table["columns"] or ["Pay"]), *(["Envy bonus"] if envy else [])]
    rows = [
        [*cells, *([extra or "–"] if envy else [])] for cells, extra in zip(table["rows"], table["envy"], strict=True)
    ]
    return {**table, "columns": columns, "rows": rows, "wide": len(columns) > WIDE}


def in_pairs(tables: list[Fields]) -> list[list[Fields]]:
    """Return rows of two where both are narrow, in their order."""
    rows: list[list[Fields]] = []
    for table in tables:
        if rows and len(rows[-1]) == 1 and not table["wide"] and not rows[-1][0]["wide"]:
            rows[-1].append(table)
        else:
            rows.append([table])
    return rows


def _attachment(snapshot: Fields, row: Fields) -> Fields:
    """Add the size as text, the question that it answers, and the groups that attached it unless all did."""
    configurations = snapshot["configurations"]
    lines = (line for each in configurations for line in each["lines"])
    question = next((line["question"] for line in lines if line["key"] == row["option"]), row["option"])
    files = [(each["name"], each["answers"].get(row["option"]) or {}) for each in configurations]
    names = [name for name, file in files if file.get("sha256") == row["sha256"]]
    where = f" ({', '.join(names)})" if 0 < len(names) < len(configurations) else ""
    return {**row, "question": f"{question}{where}", "kilobytes": f"{-(-row['size'] // 1000):,} kB"}


def side_by_side(configurations: Sequence[Fields]) -> Fields:
    """Return the `groups` of lines and the `PARTS` that all configurations share, and the differences.

    `differ`: the other lines; `apart`, by part: [{heading, names, items}], one entry for all that have the same items.
    """
    lines = [
        {line["key"]: line for group in configuration["groups"] for line in group["lines"]}
        for configuration in configurations
    ]
    rows = [_row(configurations, lines, key) for key in _in_order(lines)]
    alike = groupby((row for row in rows if row["alike"]), key=lambda row: row["line"]["group"])
    shared = {part: _shared(configurations, part) for part in PARTS}
    return {
        "groups": [{"name": name, "rows": list(lines_alike)} for name, lines_alike in alike],
        "differ": [row for row in rows if not row["alike"]],
        "stacked": len(configurations) > MOST_COLUMNS,
        "several": len(configurations) > 1,
        **shared,
        "apart": {part: _items_of_some(configurations, part, shared[part]) for part in PARTS},
    }


def _in_order(lines: Sequence[Fields]) -> list[str]:
    """Return every line that some configuration has, in the form's order: each after its predecessor."""
    order: list[str] = []
    for keys in lines:
        place = 0
        for key in keys:
            if key in order:
                place = order.index(key) + 1
            else:
                order.insert(place, key)
                place += 1
    return order


def _row(configurations: Sequence[Fields], lines: Sequence[Fields], key: str) -> Fields:
    """Return one line with its answer `of` each configuration; None where it is not asked."""
    pairs = zip(configurations, lines, strict=True)
    cells = [{"of": configuration, "line": by_key.get(key)} for configuration, by_key in pairs]
    line = next(cell["line"] for cell in cells if cell["line"])
    alike = all(cell["line"] and cell["line"]["answer"] == line["answer"] for cell in cells)
    return {"line": line, "cells": cells, "alike": alike}


def _shared(configurations: Sequence[Fields], part: str) -> list[Fields]:
    """Return the items of this part that every configuration has."""
    first, *rest = configurations
    return [item for item in first[part] if all(item in configuration[part] for configuration in rest)]


def _items_of_some(configurations: Sequence[Fields], part: str, shared: list[Fields]) -> list[Fields]:
    """Return the other items of this part; configurations with the same items share an entry."""
    entries: list[Fields] = []
    for configuration in configurations:
        items = [item for item in configuration[part] if item not in shared]
        same = next((entry for entry in entries if entry["items"] == items), None)
        if same:
            same["heading"] += f"; {configuration['heading']}"
            same["names"] += f", {configuration['name']}"
        elif items:
            entries.append({"heading": configuration["heading"], "names": configuration["name"], "items": items})
    return entries


SEPARATE, PORTAL = "†", "‡"  # a line of the form's "separate document", one that this portal asks


def line_context(snapshot: Fields, line: Fields) -> Fields:
    """Return the section without the chapter's number, as on the official form; an empty answer as text."""
    printed, cited = line.get("as_printed", ""), line.get("cited_as_printed", "")
    return {
        **line,
        "section": _short(snapshot, cited or line["citation"]),
        "read_section": _short(snapshot, line["citation"]) if cited else "",
        "description": printed or line["question"],
        "read_as": line["question"] if printed else "",
        "mark": _mark(snapshot, line),
        "answer": line["answer"] or "Not answered",
    }


def _short(snapshot: Fields, citation: str) -> str:
    return str(citation).removeprefix(f"§ {snapshot['chapter']['number']}")


def has_form(snapshot: Fields) -> bool:
    """Return whether the chapter has an official form: some line is of it."""
    return any(line["basis"] == "form" for row in snapshot["configurations"] for line in row["lines"])


def lists_tables(line: Fields) -> bool:
    """Return whether the line names tables; filings of before this was frozen are recognized by the line's key."""
    return bool(line.get("lists_tables", str(line["key"]).endswith("_tables")))


def _mark(snapshot: Fields, line: Fields) -> str:
    """Return the line's sign in the legend of a chapter with an official form; "" if it is of the form."""
    if not has_form(snapshot):
        return ""
    if line["basis"] != "form":
        return PORTAL
    return SEPARATE if lists_tables(line) else ""


def condition_rows(record: DocumentRecord) -> list[Fields]:
    """Return each condition with its tables and its days as text."""
    return [
        {
            **row,
            "where": tables_as_text(row["tables"]) if row["tables"] else "all tables",
            "days": f"From {day(row['first_day'])}, {_until(row)}",
        }
        for row in record.get("conditions", ())
    ]


def findings_of(rows: Iterable[Fields], *, blocking: bool) -> list[Fields]:
    """Return those of the findings that block, or the others; the waiver of one with its end as text."""
    findings = []
    for finding in rows:
        if (finding["severity"] == "blocking") == blocking:
            waiver = finding.get("waiver")
            findings.append(finding | {"waiver": {**waiver, "until": _until(waiver)}} if waiver else finding)
    return findings


def _until(row: Fields) -> str:
    """Return "until March 1, 2026" or "until it is ended"."""
    return f"until {day(row['last_day'])}" if row["last_day"] else "until it is ended"
