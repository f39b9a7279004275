"""What a document says of the Board's orders: the conditions of the approval, and the findings that are waived."""

from datetime import date

from submissions.core.dates import date_text
from submissions.core.table_ranges import tables_as_text
from submissions.documents.document_record import DocumentRecord, Fields


def condition_rows(record: DocumentRecord) -> list[Fields]:
    """Each condition with its tables and its days as text."""
    return [
        {
            **row,
            "where": tables_as_text(row["tables"]) if row["tables"] else "all tables",
            "days": f"From {_day(row['first_day'])}, {_until(row)}",
        }
        for row in record.get("conditions", ())
    ]


def findings_of(row: Fields, *, blocking: bool) -> list[Fields]:
    """The findings of a configuration that block, or the others; the waiver of one with its end as text."""
    return [
        finding | {"waiver": {**finding["waiver"], "until": _until(finding["waiver"])}}
        if "waiver" in finding
        else finding
        for finding in row["findings"]
        if (finding["severity"] == "blocking") == blocking
    ]


def _until(row: Fields) -> str:
    """ "until March 1, 2026"; "until it is ended"."""
    return f"until {_day(row['last_day'])}" if row["last_day"] else "until it is ended"


def _day(iso: str) -> str:
    return date_text(date.fromisoformat(iso))
