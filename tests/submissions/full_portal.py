"""A portal in use: 17 licensees, every game, ten filings of each, with what a life of years leaves behind.

Each licensee has amended each game four times: every submission was returned once, filed again and approved, the last
one is still under way. Written as rows, for speed; filings and their index are made by the portal's own functions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any

from django.db import connection, connections, models
from django.utils import timezone

from games.registry import chapters
from games.rules.model import Chapter
from games.runs.engine import ENGINE
from submissions.audit.chain import GENESIS, link_of, move_tip, seal_event
from submissions.core.digests import canonical_json
from submissions.filings.answer_values import answer_rows
from submissions.filings.filing import ATTESTATION
from submissions.filings.snapshot import build_snapshot
from submissions.models import (
    AccessRecord,
    Configuration,
    Decision,
    Document,
    Event,
    IndexedAnswer,
    Job,
    Notice,
    Order,
    Organization,
    Person,
    Remark,
    Revision,
    Role,
    Rulemaking,
    RulemakingChange,
    Simulation,
    Status,
    StoredFile,
    Submission,
    Tip,
    Version,
)
from submissions.security_log.records import address_order
from tests.games.chapters.examples import example
from tests.submissions.full_portal_span import FIRST_DAY, YEARS, Span
from tests.submissions.table_list.lists import table_entries

LICENSEES, RULEMAKINGS = 17, 60
ACCESS_RECORDS, ACCESS_COPIES = 2_000, 9
UNDER_WAY = (Status.FILED, Status.RECOMMENDED, Status.RETURNED, Status.REJECTED, Status.FILED)
NUMBER, RECEIPT, LICENSEE = "RS-0000-00000", "RS-0000-00000-R1", "Casino Number Nought"


@dataclass(frozen=True, slots=True)
class People:
    analyst: Person
    director: Person
    managers: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """One way of answering a chapter's checklist, frozen under names that are replaced."""

    text: str
    rows: tuple[tuple[int, str, str], ...]
    analysis: dict[str, Any]


def build(span: Span = YEARS) -> People:
    """Every row, inside the caller's transaction."""
    people = _people()
    variants = {chapter.number: _variants(chapter, people.managers[0]) for chapter in chapters()}
    submissions = _keep(list(_submissions(people, span)))
    revisions = _keep([one for row in submissions for one in _revisions(row, variants[row.chapter], span)])
    of_texts = {one.pk: _variant(one.submission, variants[one.submission.chapter], span) for one in revisions}
    _index(revisions, of_texts)
    _insert([_simulation(one, of_texts[one.pk]) for one in revisions])
    decisions = _keep([row for one in revisions for row in _decisions(one, people)])
    approvals = [row for row in decisions if row.kind == Decision.Kind.APPROVE]
    _insert([_version(row) for row in approvals])
    _keep(list(_orders(people)))
    _keep(list(table_entries(people.managers, FIRST_DAY)))
    _insert([_file(row) for row in approvals])
    _insert([_document(row) for row in approvals])
    _insert([_remark(row) for row in decisions if row.kind == Decision.Kind.RETURN])
    _insert([_job(Job.Kind.SIMULATE, key) for key in Simulation.objects.values_list("pk", flat=True)])
    _insert([_job(Job.Kind.DOCUMENT, row.revision_id) for row in approvals])
    events = list(_events(revisions, decisions))
    _insert(events)
    tip = Tip()
    move_tip(tip, events[-1])
    tip.save()
    _insert([_notice(event, people) for event in events])
    _insert(list(_access_records(people)))
    _copy_access_records()
    rulemakings = _keep([_rulemaking(number, people) for number in range(1, RULEMAKINGS + 1)])
    _keep([RulemakingChange(rulemaking=row, chapter="687a", effective=FIRST_DAY, text="") for row in rulemakings])
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # as its own housekeeping would have done by then
    return people


def _rulemaking(number: int, people: People) -> Rulemaking:
    """A draft: it changes no rule."""
    by = {"created_by": people.analyst, "written_by": people.analyst}
    now = timezone.now()
    return Rulemaking(number=f"RM-2026-{number:05}", title="Odds", source="Draft", created_at=now, written_at=now, **by)


def _keep(rows: list[Any]) -> list[Any]:
    """Write the rows; each has its key afterwards."""
    type(rows[0]).objects.bulk_create(rows, batch_size=2_000)
    return rows


def _insert(rows: list[models.Model]) -> None:
    """Write rows whose keys are not needed or set already, faster than `bulk_create` does."""
    fields = [field for field in rows[0]._meta.concrete_fields if not isinstance(field, models.AutoField)]
    database = connections["default"]  # `connection` looks it up at each use
    values = [
        tuple(field.get_db_prep_save(field.pre_save(row, add=True), database) for field in fields) for row in rows
    ]
    _execute(type(rows[0]), [field.column for field in fields], values)


def _execute(model: type[models.Model], columns: list[str], values: list[tuple[object, ...]]) -> None:
    names, places = ", ".join(columns), ", ".join(["%s"] * len(columns))
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {model._meta.db_table} ({names}) VALUES ({places})", values)  # noqa: S608


def _access_records(people: People) -> Iterator[AccessRecord]:
    """The security log of two weeks; `_copy_access_records` writes the others of each moment."""
    kinds, outcomes = AccessRecord.Kind.values, AccessRecord.Outcome
    for number in range(ACCESS_RECORDS):
        manager, kind = people.managers[number % LICENSEES], kinds[number % len(kinds)]
        yield AccessRecord(
            reference=f"{number:032x}",
            at=timezone.now() - timedelta(minutes=10 * (ACCESS_RECORDS - number)),
            kind=kind,
            outcome=outcomes.FAILURE if kind == AccessRecord.Kind.KEY_REFUSED else outcomes.SUCCESS,
            person=manager,
            organization=manager.organization,
            address=f"10.0.{number % 250}.7",
            address_order=address_order(f"10.0.{number % 250}.7"),
        )


def _copy_access_records() -> None:
    """Each copy differs in the first digit of its reference."""
    table = AccessRecord._meta
    names = ", ".join(field.column for field in table.concrete_fields if field.name not in ("id", "reference"))
    with connection.cursor() as cursor:
        for copy in range(1, ACCESS_COPIES + 1):
            cursor.execute(
                f"INSERT INTO {table.db_table} (reference, {names}) SELECT %s || substr(reference, 2), {names} "  # noqa: S608
                f"FROM {table.db_table} WHERE reference LIKE '0%%'",
                [str(copy)],
            )


def _index(revisions: list[Revision], variants: dict[int, Variant]) -> None:
    """The rows of `filings.answer_values`, without an object for each."""
    columns = [IndexedAnswer._meta.get_field(name).column for name in ("revision", "configuration", "option", "value")]
    _execute(IndexedAnswer, columns, [(one.pk, *row) for one in revisions for row in variants[one.pk].rows])


def _people() -> People:
    board = Organization.objects.create(kind="regulator", name="Gaming Control Board", slug="board")
    casinos = _keep(
        [Organization(kind="licensee", name=f"Casino {n:02}", slug=f"casino-{n:02}") for n in range(LICENSEES)]
    )
    managers = [
        _person(casino, Role.MANAGER, f"Manager {place:02}", f"manager@{casino.slug}.example.test")
        for place, casino in enumerate(casinos)
    ]
    return People(
        _person(board, Role.ANALYST, "Analyst One", "analyst@board.example.test"),
        _person(board, Role.DIRECTOR, "Director One", "director@board.example.test"),
        tuple(managers),
    )


def _person(organization: Organization, role: Role, name: str, email: str) -> Person:
    return Person.objects.create(
        email=email, name=name, organization=organization, role=role, password="!", administrator=True
    )


def _variants(chapter: Chapter, by: Person) -> list[Variant]:
    """The chapter's example, and the same with the other paytables there are."""
    answers = example(chapter.number)
    found = []
    for place in range(3):
        chosen = {
            option.key: tables[place % len(tables)]
            for option in chapter.options
            if option.kind == "paytable"
            and option.key in answers
            and (tables := sorted({table.name for table in chapter.tables_of(option.wager)}))
        }
        found.append(_variant_of(chapter, {**answers, **(chosen if place else {})}, by))
    return found


def _variant_of(chapter: Chapter, answers: dict[str, Any], by: Person) -> Variant:
    casino = Organization(kind="licensee", name=LICENSEE, slug="nought")
    submission = Submission(number=NUMBER, organization=by.organization, chapter=chapter.number, created_by=by)
    submission.save()
    Configuration.objects.create(submission=submission, answers=answers)
    submission.organization = casino
    at = _morning(FIRST_DAY)
    content = build_snapshot(submission, chapter, number=1, by=by, at=at, attestation=ATTESTATION, engine=ENGINE)
    Submission.objects.filter(pk=submission.pk).delete()
    return Variant(canonical_json(content), tuple(answer_rows(content)), _analysis(content))


def _analysis(content: dict[str, Any]) -> dict[str, Any]:
    """As large as real ones are, with a hold that follows from the paytables in use."""
    configuration = content["configurations"][0]
    tables = {table["wager"]: table["name"] for table in configuration["paytables"]}
    outcome = {"outcome": "Three-of-a-kind", "probability": "12/345", "net": "3", "wagered": "1", "pays": "3 to 1"}
    return {
        "wagers": [
            {
                "wager": wager["key"],
                "paytable": tables.get(wager["key"], ""),
                "spot": "",
                "method": "exact",
                "hold_pct": 1 + int(hashlib.sha256(str(tables).encode()).hexdigest()[:4], 16) / 10_000,
                "outcomes": [outcome] * 30,
            }
            for wager in configuration["wagers"]
        ]
    }


def _submissions(people: People, span: Span) -> Iterator[Submission]:
    place = 0
    for casino, manager in enumerate(people.managers):
        for game, chapter in enumerate(chapters()):
            for amendment in range(span.amendments):
                last = amendment == span.amendments - 1
                year = span.day(amendment).year
                place += 1
                yield Submission(
                    number=f"RS-{year}-{place:05}",
                    organization=manager.organization,
                    chapter=chapter.number,
                    status=UNDER_WAY[(casino + game) % len(UNDER_WAY)] if last else Status.APPROVED,
                    version=6,
                    created_by=manager,
                )


def _place(submission: Submission) -> int:
    return int(submission.number[-5:]) - 1


def _morning(day: date) -> datetime:
    return timezone.make_aware(datetime(day.year, day.month, day.day, 9, 30))


@cache
def _games() -> int:
    return len(chapters())


def _variant(submission: Submission, variants: list[Variant], span: Span) -> Variant:
    """Most licensees have the first."""
    casino, game = divmod(_place(submission) // span.amendments, _games())
    return variants[max(0, (casino + game) % 7 - 4)]


def _revisions(submission: Submission, variants: list[Variant], span: Span) -> Iterator[Revision]:
    text, day = _variant(submission, variants, span).text, span.day(_place(submission))
    text = text.replace(LICENSEE, submission.organization.name)
    for number in (1, 2):
        receipt = f"{submission.number}-R{number}"
        frozen = text.replace(RECEIPT, receipt).replace(NUMBER, submission.number)
        yield Revision(
            submission=submission,
            number=number,
            receipt=receipt,
            snapshot=frozen,
            sha256=hashlib.sha256(frozen.encode()).hexdigest(),
            rules_digest="0" * 64,
            engine=ENGINE,
            attestation=ATTESTATION,
            filed_by=submission.created_by,
            filed_at=_morning(day + timedelta(days=10 * number)),
        )


def _simulation(revision: Revision, variant: Variant) -> Simulation:
    return Simulation(
        revision=revision,
        seed=1,
        rounds=1_000_000,
        block_rounds=100_000,
        analysis=variant.analysis,
        passed=True,
        finished_at=revision.filed_at,
    )


def _decisions(revision: Revision, people: People) -> Iterator[Decision]:
    """The first filing was returned; the second went as far as the submission has come."""
    status = revision.submission.status
    kinds: list[tuple[Decision.Kind, Person]] = []
    if revision.number == 1:
        kinds = [(Decision.Kind.RETURN, people.analyst)]
    elif status in (Status.RECOMMENDED, Status.APPROVED, Status.REJECTED):
        kinds = [(Decision.Kind.RECOMMEND, people.analyst)]
    if revision.number == 2 and status == Status.APPROVED:
        kinds.append((Decision.Kind.APPROVE, people.director))
    if revision.number == 2 and status == Status.REJECTED:
        kinds.append((Decision.Kind.REJECT, people.director))
    if revision.number == 2 and status == Status.RETURNED:
        kinds.append((Decision.Kind.RETURN, people.analyst))
    for place, (kind, by) in enumerate(kinds, 1):
        at = revision.filed_at + timedelta(days=place)
        yield Decision(revision=revision, kind=kind, by=by, at=at, reason="As discussed.")


def _version(approval: Decision) -> Version:
    submission = approval.revision.submission
    return Version(
        organization=submission.organization,
        chapter=submission.chapter,
        from_day=timezone.localdate(approval.at),
        revision=approval.revision,
        by=approval.by,
        made_at=approval.at,
    )


def _orders(people: People) -> Iterator[Order]:
    """A waiver of each game for each casino, of which some end soon; a decision on every other temporary chapter."""
    today, now = timezone.localdate(), timezone.now()
    scopes = [(manager.organization, chapter) for manager in people.managers for chapter in chapters()]
    decided = [chapter for chapter in chapters() if chapter.status == "temporary"][::2]
    for place, (casino, chapter) in enumerate([*scopes, *((None, chapter) for chapter in decided)]):
        yield Order(
            number=f"BO-2026-{place:05}",
            kind="waiver" if casino else "order",
            citation=f"§ {chapter.number}.1",
            organization=casino,
            all_licensees=casino is None,
            chapter=chapter.number,
            chapter_effect="" if casino else "ends",
            first_day=today,
            last_day=today + timedelta(days=20 if place % 10 == 0 else 400),
            text="It is not needed.",
            by=people.director,
            at=now,
        )


def _paper(approval: Decision) -> bytes:
    return f"%PDF-1.7 of {approval.revision.receipt}".encode()


def _file(approval: Decision) -> StoredFile:
    content = _paper(approval)
    digest = hashlib.sha256(content).hexdigest()
    return StoredFile(sha256=digest, media_type="application/pdf", size=len(content), content=content)


def _document(approval: Decision) -> Document:
    return Document(
        revision=approval.revision,
        unsigned_sha256="0" * 64,
        signed_id=hashlib.sha256(_paper(approval)).hexdigest(),
        pages=9,
        signer="Demo",
        signed_at=approval.at,
        verification={},
        demo=True,
    )


def _remark(returned: Decision) -> Remark:
    """The question of a return: resolved, unless the licensee still has it."""
    is_open = returned.revision.number == 2
    return Remark(
        revision=returned.revision,
        audience=Remark.Audience.LICENSEE,
        text="Which shuffler is used?",
        by=returned.by,
        at=returned.at,
        shown_with=returned,
        state=Remark.State.OPEN if is_open else Remark.State.RESOLVED,
    )


def _job(kind: Job.Kind, subject: int) -> Job:
    return Job(kind=kind, subject=subject, state=Job.State.DONE, not_before=timezone.now())


def _events(revisions: list[Revision], decisions: list[Decision]) -> Iterator[Event]:
    """The chain over every filing and decision."""
    verbs = {"return": "returned", "recommend": "recommended", "approve": "approved", "reject": "rejected"}
    steps: list[tuple[datetime, Person, Submission, str]] = [
        (one.filed_at, one.filed_by, one.submission, "filed") for one in revisions
    ] + [(one.at, one.by, one.revision.submission, verbs[one.kind]) for one in decisions]
    link = GENESIS  # sealed with the time as the database returns it
    for sequence, (at, actor, submission, verb) in enumerate(sorted(steps, key=lambda one: one[0]), 1):
        event = Event(
            sequence=sequence, at=at.astimezone(UTC), actor=actor, organization=submission.organization,
            submission=submission, verb=verb,
        )  # fmt: skip
        seal_event(event, link)
        link = link_of(event.digest, event.mac)
        yield event


def _notice(event: Event, people: People) -> Notice:
    """The Board is steps of filings, the licensee of decisions."""
    person: models.Model = people.analyst if event.verb == "filed" else event.submission.created_by
    return Notice(
        person=person, event=event, submission=event.submission, words=f"{event.submission} {event.verb}", at=event.at
    )
