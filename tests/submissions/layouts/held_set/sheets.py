"""What a layout shows, as its chapter's text asks for it: read from `law.toml`, before it has any places."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from tests.games.chapters.examples import example

LAW = Path(__file__).with_name("law.toml")


@dataclass(frozen=True, slots=True)
class OddsTable:
    """A heading, the headings of its columns, if it has several, and rows of an outcome and what it pays."""

    heading: str
    rows: tuple[tuple[str, ...], ...]
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """`seats`: the labels of each player's areas, `circled`: in circles. `hidden`: in the color of the felt."""

    number: str
    title: str
    licensee: str
    seats: tuple[tuple[str, ...], ...]
    dealer_side: tuple[str, ...]
    equipment: tuple[str, ...]
    inscriptions: tuple[str, ...]
    tables: tuple[OddsTable, ...]
    advertised: tuple[str, ...] = ()
    circled: bool = True
    hidden: tuple[str, ...] = ()


@cache
def law() -> dict[str, Any]:
    return tomllib.loads(LAW.read_text(encoding="utf-8"))


def numbers() -> tuple[str, ...]:
    return tuple(law()["chapter"])


def filing(number: str) -> dict[str, Any]:
    """The answers that the casino filed."""
    own = law()["chapter"][number]
    answers = {**example(number), **dict.fromkeys(law()["unasked"])}
    changes = {**law()["always"], **law()[own["like"]]}
    answers |= {key: answer for key, answer in changes.items() if key in answers}
    return {key: answer for key, answer in (answers | own["filing"]).items() if answer is not None}


@cache
def complete(number: str) -> Sheet:
    """A layout with everything that the law asks for."""
    own = law()["chapter"][number]
    stated = ({"heading": "Payout odds", "rows": own["stated"]},) if "stated" in own else ()
    tables = tuple(
        OddsTable(each["heading"], tuple(map(tuple, each["rows"])), tuple(each.get("columns", ())))
        for each in (*stated, *own.get("table", ()))
    )
    return Sheet(
        number=number,
        title=own["title"],
        licensee=law()["licensee"],
        seats=(tuple(own["areas"]),) * own["seats"],
        dealer_side=tuple(own["dealer_side"]),
        equipment=tuple(own["equipment"]),
        inscriptions=tuple(own.get("inscriptions", ())),
        tables=tables,
    )


def customary(sheet: Sheet, words: str) -> Sheet:
    """In words that manufacturers also print, of that part of the law's file; the first in capitals, with “3:2”."""
    capitals = words == "customary"
    printed = {key.casefold(): text for key, text in law()[words].items()}

    def said(texts: tuple[str, ...]) -> tuple[str, ...]:
        texts = tuple(printed.get(text.casefold(), text) for text in texts)
        return tuple(text.upper() for text in texts) if capitals else texts

    def paid(row: tuple[str, ...]) -> tuple[str, ...]:
        outcome, *pays = row
        return (*said((outcome,)), *(pay.upper().replace(" TO ", ":") if capitals else pay for pay in pays))

    tables = tuple(
        replace(
            table, heading=said((table.heading,))[0], columns=said(table.columns), rows=tuple(map(paid, table.rows))
        )
        for table in sheet.tables
    )
    return replace(
        sheet,
        seats=tuple(map(said, sheet.seats)),
        dealer_side=said(sheet.dealer_side),
        equipment=sheet.equipment if capitals else said(sheet.equipment),
        inscriptions=said(sheet.inscriptions),
        tables=tables,
    )
