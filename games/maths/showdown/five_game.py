"""One game of five cards against the dealer's hidden five as the rest of the portal meets it.

A chapter's `play.py` states the record and hands its methods on. Not here: what decisions win (`parts`), how they are
analyzed (`required`), the optional wagers (`five_bonuses`), how rounds are dealt (`five_rounds`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from games.maths import hands
from games.maths.cards import JOKER
from games.maths.parameters import ParameterError
from games.maths.published import compare_published
from games.maths.results import Step, Tally, WagerAnalysis
from games.maths.showdown.against import Against
from games.maths.showdown.deck import FULL, NATURAL, Deck
from games.maths.showdown.endings import outcome_counts
from games.maths.showdown.five_bonuses import AllDeals, FiveBonus, ReplacedHand
from games.maths.showdown.five_cards import five_card_order
from games.maths.showdown.five_hidden import against_five
from games.maths.showdown.five_rounds import FiveSettled, deal_five
from games.maths.showdown.order import Groups, Hand, HandOrder, groups_of
from games.maths.showdown.parts import RequiredWagers
from games.maths.showdown.required import Played, analyze_required, played
from games.maths.showdown.sections import Sections
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play, paytables_in_play


@dataclass(frozen=True, slots=True, eq=False)
class FiveCardShowdown:
    """What differs between the games: the cards, the order of the classes, the least hand with which the dealer plays,
    the wagers."""

    required: RequiredWagers
    sections: Sections
    deck: Deck = FULL
    classes: tuple[str, ...] = hands.STANDARD  # lowest first
    least: Hand | None = None  # the dealer's; None = every hand plays
    bonuses: Mapping[str, FiveBonus] = field(default_factory=dict)  # wager → what it pays by

    def __post_init__(self) -> None:
        """`ParameterError` for what no game has."""
        made = self.deck.classes
        if sorted(self.classes) != sorted(made):
            raise ParameterError("classes", f"{', '.join(self.classes)}; the deck makes {', '.join(made)}")
        if not self.deck.wilds and self.classes != made:
            raise ParameterError("classes", f"without wild cards their order is {', '.join(made)}")
        if self.least is not None:
            self.order.check("least", (self.least,))
        self.required.check(self.order, self.least is not None)
        for wager, bonus in self.bonuses.items():
            bonus.check(f"bonuses[{wager!r}]", self.deck, self.order, self.least is not None)

    @property
    def order(self) -> HandOrder:
        """The hands that the deck makes."""
        return five_card_order(self.deck, self.classes)

    @property
    def against(self) -> Against:
        """Every hand of the player's against the dealer's."""
        return against_five(self.deck, self.classes, self._least)

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """Every wager offered, exactly; the play is the one that is best for the wagers that are decided.

        `NoPaytable` for a paytable that the chapter does not have, here and below.
        """
        analyses: list[WagerAnalysis] = []
        for wager, name in in_play(chapter, answers):
            if wager == self.required.wager:
                in_use = self.required.tables_in_play(chapter, answers)
                analyses += [analyze_required(self.played(tables), chosen) for chosen, tables in in_use]
            else:
                deals = AllDeals(self.deck, self._first_played(chapter, answers))
                analyses.append(self.bonuses[wager].analyze(chapter.paytable(wager, name), deals, answers))
        return tuple(compare_published(chapter, analysis) for analysis in analyses)

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Deal and settle the rounds of one block."""
        best = self.played(self.required.tables_for(chapter, answers))
        settled, deals = self._deal(best, (seed, block, rounds)), AllDeals(self.deck, best)
        outcomes = dict.fromkeys((row.outcome for row in analyze_required(best, "").outcomes), 0)
        tally: Tally = {self.required.wager: outcomes | outcome_counts(settled.met, best.ends)}
        in_use = paytables_in_play(chapter, answers)
        for wager, bonus in self.bonuses.items():
            if wager in in_use:
                table = chapter.paytable(wager, in_use[wager])
                tally[wager] = bonus.counts(table, deals, settled, rounds, answers)
        return tally

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """Both hands and the decision; where a wager looks at it, the card that replaces the joker."""
        best, at = self.played(self.required.tables_for(chapter, answers)), self.sections.dealing(answers)
        settled = self._deal(best, (seed, block, index + 1))
        kinds = self.deck.kinds()
        decision = best.best.of([card for card in settled.player if kinds[card] == NATURAL])
        steps = [
            Step("Player", "is dealt five cards", at.player, settled.player),
            Step("Dealer", "is dealt five cards, hidden until the player has decided", at.dealer, settled.dealer),
            Step("Player", self.required.act(decision), self.sections.decided),
        ]
        in_use = paytables_in_play(chapter, answers)
        for wager, bonus in self.bonuses.items():
            if wager in in_use and isinstance(bonus, ReplacedHand):
                steps.insert(2, Step("Replacement card", "is placed face down", at.extra, (settled.replacement,)))
                if JOKER in settled.player:
                    plain = (*(card for card in settled.player if card != JOKER), settled.replacement)
                    steps.append(Step("Player", "has the joker replaced for the Progressive", bonus.replaced, plain))
        return tuple(steps)

    def played(self, tables: tuple[Paytable, ...]) -> Played:
        """The best play under these paytables of the wagers that are decided."""
        return played(self.required, self.against, _groups(self), tables)

    @property
    def _least(self) -> int:
        return 0 if self.least is None else self.order.least_value(self.order.strength(self.least))

    def _first_played(self, chapter: Chapter, answers: Answers | None) -> Played:
        """The best play for the optional wagers: that of the first paytable, where the answers leave several."""
        (_, tables), *_ = self.required.tables_in_play(chapter, answers)
        return self.played(tables)

    def _deal(self, best: Played, stream: tuple[int, int, int]) -> FiveSettled:
        raises = len(self.required.raises)
        return deal_five(self.deck, self.classes, self._least, best.groups, best.best.table, raises, stream)


@cache
def _groups(game: FiveCardShowdown) -> Groups:
    """The player's hands that no wager pays apart, each of one class."""
    rows = tuple(rows for bonus in game.bonuses.values() for rows in bonus.own_rows)
    return groups_of(game.order, (*game.required.rows, *rows), by_class=True)
