"""One blackjack game as the rest of the portal meets it, and the steps of a round.

A chapter's `play.py` hands the game on. The steps are made from the cards and events that the second laboratory leaves
of the last round it dealt. Not here: the analysis of the required wager (`exact`) and of the others (`side_wagers`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from games.maths.blackjack import hands
from games.maths.blackjack.exact import Required, required_wager, strategy_of
from games.maths.blackjack.rules import Rules, Sections, Table, payouts
from games.maths.blackjack.side_wagers import Shoe, SideWager, analyze_insurance
from games.maths.cards import ACE, TEN
from games.maths.results import Step, WagerAnalysis
from games.rules.errors import ParameterError
from games.rules.model import Answers, Chapter
from games.rules.sections import cite
from games.rules.wagers_in_play import part_paytable


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """The terms of one game: rules and sections, the shoe, an optional wager; `ParameterError` if they do not agree."""

    wager: str  # key of the required wager
    rules: Rules
    sections: Sections
    decks: int  # where no answer says how many
    decks_of_paytable: Mapping[str, int] = field(default_factory=dict)  # for which each is printed
    additional_splits: str = ""  # the option that says how often a pair is split again; "" = `rules.hands` at most
    side: SideWager | None = None  # other than insurance

    def __post_init__(self) -> None:
        for key, problem in _faults(self):
            raise ParameterError(key, problem)

    def analyze_wager(self, chapter: Chapter, wager: str, name: str, answers: Answers) -> Iterator[WagerAnalysis]:
        """Yield the wager's figures; the play is the one that is best for the required wager."""
        if wager == "insurance":
            yield analyze_insurance(chapter, self.shoe(answers, name), self.sections, self.rules.blackjack_insures)
        elif self.side is not None and wager == self.side.wager:
            yield self.side.analyze(chapter, chapter.paytable(wager, name), self.shoe(answers, name))
        else:
            game = Required(chapter.number, self.rules, self.sections)
            yield required_wager(game, chapter.paytable(wager, name), self.table(answers))

    def strategy(
        self, chapter: Chapter, answers: Answers
    ) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.bool_]]:
        """Return the cards of each hand by value, its decisions by phase and up card, and the up cards to attack."""
        paid = payouts(self.rules, chapter.paytable(self.wager, part_paytable(chapter, answers, self.wager)))
        best = strategy_of(self.rules, paid, self.table(answers))
        return hands.COUNTS, best.decision, best.attack

    def describe_round(self, chapter: Chapter, answers: Answers, dealt: tuple[int, ...]) -> tuple[Step, ...]:
        """Return the steps up to the settlement; dealt: the first four cards, then the events.

        An event is (32 · hand + what) · 64 + card; the dealer is hand 0.
        """
        first, events = dealt[:4], [_Event(event >> 11, event >> 6 & 31, event & 63) for event in dealt[4:]]
        steps = [*_deal(first, events, self.rules, self.sections), *_play(first, events, self.rules, self.sections)]
        return tuple(Step(step.who, step.what, cite(step.section, chapter.number), step.cards) for step in steps)

    def shoe(self, answers: Answers | None, paytable: str = "") -> Shoe:
        """Return the shoe as answered, else as a paytable is printed for, else the default."""
        given = answers or {}
        chosen = (self.decks_of_paytable.get(str(name)) for name in (*given.values(), paytable))
        decks = given.get("number_of_decks") or next((decks for decks in chosen if decks), self.decks)
        return Shoe(int(str(decks)), self.rules.tens)

    def table(self, answers: Answers | None) -> Table:
        """Return the decks and the most hands of a split pair, by the answers or the game's defaults."""
        more = (answers or {}).get(self.additional_splits)
        hands = self.rules.hands if more is None else min(2 + int(str(more)), self.rules.most_hands)
        return Table(self.shoe(answers).decks, hands)


def _faults(game: Game) -> Iterator[tuple[str, str]]:
    if game.decks < 1:
        yield "decks", f"{game.decks}: must be at least one"
    if game.side is not None and game.side.wager in (game.wager, "insurance"):
        yield "side.wager", f"`{game.side.wager}` is a wager of its own"
    rules, sections = game.rules, game.sections
    needed = {
        "attack": (rules.attack, sections.attack),
        "free_double": (rules.lammer, sections.free_double),
        "rescue": (rules.rescue, sections.rescue),
        "second_chance": (rules.second_chance, sections.second_chance),
        "winning_cards": (rules.winning_cards, sections.winning_cards),
    }
    for key, (rule, section) in needed.items():
        if rule and not section:
            yield f"sections.{key}", "is missing: the rules have it"
        if section and not rule:
            yield f"sections.{key}", f"{section}: the rules do not have it"


PLAYER, HOUSE = "Player", "Dealer"
DEALER = 0  # whose event it is; 1, 2 … are the player's hands
CARD, ATTACK, AT_21, ABOVE_21, ENOUGH_CARDS = range(8, 13)  # what happened, other than the decisions of `hands`
DREW = (hands.HIT, hands.DOUBLE, hands.FREE_DOUBLE, hands.SECOND_CHANCE)
WORDS = {
    hands.STAND: "stands",
    hands.HIT: "draws a card",
    hands.DOUBLE: "doubles down and is dealt one card",
    hands.FREE_DOUBLE: "doubles down with a {lammer} and is dealt one card",
    hands.SPLIT: "splits the pair",
    hands.SURRENDER: "surrenders",
    hands.RESCUE: "takes back the Double Down Wager and forfeits the rest",
    hands.SECOND_CHANCE: "places a {second_chance} and is dealt a card that is subtracted",
    AT_21: "has 21",
    ABOVE_21: "exceeds 21",
    ENOUGH_CARDS: "has {winning_cards} cards that do not exceed 21",
}
TENS = range(TEN, ACE)  # ranks of `cards` that count ten


@dataclass(frozen=True, slots=True)
class _Event:
    who: int
    what: int
    card: int


def _deal(cards: tuple[int, ...], events: list[_Event], rules: Rules, sections: Sections) -> Iterator[Step]:
    """Yield the first four cards, and the offers and checks before any decision."""
    up, first = (cards[0], cards[1]) if rules.up_card_first else (cards[1], cards[0])
    shown = Step(HOUSE, "is dealt a card face up", sections.up_card, (up,))
    player_first = Step(PLAYER, "is dealt a card", sections.first_card, (first,))
    player_second = Step(PLAYER, "is dealt a second card", sections.second_card, (cards[2],))
    if rules.up_card_first:
        yield shown
        if any(event.what == ATTACK for event in events):
            yield Step(PLAYER, f"places a {rules.attack}", sections.attack)
        yield from (player_first, player_second)
    else:
        yield from (player_first, shown, player_second)
    yield Step(HOUSE, "is dealt a card face down", sections.hole_card)
    if _is_blackjack(first, cards[2]):
        yield Step(PLAYER, "has Blackjack", sections.blackjack, (first, cards[2]))
    if up // 4 == ACE:
        yield Step(PLAYER, "may make an Insurance Wager", sections.insurance.made)
    if _is_blackjack(up, cards[3]):
        yield Step(HOUSE, "has Blackjack", sections.reader, (up, cards[3]))


def _is_blackjack(first: int, second: int) -> bool:
    low, high = sorted((first // 4, second // 4))
    return high == ACE and low in TENS


def _play(cards: tuple[int, ...], events: list[_Event], rules: Rules, sections: Sections) -> Iterator[Step]:
    """Yield the decisions and the cards drawn, in order; the dealer's hole card is shown before the dealer draws."""
    yield from _player([event for event in events if event.what != ATTACK], rules, sections)
    up, hole = cards[0 if rules.up_card_first else 1], cards[3]
    if not _is_blackjack(up, hole):
        yield Step(HOUSE, "turns the hole card face up", sections.turns, (hole,))
    section = sections.third_card or sections.dealer_draws
    for event in events:
        if event.who == DEALER:
            yield Step(HOUSE, "draws a card", section, (event.card,))
            section = sections.dealer_draws


def _player(events: list[_Event], rules: Rules, sections: Sections) -> Iterator[Step]:
    several = any(event.what == hands.SPLIT for event in events)
    decision = None  # the decision that a card follows
    for event in events:
        who = f"{PLAYER}, hand {event.who}" if several else PLAYER
        if event.who == DEALER:
            return
        if event.what == CARD:
            section = sections.split_card if decision is None else sections.decision(decision)
            what = "is dealt a second card" if decision is None else _words(decision, rules)
            yield Step(who, what, section, (event.card,))
        elif event.what == ENOUGH_CARDS:
            yield Step(who, _words(event.what, rules), sections.winning_cards)
        elif event.what not in DREW:
            yield Step(who, _words(event.what, rules), sections.decision(event.what))
        decision = event.what if event.what in DREW else None


def _words(what: int, rules: Rules) -> str:
    names = {"lammer": rules.lammer, "second_chance": rules.second_chance, "winning_cards": rules.winning_cards}
    return WORDS[what].format(**names)
