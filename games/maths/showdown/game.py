"""One game against a dealer's hidden hand as the rest of the portal meets it; a chapter hands its methods on.

Here is what games of five cards (`five_game`) and of the best four (`four_game`) share. Not here: what decisions win
(`parts`), their analysis (`required`), dealing.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from games.compiled import Ints
from games.maths.results import WagerAnalysis
from games.maths.showdown.deck import Against, Groups, Hand, HandOrder
from games.maths.showdown.parts import RequiredWagers, Sections
from games.maths.showdown.required import Played, analyze_required, played
from games.maths.showdown.strategy import OTHER_CARDS, Decisions, Strategy
from games.rules.model import Answers, Chapter, Paytable


@dataclass(frozen=True, slots=True, eq=False)
class Showdown(ABC):
    """The terms in which all games may differ."""

    required: RequiredWagers
    sections: Sections
    least: Hand | None = field(default=None, kw_only=True)  # the dealer's to play; None = every hand plays

    @property
    @abstractmethod
    def order(self) -> HandOrder: ...

    @property
    @abstractmethod
    def against(self) -> Against: ...

    @property
    @abstractmethod
    def groups(self) -> Groups: ...  # of the player's hands, which no wager pays apart

    @abstractmethod
    def analyze_bonus(self, table: Paytable, chapter: Chapter, answers: Answers) -> WagerAnalysis: ...

    @property
    def least_value(self) -> int:
        """The value below which the dealer is short."""
        return 0 if self.least is None else self.order.least_value(self.order.strength(self.least))

    def check(self) -> None:
        """Raise `ParameterError` for required wagers or a least hand that no game has."""
        if self.least is not None:
            self.order.check("least", (self.least,))
        self.required.check(self.order, self.least is not None)

    def played(self, tables: tuple[Paytable, ...]) -> Played:
        """Return the best play under these paytables of the wagers that are decided."""
        return played(self.required, self.against, self.groups, tables)

    def analyze_wager(self, chapter: Chapter, wager: str, name: str, answers: Answers) -> Iterator[WagerAnalysis]:
        """Yield the wager's exact figures; the play is the one that is best for the wagers that are decided."""
        if wager == self.required.wager:
            for chosen, tables in self.required.tables_in_play(chapter, answers):
                yield analyze_required(self.played(tables), chosen)
        else:
            yield self.analyze_bonus(chapter.paytable(wager, name), chapter, answers)

    def strategy(self, chapter: Chapter, answers: Answers) -> tuple[dict[Hand, int], Ints, Decisions]:
        """Return the Antes raised by hand, 0 = fold; if `OTHER_CARDS` decide, by the name of all five's orbit."""
        best = self._best(chapter, answers)
        antes = {OTHER_CARDS: OTHER_CARDS, **dict(enumerate((0, *self.required.raises)))}
        _, names, decisions = best.table
        by_hand = {hand: antes[decision] for hand, decision in best.by_hand.items()}
        return by_hand, names, np.array([antes[decision] for decision in decisions.tolist()], np.int8)

    def _best(self, chapter: Chapter, answers: Answers) -> Strategy:
        return self.played(self.required.tables_for(chapter, answers)).best
