"""The wagers of two configurations side by side: paytable and hold before and after, and the paytable rows that differ.
Pure, and a part of `filings.diff`. A hold is a percentage of all money wagered, as frozen with the filing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from submissions.core.canonical_json import Content

NOT_OFFERED, NOT_COMPUTED = "not offered", "not computed yet"
DIGITS = Decimal("0.0001")  # of a percentage
MINUS, SPACE = "\N{MINUS SIGN}", "\N{NO-BREAK SPACE}"


@dataclass(frozen=True, slots=True)
class HoldDiff:
    """One wager: its paytable and its hold as text; `change` in percentage points, "" where there is none."""

    wager: str
    paytable_before: str
    paytable_after: str
    before: str
    after: str
    change: str
    estimated: bool = False  # at least one of the two

    @property
    def differs(self) -> bool:
        if self.paytable_before != self.paytable_after:
            return True
        return self.before != self.after and NOT_COMPUTED not in (self.before, self.after)

    @property
    def paytable(self) -> str:
        """ "Paytable A", "Paytable A → Paytable B"."""
        names = dict.fromkeys(filter(None, (self.paytable_before, self.paytable_after)))
        return " → ".join(names)


@dataclass(frozen=True, slots=True)
class PaytableDiff:
    """A wager's paytable that is another now; `rows`: (outcome, pays before, pays after, whether that differs)."""

    wager: str
    before: str
    after: str
    rows: tuple[tuple[str, str, str, bool], ...]


def holds(was: Content, now: Content, before: Content | None, after: Content | None) -> Iterator[HoldDiff]:
    """Every wager offered before or after, in the order of the later; `before` and `after` are the exact figures."""
    old, new = _figures(was, before), _figures(now, after)
    for key in dict.fromkeys([*new, *old]):
        name, *_ = new.get(key) or old[key]
        words = [_hold_of(rows.get(key)) for rows in (old, new)]
        yield HoldDiff(
            wager=name,
            paytable_before=old[key][1] if key in old else "",
            paytable_after=new[key][1] if key in new else "",
            before=words[0],
            after=words[1],
            change=_change(old.get(key), new.get(key)),
            estimated=any(key in rows and (rows[key][2] or {}).get("method") == "estimate" for rows in (old, new)),
        )


def paytables(was: Content, now: Content) -> Iterator[PaytableDiff]:
    """Those in use on both sides that are not the same, row by row."""
    old, new = ({table["wager"]: table for table in row["paytables"]} for row in (was, now))
    for wager in (wager for wager in new if wager in old):
        rows_before, rows_after = _rows(old[wager]), _rows(new[wager])
        if rows_before != rows_after or old[wager]["name"] != new[wager]["name"]:
            pairs = [
                (outcome, rows_before.get(outcome, "–"), rows_after.get(outcome, "–"))
                for outcome in dict.fromkeys([*rows_after, *rows_before])
            ]
            rows = tuple((outcome, left, right, left != right) for outcome, left, right in pairs)
            yield PaytableDiff(new[wager]["wager_name"], old[wager]["name"], new[wager]["name"], rows)


_Figure = tuple[str, str, Content | None]  # the wager's name, its paytable, its row of the analysis


def _figures(row: Content, analysis: Content | None) -> dict[tuple[str, str], _Figure]:
    """(wager, spot) → its figure; without an analysis every wager offered, not computed."""
    names = {wager["key"]: wager["name"] for wager in row["wagers"]}
    chosen = {table["wager"]: table["name"] for table in row["paytables"]}
    if analysis is None:
        return {(key, ""): (name, chosen.get(key, ""), None) for key, name in names.items()}
    figures: dict[tuple[str, str], _Figure] = {}
    for figure in analysis["wagers"]:
        spot, name = figure.get("spot") or "", names.get(figure["wager"], str(figure["wager"]))
        figures[figure["wager"], spot] = (f"{name}: {spot}" if spot else name, figure["paytable"] or "", figure)
    return figures


def _hold_of(figure: _Figure | None) -> str:
    if figure is None:
        return NOT_OFFERED
    return f"{_exact(figure[2])}{SPACE}%".replace("-", MINUS) if figure[2] else NOT_COMPUTED


def _change(old: _Figure | None, new: _Figure | None) -> str:
    if not (old and new and old[2] and new[2]):
        return ""
    change = _exact(new[2]) - _exact(old[2])
    return f"{change:+}".replace("-", MINUS) if change else ""


def _exact(row: Content) -> Decimal:
    """The hold with the four decimals that are shown; `change` is the difference of the shown values."""
    return Decimal(str(row["hold_pct"])).quantize(DIGITS)


def _rows(table: Content) -> dict[str, str]:
    """Outcome → what it pays, all columns and the envy bonus in one cell."""
    return {
        cells[0]: ", ".join([" / ".join(cells[1:]), *([f"envy bonus {envy}"] if envy else [])])
        for cells, envy in zip(table["rows"], table["envy"], strict=True)
    }
