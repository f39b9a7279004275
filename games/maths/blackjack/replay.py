"""The steps of a round of blackjack, from the events that `rounds` leaves of the last round it dealt.

Not here: what the wagers win (`runs.replay`), where a chapter says so (`sections`).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from games.maths.blackjack import hands
from games.maths.blackjack.dealing import ABOVE_21, AT_21, ATTACK, CARD, DEALER, ENOUGH_CARDS, NO_CARD, WHAT, WHO
from games.maths.blackjack.rounds import Settled
from games.maths.blackjack.rules import Rules
from games.maths.blackjack.sections import Sections
from games.maths.cards import ACE, TEN
from games.maths.results import Step
from games.rules.citations import cite

PLAYER, HOUSE = "Player", "Dealer"
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


def round_steps(chapter: str, settled: Settled, rules: Rules, sections: Sections) -> tuple[Step, ...]:
    """The last round dealt, up to its settlement."""
    steps = [*_deal(settled, rules, sections), *_play(settled, rules, sections)]
    return tuple(Step(step.who, step.what, cite(step.section, chapter), step.cards) for step in steps)


def _events(settled: Settled) -> list[_Event]:
    packed = settled.events[1 : 1 + int(settled.events[0])].tolist()
    return [_Event(event >> WHO, event >> WHAT & (1 << WHO - WHAT) - 1, event & NO_CARD) for event in packed]


def _deal(settled: Settled, rules: Rules, sections: Sections) -> Iterator[Step]:
    """The first four cards, and what is offered or found out before any decision."""
    cards = settled.shoe[:4].tolist()
    up, first = (cards[0], cards[1]) if rules.up_card_first else (cards[1], cards[0])
    shown = Step(HOUSE, "is dealt a card face up", sections.up_card, (up,))
    player_first = Step(PLAYER, "is dealt a card", sections.first_card, (first,))
    player_second = Step(PLAYER, "is dealt a second card", sections.second_card, (cards[2],))
    if rules.up_card_first:
        yield shown
        if any(event.what == ATTACK for event in _events(settled)):
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


def _play(settled: Settled, rules: Rules, sections: Sections) -> Iterator[Step]:
    """What was decided and drawn, in order; the dealer's hole card is shown before the dealer draws."""
    events = [event for event in _events(settled) if event.what != ATTACK]
    yield from _player(events, rules, sections)
    up, hole = (settled.shoe[0 if rules.up_card_first else 1], settled.shoe[3])
    if not _is_blackjack(int(up), int(hole)):
        yield Step(HOUSE, "turns the hole card face up", sections.turns, (int(hole),))
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
