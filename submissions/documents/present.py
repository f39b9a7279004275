"""A record in the words and the order of the paper: what the template prints, ready to print.

Not here: the evidence's figures (`evidence`), how it looks (templates, CSS), what is true (`record`).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from itertools import groupby
from typing import Any

import segno
from django.utils.dateformat import format as format_date
from django.utils.safestring import SafeString

from submissions.documents.evidence import evidence
from submissions.documents.groups import side_by_side
from submissions.documents.record import Record
from submissions.places import evidence_place
from submissions.tables import in_words as tables_in_words

Shown = dict[str, Any]

STATUS = {
    "proposed": "Proposed rulemaking",
    "temporary": "Temporary regulation",
    "final": "Final regulation",
}
WIDE = 2  # a paytable with more columns of pay than this takes the whole width


def present(record: Record) -> Shown:
    snapshot, approved = record["snapshot"], record["approved"]
    chapter, filed = snapshot["chapter"], snapshot["filed"]
    runs = {run["configuration"]: run for run in record["simulations"]}
    configurations = [_configuration(snapshot, place, runs) for place in range(len(snapshot["configurations"]))]
    common = side_by_side(configurations)
    common["paytables"] = in_pairs(common["tables_in_use"])
    for found in common["apart"]["tables_in_use"]:
        found["paytables"] = in_pairs(found["items"])
    return {
        "receipt": snapshot["receipt"],
        "licensee": snapshot["licensee"]["name"],
        "chapter": chapter["number"],
        "game": chapter["title"],
        "title": f"{chapter['title']}—58 Pa. Code Chapter {chapter['number']}",
        "status": STATUS.get(chapter["status"], chapter["status"]),
        "source": chapter["source"],
        "filed": {"at": moment(filed["at"]), **filed["by"]} if record["filed"] else None,
        "printed": {"at": moment(filed["at"]), **filed["by"]},
        "attestation": snapshot["attestation"],
        "approved": {"at": moment(approved["at"]), "day": day(approved["at"]), **approved["by"]} if approved else None,
        "in_force": _in_force(record.get("in_force")) if approved else "",
        "made_at": (approved or filed)["at"],
        "configurations": configurations,
        "common": common,
        "passed": bool(runs) and all(run["passed"] for run in runs.values()),
        "nothing_to_deal": bool(runs)
        and not any(run["analysis"] and run["analysis"]["wagers"] for run in runs.values()),
        "rounds": f"{sum(run['rounds'] for run in runs.values()):,}",
        "attachments": [_attachment(snapshot, row) for row in snapshot["attachments"]],
        "readings": _once(row for each in snapshot["configurations"] for row in each["readings"]),
        "decisions": [_decision(row) for row in record["decisions"]],
        "sha256": record["snapshot_sha256"],
        "short": record["snapshot_sha256"][:12],
        "rules_digest": snapshot["rules_digest"],
        "engine": snapshot["engine"],
        "demo": record["demo"],
        "verify_at": record["verify_at"],
        "qr": qr(record["verify_at"]) if record["verify_at"] else "",
    }


def _in_force(version: Shown | None) -> str:
    """ "From March 1, 2026, in the place of RS-2026-00001-R1"; "" for what is not approved."""
    if not version:
        return ""
    place = f", in the place of {version['supersedes']}" if version["supersedes"] else ""
    return f"From {day(version['from_day'])}{place}"


def moment(iso: str) -> str:
    """November 20, 2026, 9:14 a.m. EST: Pennsylvania's time, as frozen."""
    at = datetime.fromisoformat(iso)
    zone = {"-0500": "EST", "-0400": "EDT"}.get(at.strftime("%z"), at.strftime("UTC%z"))
    return f"{day(iso)}, {format_date(at, 'g:i a')} {zone}"


def day(iso: str) -> str:
    return format_date(datetime.fromisoformat(iso), "F j, Y")


def qr(address: str) -> SafeString:
    """The address as a QR code, an SVG in a data: address."""
    return SafeString(segno.make(address, error="m", micro=False).svg_data_uri(border=0, scale=4, dark="#1b1b1b"))


def _configuration(snapshot: Shown, place: int, runs: Mapping[int, Shown]) -> Shown:
    """One configuration whole; where an earlier one has the same answers, its evidence (`evidence_as`: the key)."""
    row, several = snapshot["configurations"][place], len(snapshot["configurations"]) > 1
    tested = evidence_place(snapshot["configurations"], place)
    run, tables = runs.get(tested), [_paytable(table) for table in row["paytables"]]
    where = tables_in_words(row["tables"], row.get("pit", "")) if row["tables"] else ""
    return {
        "key": f"c{place}",
        "name": row["name"] if several else "",
        "where": where,
        "heading": f"{row['name']}{f': {where}' if where else ''}" if several else "",
        "tables": row["tables"] or "all tables",
        "groups": [
            {"name": name, "lines": [_line(snapshot, line) for line in lines]}
            for name, lines in groupby(row["lines"], key=lambda line: line["group"])
        ],
        "tables_in_use": tables,
        "paytables": in_pairs(tables),
        "evidence": evidence(row, run, key=f"c{tested}") if run and run["analysis"] and run["result"] else None,
        "evidence_as": "" if tested == place else f"c{tested}",
        "evidence_of": f"“{snapshot['configurations'][tested]['name']}”" if tested else "all other tables",
        "layout": row["layout"],
        "findings": [finding for finding in row["findings"] if finding["severity"] != "blocking"],
        "blocking": [finding for finding in row["findings"] if finding["severity"] == "blocking"],
        "house_way": row["house_way"],
        "house_ways": [row["house_way"]] if row["house_way"] else [],
    }


def _line(snapshot: Shown, line: Shown) -> Shown:
    """The section without the chapter's number, as the official form prints it; an empty answer said in words."""
    section = line["citation"].removeprefix(f"§ {snapshot['chapter']['number']}")
    return {**line, "section": section, "answer": line["answer"] or "Not answered"}


def _paytable(table: Shown) -> Shown:
    envy = any(table["envy"])
    columns = [*(table["columns"] or ["Pay"]), *(["Envy bonus"] if envy else [])]
    rows = [
        [*cells, *([extra or "–"] if envy else [])] for cells, extra in zip(table["rows"], table["envy"], strict=True)
    ]
    return {**table, "columns": columns, "rows": rows, "wide": len(columns) > WIDE}


def in_pairs(tables: list[Shown]) -> list[list[Shown]]:
    """In rows of two where both are narrow, in their order."""
    rows: list[list[Shown]] = []
    for table in tables:
        if rows and len(rows[-1]) == 1 and not table["wide"] and not rows[-1][0]["wide"]:
            rows[-1].append(table)
        else:
            rows.append([table])
    return rows


def _decision(row: Shown) -> Shown:
    return {"label": row["label"], "at": moment(row["at"]), "day": day(row["at"]), "reason": row["reason"], **row["by"]}


def _attachment(snapshot: Shown, row: Shown) -> Shown:
    """With the question that it answers, and its size in words."""
    lines = (line for each in snapshot["configurations"] for line in each["lines"])
    question = next((line["question"] for line in lines if line["key"] == row["option"]), row["option"])
    where = ", ".join(_named_by(snapshot["configurations"], row))
    return {
        **row,
        "question": f"{question} ({where})" if where else question,
        "kilobytes": f"{-(-row['size'] // 1000):,} kB",
    }


def _named_by(configurations: list[Shown], row: Shown) -> list[str]:
    """The groups that gave this file, where not all of them did."""
    given = [one["answers"].get(row["option"]) or {} for one in configurations]
    names = [
        one["name"] for one, file in zip(configurations, given, strict=True) if file.get("sha256") == row["sha256"]
    ]
    return names if len(names) < len(configurations) else []


def _once(readings: Any) -> list[Shown]:
    return list({reading["id"]: reading for reading in readings}.values())
