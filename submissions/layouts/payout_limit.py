"""The payout limit of a table as sign and guide print it: the amount, the wagers under it, what it leaves out."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from games.rules.evaluate import judge
from games.rules.model import Answers, Chapter, Wager
from games.rules.phrases import in_words


@dataclass(frozen=True, slots=True)
class PayoutLimit:
    amount: str
    citation: str
    covers: tuple[str, ...]  # names of the wagers offered that it covers
    leaves_out: tuple[str, ...]

    @property
    def words(self) -> str:
        """The words after the amount."""
        over = f", for the {joined(self.covers)}" if self.covers else ""
        without = f" It does not include: {'; '.join(self.leaves_out)}." if self.leaves_out else ""
        return f"per player per round of play{over}.{without}"


def joined(names: Sequence[str]) -> str:
    """“A”, “A and B”, “A, B and C”."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def payout_limit(chapter: Chapter, used: Answers, offered: Collection[str]) -> PayoutLimit | None:
    """The limit of these answers over the wagers offered (keys); None if there is none."""
    if used.get("payout_limit_established") is not True or used.get("payout_limit") in (None, ""):
        return None
    rule = next((rule for rule in chapter.requirements if rule.covers), None)
    covers, leaves_out = (rule.covers, rule.leaves_out) if rule else ((), ())
    paytables = [chapter.paytable(wager, name) for wager, name in judge(chapter, used).paytables.items()]
    outcomes = {row.outcome for table in paytables for row in table.rows}
    return PayoutLimit(
        amount=in_words(chapter, "payout_limit", used["payout_limit"]),
        citation=chapter.option("payout_limit").citation,
        covers=tuple(wager.name for wager in chapter.wagers if wager.key in offered and _covered(wager, covers)),
        leaves_out=tuple(outcome for outcome in leaves_out if outcome in outcomes),
    )


def _covered(wager: Wager, covers: Collection[str]) -> bool:
    """Whether a payout limit over these wagers limits the wager, too: what is paid on one of them is part of it."""
    return wager.key in covers or wager.part_of in covers
