"""The record in a signed PDF of a Rules Submission, read as what its figures and rounds were made from.

Two files are attached to the PDF: the record (its shape: `submissions.documents.document_record`) and the chapter:

    format, number
    rules_on         the day by whose rules the filing was judged
    files            the chapter's data files on that day, rulemakings included: name → text (`rules.dated_files`)

Documents that were signed before this have only the record. The seal is not verified here. Nothing is trusted: a part
that cannot be read is a `NotARecord`. Not here: computing and dealing again (`reproduction`).
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from io import BytesIO
from typing import Any

import pikepdf

from games.rules.dated_files import ATTACHED_END
from games.rules.model import Answers
from games.runs.engine import MOST_BLOCK_ROUNDS, MOST_ROUNDS
from games.streams import SEED_LIMIT

RECORD_END = ".json"  # of the attachment's name, which is the receipt
FORMAT = 1
ISO_DAY = len("2026-11-30")
Data = Mapping[str, Any]


class NotARecord(Exception):
    """The file has no record of an approved Rules Submission, or one that cannot be read; the message says what."""


@dataclass(frozen=True, slots=True)
class FiledRun:
    """The evidence of one configuration, as it was filed."""

    configuration: int  # its place in the filing
    name: str
    answers: Answers
    seed: int
    rounds: int
    block_rounds: int
    retest_rounds: int | None  # of the second stage; None without one
    analysis: Data
    result: Data

    @property
    def all_rounds(self) -> int:
        return self.rounds + (self.retest_rounds or 0)


@dataclass(frozen=True, slots=True)
class FiledRecord:
    """The record and the chapter of one PDF."""

    receipt: str
    number: str  # of the chapter
    title: str
    rules_on: date
    rules_digest: str
    engine: str
    verify_at: str  # the address where the portal verifies the PDF
    runs: tuple[FiledRun, ...]
    without_run: tuple[str, ...]  # configurations whose evidence the record lacks
    files: Mapping[str, str] | None  # of the chapter; None where the PDF carries none
    attached: Mapping[str, str]  # attachment → SHA-256 of its bytes


def read_filed_record(content: bytes) -> FiledRecord:
    """Return what a PDF carries."""
    attached = _attachments(content)
    records = [name for name in attached if name.endswith(RECORD_END) and not name.endswith(ATTACHED_END)]
    chapters = [name for name in attached if name.endswith(ATTACHED_END)]
    if len(records) != 1 or len(chapters) > 1:
        raise NotARecord(f"carries {len(records)} records and {len(chapters)} chapters")
    record = _object(records[0], attached[records[0]])
    if "snapshot" not in record:
        raise NotARecord("is not the document of a Rules Submission, but another paper of the portal")
    if not record.get("simulations"):
        raise NotARecord("has no evidence: it is a draft, or its filing was not simulated")
    try:
        return _read_record(
            record,
            files=_files(_object(chapters[0], attached[chapters[0]])) if chapters else None,
            attached={name: hashlib.sha256(attached[name]).hexdigest() for name in (*records, *chapters)},
        )
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise NotARecord(f"carries {records[0]}, which cannot be read ({type(error).__name__}: {error})") from None


def _attachments(content: bytes) -> dict[str, bytes]:
    try:
        with pikepdf.open(BytesIO(content)) as pdf:
            return {name: pdf.attachments[name].get_file().read_bytes() for name in pdf.attachments}
    except Exception:  # a damaged file may break the parser anywhere
        raise NotARecord("cannot be read as a PDF") from None


def _object(name: str, content: bytes) -> dict[str, Any]:
    try:
        data = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise NotARecord(f"carries {name}, which is not JSON ({error})") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise NotARecord(f"carries {name}, whose `format` is not {FORMAT}: another version of this program reads it")
    return data


def _read_record(record: Data, files: Mapping[str, str] | None, attached: Mapping[str, str]) -> FiledRecord:
    snapshot = record["snapshot"]
    configurations = snapshot["configurations"]
    runs = tuple(_run(row, configurations) for row in record["simulations"])
    dealt = {run.configuration for run in runs}
    evidence = {place: row.get("evidence_as", place) for place, row in enumerate(configurations)}
    rules_on = snapshot.get("rules_on") or snapshot["filed"]["at"][:ISO_DAY]  # older ones name only the second
    return FiledRecord(
        receipt=str(snapshot["receipt"]),
        number=str(snapshot["chapter"]["number"]),
        title=str(snapshot["chapter"]["title"]),
        rules_on=date.fromisoformat(rules_on),
        rules_digest=str(snapshot["rules_digest"]),
        engine=str(snapshot["engine"]),
        verify_at=str(record["verify_at"]),
        runs=runs,
        without_run=tuple(configurations[place]["name"] for place, of in evidence.items() if of not in dealt),
        files=files,
        attached=attached,
    )


def _run(row: Data, configurations: list[Data]) -> FiledRun:
    configuration = configurations[row["configuration"]]
    run = FiledRun(
        configuration=row["configuration"],
        name=str(configuration["name"]),
        answers=configuration["answers"],
        seed=row["seed"],
        rounds=row["rounds"],
        block_rounds=row["block_rounds"],
        retest_rounds=row["retest_rounds"],
        analysis=row["analysis"],
        result=row["result"],
    )
    _refuse_outside("seed", run.seed, 0, SEED_LIMIT - 1)
    _refuse_outside("rounds", run.rounds, 1, MOST_ROUNDS)
    _refuse_outside("block_rounds", run.block_rounds, 1, MOST_BLOCK_ROUNDS)
    if run.retest_rounds is not None:
        _refuse_outside("retest_rounds", run.retest_rounds, 1, MOST_ROUNDS)
    return run


def _refuse_outside(name: str, value: int, least: int, most: int) -> None:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{name} {value!r}: allowed are {least:,} to {most:,}")


def _files(chapter: Data) -> dict[str, str]:
    return {str(name): str(text) for name, text in chapter["files"].items()}
