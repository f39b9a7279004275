"""The content that a filing freezes: all that was said, and all it was judged by, in one canonical JSON.

The shape (format 1), all of it plain JSON:

    format, receipt, submission, revision
    licensee        {name, slug}
    chapter         {number, title, status, source}
    rules_on        the day by whose rules it is judged; older snapshots: the day of `filed`
    takes_effect    the planned effective day; null: as soon as it is approved. Older snapshots have none
    rules_digest, engine
    filed           {at (ISO, Pennsylvania's time), by {name, role}}
    attestation
    configurations  [{name, tables, pit, group, evidence_as, answers {key: answer},
                      lines [{key, citation, group, question, basis, answer, as_printed, cited_as_printed,
                      lists_tables}],
                      findings [{rule, severity, options, message, fix, citation,
                      waiver {number, docket, citation, text, first_day, last_day} (only where one covers it)}],
                      offered [wager key],
                      wagers [{key, name, citation, size, required}] (those offered),
                      paytables [{wager, wager_name, name, citation, columns, rows [[outcome, pay, …]], envy [str],
                      facts [[word, value]]}], layout [{key, citation, element, kind, wording}],
                      readings [{id, citation, printed, reading, evidence}],
                      house_way {name, rules [[when, set]]} | null}]
    attachments     [{option, name, sha256, size, media_type}]

A configuration's place in this list, its `group` and `evidence_as` are explained in `core.configurations`.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from games.rules.evaluate import effective
from games.rules.model import Answers, Chapter, Judgment, Paytable
from games.rules.phrases import in_words, with_required_parts
from submissions.core.digests import canonical_json
from submissions.core.errors import Refusal
from submissions.filings.judging import judge_draft
from submissions.filings.orders.waived_findings import waiver_member
from submissions.models import Attachment, Configuration, Person, Revision, Submission
from submissions.permissions import role_title
from submissions.rules import rules_day

FORMAT = 1
JsonObject = dict[str, Any]


def build_snapshot(
    submission: Submission, chapter: Chapter, *, number: int, by: Person, at: datetime, attestation: str, engine: str
) -> JsonObject:
    """Return the content of revision `number`, filed by `by` at `at`; `chapter` as on `rules_day(submission)`."""
    return {
        "format": FORMAT,
        "receipt": receipt_number(submission, number),
        "submission": submission.number,
        "revision": number,
        "licensee": _fields(submission.organization, "name", "slug"),
        "chapter": _fields(chapter, "number", "title", "status", "source"),
        "rules_on": rules_day(submission).isoformat(),
        "takes_effect": submission.takes_effect.isoformat() if submission.takes_effect else None,
        "rules_digest": chapter.digest,
        "engine": engine,
        "filed": {"at": timezone.localtime(at).isoformat(), "by": {"name": by.name, "role": role_title(by)}},
        "attestation": attestation,
        "configurations": _configurations(submission, chapter),
        "attachments": _attachments(submission),
    }


def receipt_number(submission: Submission, number: int) -> str:
    return f"{submission.number}-R{number}"


def refuse_damaged(revision: Revision) -> None:
    """Refuse a filing whose bytes are no longer those frozen: it is neither decided upon nor printed."""
    sha256 = hashlib.sha256(revision.snapshot.encode()).hexdigest()
    if sha256 != revision.sha256:
        raise Refusal("snapshot-damaged", receipt=revision.receipt, found=sha256, sha256=revision.sha256)


def _fields(source: object, *names: str) -> JsonObject:
    return {name: getattr(source, name) for name in names}


def _configurations(submission: Submission, chapter: Chapter) -> list[JsonObject]:
    rows = list(submission.configurations.all())
    configurations = [_configuration(chapter, row, rows) for row in rows]
    places: dict[str, int] = {}
    for place, configuration in enumerate(configurations):
        configuration["evidence_as"] = places.setdefault(_figures_hang_on(chapter, configuration["answers"]), place)
    return configurations


def _figures_hang_on(chapter: Chapter, answers: Answers) -> str:
    """Return all that can change a figure, as one text: all answers except files and lists of tables."""
    silent = {
        option.key for option in chapter.options if option.kind == "attachment" or option.limits.format == "tables"
    }
    return canonical_json({key: answer for key, answer in answers.items() if key not in silent})


def _configuration(chapter: Chapter, row: Configuration, rows: Sequence[Configuration]) -> JsonObject:
    answers = effective(chapter, row.answers)
    judgment = judge_draft(chapter, row, rows, answers)
    return {
        "name": row.display_name(several=len(rows) > 1),
        "tables": row.tables,
        "pit": row.pit,
        "group": row.position,
        "answers": dict(answers),
        "lines": snapshot_lines(chapter, answers, judgment),
        "findings": [
            _fields(finding, "rule", "severity", "message", "fix", "citation")
            | {"options": list(finding.options)}
            | waiver_member(finding)
            for finding in judgment.findings
        ],
        "offered": list(judgment.offered),
        "wagers": [_wager(chapter, key) for key in judgment.offered],
        "paytables": [_paytable(chapter, chapter.paytable(wager, name)) for wager, name in judgment.paytables.items()],
        "layout": [_fields(element, "key", "citation", "element", "kind", "wording") for element in judgment.layout],
        "readings": [
            _fields(reading, "id", "citation", "printed", "reading", "evidence") for reading in judgment.readings
        ],
        "house_way": _house_way(chapter, answers),
    }


def _wager(chapter: Chapter, key: str) -> JsonObject:
    wager = chapter.wager(key)
    return _fields(wager, "key", "citation", "size", "required") | {"name": with_required_parts(chapter, key)}


def snapshot_lines(chapter: Chapter, answers: Answers, judgment: Judgment) -> list[JsonObject]:
    """Return the lines asked, in the form's order, with their answers in words."""
    asked_keys = set(judgment.asked_keys)
    return [
        _fields(option, "key", "citation", "group", "question", "basis", "as_printed", "cited_as_printed")
        | {
            "answer": in_words(chapter, option, answers.get(option.key)),
            "lists_tables": option.limits.format == "tables",
        }
        for option in chapter.options
        if option.key in asked_keys
    ]


def _paytable(chapter: Chapter, table: Paytable) -> JsonObject:
    return _fields(table, "wager", "name", "citation") | {
        "wager_name": chapter.wager(table.wager).name,
        "columns": list(table.columns),
        "rows": [[row.outcome, *(str(pay) for pay in row.pays)] for row in table.rows],
        "envy": [f"${row.envy:,}" if row.envy is not None else "" for row in table.rows],
        "facts": paytable_facts(table),
    }


def paytable_facts(table: Paytable) -> list[list[str]]:
    """Return what is printed around a table: the bet, the seed, the rate, what becomes of the wager."""
    printed = [
        ["Wager", f"${table.wager_amount:,}" if table.wager_amount is not None else ""],
        ["Meter seed", f"${table.seed:,}" if table.seed is not None else ""],
        ["Rate of progression", f"{float(table.rate * 100):g}%" if table.rate is not None else ""],
        ["Reserve rate", f"{float(table.reserve * 100):g}%" if table.reserve is not None else ""],
        ["Original wager", {None: "", True: "returned", False: "not returned"}[table.wager_returned]],
        ["Joker", "fully wild" if table.fully_wild_joker else ""],
    ]
    return [[word, value] for word, value in printed if value]


def _house_way(chapter: Chapter, answers: Answers) -> JsonObject | None:
    """Return the house way chosen; where the chapter itself lays down the only one, that one."""
    is_asked = any(option.key == "house_way" for option in chapter.options)
    for way in chapter.house_ways:
        if way.key == answers.get("house_way") or not is_asked:
            return {"name": way.name, "rules": [list(rule) for rule in way.rules]}
    return None


def _attachments(submission: Submission) -> list[JsonObject]:
    """Return every file that a line of some configuration names, once for a line."""
    answers = [row.answers for row in submission.configurations.all()]
    files = named_files(submission.attachments.select_related("stored"), answers)
    return [_fields(file, "option", "name") | _fields(file.stored, "sha256", "size", "media_type") for file in files]


def named_files(files: QuerySet[Attachment], answers: Iterable[Answers]) -> list[Attachment]:
    """Return, of a submission's files, the latest one that each answer to a line names."""
    named = {(key, file["sha256"]) for each in answers for key, file in each.items() if isinstance(file, Mapping)}
    latest = {(file.option, file.stored_id): file for file in reversed(files)}
    return [file for place, file in latest.items() if place in named]
