"""The event table changed through SQL, a thousand times at random, with the triggers lifted: each one is found.

And without lifting them: neither the ORM nor SQL changes or deletes what was written once.
"""

# ruff: noqa: S608  the names of the columns are ours
from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from submissions.audit import chain
from submissions.audit.chain import GENESIS, link_of, seal_event
from submissions.audit.record import record_event
from submissions.core import append_only
from submissions.filings import drafts
from submissions.models import Event, Person, Submission

pytestmark = pytest.mark.service("triggers")

EVENTS, TAMPERS = 24, 1_000
TEXTS = ("verb", "reason", "previous", "digest", "rows", "mac")
NUMBERS = ("actor_id", "organization_id", "submission_id")
COLUMNS = (*TEXTS, *NUMBERS, "at", "before", "after")
CONTENT = tuple(name for name in COLUMNS if name not in ("previous", "digest", "mac"))

COLUMN = {field.attname: field.column for field in Event._meta.concrete_fields}

Row = dict[str, Any]


class Tampered(Exception):
    """Undo it."""


@pytest.fixture
def written(preparer: Person, manager: Person) -> list[Row]:
    """A history of two submissions and two people, and its rows as the database holds them."""
    chance = Random(5)
    both = [drafts.start_submission(preparer, "686a") for _ in range(2)]
    while (number := Event.objects.count()) < EVENTS:
        with transaction.atomic():
            after = {"discard_rack_equal": bool(number % 2), "list": [number, None, "§ 686a.3"]}
            record_event(chance.choice([preparer, manager, None]), chance.choice(both), "saved", before={}, after=after)
    return list(Event.objects.order_by("sequence").values())


def sql(statement: str, *values: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def stored(name: str, value: object) -> object:
    """A value as this database takes it."""
    if name in ("before", "after"):
        return json.dumps(value)
    if name == "at":
        return connection.ops.adapt_datetimefield_value(value)
    return value


def put(sequence: int, row: Row, names: tuple[str, ...]) -> None:
    columns = ", ".join(f'"{COLUMN[name]}" = %s' for name in names)
    sql(f'UPDATE submissions_event SET {columns} WHERE "sequence" = %s', *(stored(n, row[n]) for n in names), sequence)


def insert(row: Row) -> None:
    names = ("sequence", *COLUMNS)
    columns, places = ", ".join(f'"{COLUMN[name]}"' for name in names), ", ".join("%s" for _ in names)
    sql(f"INSERT INTO submissions_event ({columns}) VALUES ({places})", *(stored(name, row[name]) for name in names))


def sealed(row: Row, *, has_key: bool) -> Row:
    """The row with a digest that fits it, and with the secret key also with its code."""
    event = Event(**row)
    seal_event(event, row["previous"])
    return {**row, "digest": event.digest, "mac": event.mac if has_key else row["mac"]}


def link(row: Row) -> str:
    """Return the link that the next event has of this one."""
    return link_of(row["digest"], row["mac"])


def shift(from_sequence: int, by: int) -> None:
    """Move every later event on, in two steps, so that no two have the same number on the way."""
    far = 10_000
    sql('UPDATE submissions_event SET "sequence" = "sequence" + %s WHERE "sequence" >= %s', far, from_sequence)
    sql('UPDATE submissions_event SET "sequence" = "sequence" - %s WHERE "sequence" >= %s', far - by, far)


def another(chance: Random, name: str, old: Any) -> Any:
    """Another value for this column. PostgreSQL cuts a space behind the last place off, which changes nothing."""
    if name in ("previous", "digest", "mac"):
        place = chance.randrange(64)
        return (
            old[:place] + chance.choice([sign for sign in "0123456789abcdef" if sign != old[place]]) + old[place + 1 :]
        )
    if name in TEXTS:
        return chance.choice([word for word in ("filed", "approved", old + " ", old.upper()) if word != old])
    if name in NUMBERS:
        return None if old is not None and chance.random() < 0.5 else (old or 0) + chance.randint(1, 9)
    if name == "at":
        return old + timedelta(microseconds=chance.choice([-(10**9), -1, 1, 10**6, 10**12]))
    return chance.choice(
        [{}, {**old, "more": 0}, [old], {**old, "discard_rack_equal": None}, "x"] if old else [{"a": 1}, []]
    )


def change(chance: Random, rows: list[Row]) -> int:
    row = chance.choice(rows)
    name = chance.choice(COLUMNS)
    put(row["sequence"], {name: another(chance, name, row[name])}, (name,))
    return int(row["sequence"])


def renumber(chance: Random, rows: list[Row]) -> int:
    """An event under a number that none has: before the first, or behind the last."""
    row, number = chance.choice(rows), chance.choice([0, EVENTS + chance.randint(1, 9)])
    sql('UPDATE submissions_event SET "sequence" = %s WHERE "sequence" = %s', number, row["sequence"])
    return int(min(row["sequence"], number))


def delete(chance: Random, rows: list[Row]) -> int:
    """One event, several in a row, or all to the end."""
    first = chance.randint(1, EVENTS)
    last = chance.choice([first, min(EVENTS, first + 3), EVENTS])
    sql('DELETE FROM submissions_event WHERE "sequence" BETWEEN %s AND %s', first, last)
    return first


def delete_and_close_up(chance: Random, rows: list[Row]) -> int:
    """The gap is closed: what follows has the numbers that are missing."""
    first = chance.randint(1, EVENTS - 1)
    sql('DELETE FROM submissions_event WHERE "sequence" = %s', first)
    shift(first + 1, -1)
    return first


def insert_somewhere(chance: Random, rows: list[Row]) -> int:
    """Before, within or behind; sealed by a person who knows how, or just copied."""
    place = chance.randint(1, EVENTS + 1)
    before = link(rows[place - 2]) if place > 1 else GENESIS
    row = {**chance.choice(rows), "sequence": place, "previous": before, "reason": "slipped in"}
    proper = chance.random() < 0.5
    row = sealed(row, has_key=True) if proper else {**row, "digest": f"{chance.getrandbits(256):064x}"}
    shift(place, 1)
    insert(row)
    return place + 1 if proper and place <= EVENTS else place


def swap(chance: Random, rows: list[Row]) -> int:
    """What two events say, with their seals or without."""
    one, other = sorted(chance.sample(rows, 2), key=lambda row: row["sequence"])
    if chance.random() < 0.5:
        put(one["sequence"], other, CONTENT)
        put(other["sequence"], one, CONTENT)
    else:
        put(other["sequence"], {"digest": "x" * 64}, ("digest",))
        put(one["sequence"], other, COLUMNS)
        put(other["sequence"], one, COLUMNS)
    return int(one["sequence"])


def rewrite(chance: Random, rows: list[Row]) -> int:
    """One event changed, and every later one sealed anew; by someone who has the secret key: only the end tells."""
    start, has_key = chance.randint(1, EVENTS), chance.random() < 0.5
    previous = rows[start - 1]["previous"]
    for row in rows[start - 1 :]:
        reason = "never so" if row["sequence"] == start else row["reason"]
        written = sealed({**row, "previous": previous, "reason": reason}, has_key=has_key)
        put(row["sequence"], written, ("previous", "digest", "reason", "mac"))
        previous = link(written)
    return EVENTS if has_key else start


KINDS: tuple[Callable[[Random, list[Row]], int], ...] = (
    change, change, change, renumber, delete, delete_and_close_up, insert_somewhere, swap, rewrite,
)  # fmt: skip


def test_thousand_tampers_are_found_each_at_its_place(written: list[Row]) -> None:
    assert chain.verify_chain() == (EVENTS, None)
    chance, found, expected = Random(2026), [], []
    append_only.drop(connection, ("submissions_event",))
    try:
        for number in range(TAMPERS):
            kind = chance.choice(KINDS)
            try:
                with transaction.atomic():
                    expected.append((number, kind.__name__, kind(chance, written)))
                    _, broken = chain.verify_chain()
                    found.append((number, kind.__name__, broken.sequence if broken else None))
                    raise Tampered
            except Tampered:
                pass
    finally:
        append_only.create(connection, ("submissions_event",))
    assert found == expected
    assert chain.verify_chain() == (EVENTS, None)  # the tampering was undone, so each was found by itself


@pytest.mark.parametrize(
    ("name", "value"), [("at", "2026-13-45 99:00"), ("at", "soon"), ("after", "{"), ("before", '{"a": NaN}')]
)
def test_event_that_cannot_be_read_is_found_at_its_place(written: list[Row], name: str, value: str) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL takes no value of another kind")
    append_only.drop(connection, ("submissions_event",))
    sql("PRAGMA ignore_check_constraints = ON")
    try:
        sql(f'UPDATE submissions_event SET "{COLUMN.get(name, name)}" = %s WHERE "sequence" = 17', value)
        count, broken = chain.verify_chain()
    finally:
        sql("PRAGMA ignore_check_constraints = OFF")
        append_only.create(connection, ("submissions_event",))
    assert (count, broken and broken.sequence) == (16, 17)


def test_cut_off_end_is_not_grown_over(written: list[Row], preparer: Person) -> None:
    append_only.drop(connection, ("submissions_event",))
    try:
        sql('DELETE FROM submissions_event WHERE "sequence" > %s', EVENTS - 3)
    finally:
        append_only.create(connection, ("submissions_event",))
    drafts.start_submission(preparer, "686a")
    assert chain.verify_chain() == (
        EVENTS - 3,
        chain.ChainBreak(EVENTS - 2, f"it is missing; the next one found is {EVENTS + 1}"),
    )


def test_orm_neither_changes_nor_deletes_an_event(written: list[Row]) -> None:
    event = Event.objects.get(sequence=3)
    event.reason = "never so"
    attempts: tuple[Callable[[], object], ...] = (
        event.save,
        event.delete,
        Event.objects.filter(sequence=3).delete,
        Event.objects.all().delete,
        lambda: Event.objects.update(reason="never so"),
        lambda: Event.objects.filter(sequence=3).update(sequence=900),
        lambda: Event.objects.bulk_update([event], ["reason"]),
        lambda: Event.objects.filter(sequence=3)._raw_delete(Event.objects.db),
        lambda: Event.objects.update_or_create(sequence=3, defaults={"reason": "never so"}),
        lambda: sql('UPDATE submissions_event SET "reason" = %s WHERE "sequence" = 3', "never so"),
        lambda: sql('DELETE FROM submissions_event WHERE "sequence" = 3'),
    )
    for attempt in attempts:
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            attempt()
    assert list(Event.objects.order_by("sequence").values()) == written


def test_deleting_the_submission_does_not_take_its_events_along(written: list[Row]) -> None:
    with pytest.raises(Exception, match="protected"), transaction.atomic():
        Submission.objects.all().delete()
    assert chain.verify_chain() == (EVENTS, None)
