"""Rounds of blackjack from a shoe shuffled before each, dealt and settled card by card, and their tallies.

Procedures and settlement sections are followed; tallies are under the outcome keys of the exact rows.

The independent test of `exact` and `side_wagers`: it shares with them the numbers of hands, the names of outcomes and
the decisions of the strategy. Dealing is one loop since a table that crosses a call costs as much as dealing several
cards. The card that is discarded after the shuffle is not seen and left in the shoe. Amounts won are in halves of the
required wager; places are those of the outcomes in `side_wagers`, and of the bonuses in `rules`, by how their suits
lie.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.compiled import helper, kernel
from games.maths.blackjack import hands as numbers
from games.maths.blackjack import rules
from games.maths.blackjack.hands import (
    ACE,
    BLACKJACK,
    DOUBLE,
    DOUBLED,
    DRAWN,
    FIRST,
    FREE_DOUBLE,
    HIT,
    LAMMER,
    RESCUE,
    SECOND_CHANCE,
    SPLIT,
    SPLIT_ACE,
    SPLIT_HAND,
    STAND,
    SURRENDER,
    TEN,
    TWO_CARDS,
    EndingCounts,
    Strategy,
)
from games.maths.blackjack.rules import Payouts, Rules
from games.maths.blackjack.side_wagers import (
    DEALER_22,
    INSURANCE,
    LOST_DEALER_22,
    LOST_MATCH,
    LOST_THIRD_CARD,
    MATCH,
    THIRD_CARD,
    Shoe,
    SideWager,
)
from games.maths.cards import FULL_DECK
from games.maths.cards import TEN as TEN_RANK
from games.maths.results import Tally
from games.rules.model import Answers, Chapter
from games.rules.wagers_in_play import paytables_in_play
from games.streams import advance, below, start

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]

_TABLES = (numbers.NEXT_HAND, numbers.TOTAL, numbers.CARDS, numbers.PAIR, np.repeat(numbers.VALUE_OF_RANK, 4))


@dataclass(frozen=True, slots=True)
class Settled:
    """Numbers of rounds, and the last round dealt.

    `required[halves won + offset, wagered]`; by outcome of `side_wagers`, `insurance` and the game's optional wager. Of
    the last round: `events[1 : 1 + events[0]]` in order, and the `shoe` with the cards on top as they were dealt.
    """

    required: EndingCounts
    insurance: Ints
    optional: Ints
    events: Ints
    shoe: Bytes

    @property
    def offset(self) -> int:
        """Place where no amount is won or lost."""
        return len(self.required) // 2


@dataclass(frozen=True, slots=True)
class DealtGame:
    """A game as one table deals it."""

    rules: Rules
    paid: Payouts
    shoe: Shoe
    hands: int  # that a pair may be split into
    side: int  # kind of the optional wager


def deal_rounds(dealt: DealtGame, strategy: Strategy, stream: tuple[int, int, int]) -> Settled:
    """Return the rounds of stream (seed, block, rounds)."""
    most_hands = dealt.hands
    most = 4 * most_hands  # units on a hand, with all that may be added
    settled = Settled(
        np.zeros((2 * HALVES * most + 1, most + 1), np.int64),
        np.zeros(3, np.int64),
        np.zeros(8, np.int64),
        np.zeros(64 * (1 + most_hands), np.int64),
        _cards(dealt.shoe),
    )
    tallies = (settled.required, settled.insurance, settled.optional, settled.events)
    rules, paid = dealt_rules(dealt.rules, dealt.paid.blackjack, dealt.side), np.array(dealt.paid.bonus).ravel()
    deal(*stream, rules, paid, settled.shoe, most_hands, strategy.decision, strategy.attack, _TABLES, tallies)
    return settled


def _cards(shoe: Shoe) -> Bytes:
    """Return the cards of the shoe, as `cards` writes them."""
    deck = [card for card in range(FULL_DECK) if shoe.tens == 4 or card // 4 != TEN_RANK]
    return np.array(deck * shoe.decks, dtype=np.int8)


def tally(chapter: Chapter, answers: Answers, settled: Settled, side: SideWager | None) -> Tally:
    """Return the tally of every wager that the answers offer."""
    by_wager: Tally = {}
    for wager in paytables_in_play(chapter, answers):
        if wager == "insurance":
            by_wager[wager] = dict(zip(INSURANCE, settled.insurance.tolist(), strict=True))
        elif side is not None and wager == side.wager:
            by_wager[wager] = dict(zip(side.outcomes, settled.optional.tolist(), strict=False))
        else:
            by_wager[wager] = _required(settled)
    return by_wager


def _required(settled: Settled) -> dict[str, int]:
    counts: dict[str, int] = {}
    for net, wagered in zip(*settled.required.nonzero(), strict=True):
        key = rules.outcome_name(int(net) - settled.offset, int(wagered))
        counts[key] = counts.get(key, 0) + int(settled.required[net, wagered])
    return counts


EVEN = 2  # odds of 1 to 1, in halves of the wager
NONE, SIX_SEVEN_EIGHT, THREE_SEVENS, FIVE, SIX_CARDS, SEVEN_CARDS = range(0, 18, 3)
MIXED, SUITED, OF_SPADES = range(3)
RED = 0b0110  # suits of `cards`: clubs, diamonds, hearts, spades
SPADES = 3
SIX, SEVEN, EIGHT = 5, 6, 7  # values; a rank of `cards` is less by one


class DealtRules(NamedTuple):
    """The `Rules` as scalars, for the loop that deals."""

    up_card_first: bool
    attack: bool
    blackjack_pays: int
    blackjack_beats_blackjack: bool
    blackjack_insures: bool
    free_bets: bool
    one_card_aces: bool
    pays_21_at_once: bool
    winning_cards: int  # 0: no number of cards wins
    pushes_22: bool
    beats_21: bool
    bonuses: bool
    side: int  # kind of the optional wager


def dealt_rules(rules: Rules, blackjack_pays: int, side: int) -> DealtRules:
    """Return the rules as dealing reads them; `blackjack_pays`: in halves; `side`: a kind of `side_wagers`."""
    return DealtRules(
        up_card_first=rules.up_card_first,
        attack=bool(rules.attack),
        blackjack_pays=blackjack_pays,
        blackjack_beats_blackjack=rules.blackjack_beats_blackjack,
        blackjack_insures=rules.blackjack_insures,
        free_bets=bool(rules.lammer),
        one_card_aces=rules.one_card_aces,
        pays_21_at_once=rules.pays_21_at_once,
        winning_cards=rules.winning_cards,
        pushes_22=rules.pushes_22,
        beats_21=rules.beats_21,
        bonuses=rules.bonuses is not None,
        side=side,
    )


@helper
def natural(own: bool, dealer: bool, pays: int, beats_dealer: bool, wagered: int) -> int:
    """Return the net of a round that a Blackjack ends; of the units `wagered` a dealer's Blackjack takes one."""
    if own:
        return 0 if dealer and not beats_dealer else pays * wagered
    return -EVEN


@helper
def compared(own: int, dealer: int, cards: int, pushes_22: bool, beats_21: bool) -> int:
    """Return 1, 0 or −1: a hand of at most 21, not a Blackjack, wins, ties or loses against the dealer's."""
    if dealer == 22 and pushes_22:
        return 0
    if dealer > 21 or own > dealer:
        return 1
    if beats_21 and own == 21 and dealer == 21 and cards > 2:
        return 1
    return 0 if own == dealer else -1


@helper
def bonus_place(total: int, cards: int, a: int, b: int, c: int) -> int:
    """Return the place of a winning hand's bonus, if neither doubled nor split; `a`, `b`, `c`: its first cards."""
    if total != 21 or cards < 3:
        return NONE
    if cards >= 7:
        return SEVEN_CARDS
    if cards == 6:
        return SIX_CARDS
    if cards == 5:
        return FIVE
    if cards == 4:
        return NONE
    low, high = min(a >> 2, b >> 2, c >> 2), max(a >> 2, b >> 2, c >> 2)
    straight = low == SIX - 1 and high == EIGHT - 1 and (a >> 2) + (b >> 2) + (c >> 2) == 3 * (SEVEN - 1)
    sevens = low == SEVEN - 1 and high == SEVEN - 1
    if not (straight or sevens):
        return NONE
    lies = MIXED if a & 3 != b & 3 or b & 3 != c & 3 else OF_SPADES if a & 3 == SPADES else SUITED
    return lies + (SIX_SEVEN_EIGHT if straight else THREE_SEVENS)


@helper
def match_place(up: int, a: int, b: int) -> int:
    """Return the place of the match of the player's first two cards, by rank, with the dealer's up card."""
    suited = (a == up) + (b == up)
    matched = (a >> 2 == up >> 2) + (b >> 2 == up >> 2)
    return LOST_MATCH if matched == 0 else 4 - suited if matched == 1 else 2 - suited


@helper
def third_card_place(total: int, value: int, a: int, b: int, c: int) -> int:
    """Return the place of the dealer's third card, which brings the total to `total`; `a`, `b`, `c`: the cards."""
    if total <= 21:
        return LOST_THIRD_CARD
    if a >> 2 == b >> 2 == c >> 2 == EIGHT - 1:
        if a == b == c:
            return 0
        if RED >> (a & 3) & 1 == RED >> (b & 3) & 1 == RED >> (c & 3) & 1:
            return 1
    return value - 3


@helper
def dealer_22_place(total: int, suits: int) -> int:
    """Return the dealer's total, and the suits of all of the dealer's cards as bits."""
    if total != 22:
        return LOST_DEALER_22
    if suits & (suits - 1) == 0:
        return 0
    return 1 if suits & RED == 0 or suits & ~RED == 0 else 2


DEALER = 0  # whose event it is; 1, 2 … are the player's hands
CARD, ATTACK, AT_21, ABOVE_21, ENOUGH_CARDS = range(16, 21)  # what happened, other than the decisions of `hands`
NO_CARD = 63
WHO, WHAT = 11, 6  # bits that an event is shifted by
WON, LOST, NOT_MADE = range(3)  # an Insurance Wager, as in `side_wagers`
HALVES = 2


@kernel
def deal(
    seed: int,
    block: int,
    rounds: int,
    rules: DealtRules,
    paid: Ints,
    shoe: Bytes,
    most_hands: int,
    decisions: NDArray[np.int8],
    attack: NDArray[np.bool_],
    tables: tuple[NDArray[np.int16], Bytes, Bytes, Bytes, Bytes],
    tallies: tuple[Ints, Ints, Ints, Ints],
) -> None:
    next_hand, totals, sizes, pairs, values = tables
    required, insurance, optional, events = tallies
    size, offset = len(shoe), len(required) // 2
    numbers, kinds, final_totals = np.zeros(
        (3, most_hands), np.int64
    )  # number, kind, total that awaits the dealer's (0: none)
    own, lammers, chances = np.zeros((3, most_hands), np.int64)  # the player's units, lammers, Second Chance Wagers
    state = start(seed, block)
    for _ in range(rounds):
        for place in range(4):  # the shuffle, as far as cards are dealt
            state = advance(state)
            pick = place + below(state, size - place)
            shoe[place], shoe[pick] = shoe[pick], shoe[place]
        # player, dealer, player, dealer, if the dealer's first card does not lead
        first, shown = (1, 0) if rules.up_card_first else (0, 1)
        a, b, dealt = shoe[first], shoe[2], 4
        up, hole = values[shoe[shown]], values[shoe[3]]
        unit = 2 if rules.attack and attack[up] else 1
        index, dealer = next_hand[next_hand[0, values[a]], values[b]], next_hand[next_hand[0, up], hole]
        blackjack, beaten = index == BLACKJACK, dealer == BLACKJACK
        net, wagered, open_hands, happened = 0, unit, 0, 0
        if unit == 2:
            events[1], happened = 1 << WHO | ATTACK << WHAT | NO_CARD, 1

        if up != ACE or (blackjack and not rules.blackjack_insures):  # a Blackjack may have been paid before
            insurance[NOT_MADE] += 1
        else:
            insurance[WON if beaten else LOST] += 1
        if rules.side == MATCH:
            optional[match_place(shoe[shown], a, b)] += 1

        hand, hands = 0, 1
        numbers[0], kinds[0], own[0], lammers[0], final_totals[0] = index, FIRST, unit, 0, 0
        if blackjack or beaten:
            net = natural(blackjack, beaten, rules.blackjack_pays, rules.blackjack_beats_blackjack, unit)
            hand = hands
        while hand < hands:
            index, kind, stage = numbers[hand], kinds[hand], TWO_CARDS
            draws = sizes[index] == 1  # of a pair that was split
            while True:
                if draws:
                    state = advance(state)
                    pick = dealt + below(state, size - dealt)
                    shoe[dealt], shoe[pick] = shoe[pick], shoe[dealt]
                    index = next_hand[index, values[shoe[dealt]]]
                    events[happened + 1] = hand + 1 << WHO | CARD << WHAT | shoe[dealt]
                    dealt += 1
                    happened += 1
                decision, pair = decisions[3 * kind + stage, index, up], pairs[index]
                may_split = pair >= 0 and stage == TWO_CARDS and hands < most_hands and kind != SPLIT_ACE
                if may_split and decisions[3 * FIRST + TWO_CARDS, index, up] == SPLIT:
                    decision = SPLIT
                enough = rules.winning_cards > 0 and sizes[index] >= rules.winning_cards and totals[index] <= 21
                if enough:
                    decision = STAND
                event = decision
                if enough:
                    event = ENOUGH_CARDS
                elif decision == STAND and totals[index] >= 21:
                    event = AT_21 if totals[index] == 21 else ABOVE_21
                events[happened + 1] = hand + 1 << WHO | event << WHAT | NO_CARD
                happened += 1
                draws = True
                if decision == SPLIT:
                    index, free = next_hand[0, pair], rules.free_bets and pair != TEN
                    aces = rules.one_card_aces and pair == ACE
                    kind = SPLIT_ACE if aces else SPLIT_HAND if kind == FIRST else kind
                    kinds[hands] = LAMMER if free else kind
                    numbers[hands], own[hands], lammers[hands] = index, 0 if free else unit, 1 if free else 0
                    wagered += own[hands]
                    hands += 1
                elif decision == HIT:
                    stage = DRAWN
                elif decision == DOUBLE:
                    own[hand] += unit
                    wagered += unit
                    stage = DOUBLED
                elif decision == FREE_DOUBLE:
                    lammers[hand] += 1
                    stage = DOUBLED
                else:
                    break
            total = totals[index]
            numbers[hand], kinds[hand], final_totals[hand], chances[hand] = index, kind, 0, 0
            if decision == SURRENDER:
                net -= own[hand]  # half of it
            elif decision == RESCUE:
                net -= HALVES * (own[hand] - unit)
            elif decision == SECOND_CHANCE:
                state = advance(state)
                pick = dealt + below(state, size - dealt)
                shoe[dealt], shoe[pick] = shoe[pick], shoe[dealt]
                total -= values[shoe[dealt]] + 1
                events[happened + 1] = hand + 1 << WHO | CARD << WHAT | shoe[dealt]
                dealt += 1
                happened += 1
                wagered += own[hand]
                chances[hand] = 1
                if total > 21:
                    net -= 2 * HALVES * own[hand]
                elif total == 21:
                    net += HALVES * own[hand]
                else:
                    final_totals[hand] = total
                    open_hands += 1
            elif total > 21:
                net -= HALVES * own[hand]
            elif enough or (total == 21 and rules.pays_21_at_once):
                net += EVEN * (own[hand] + lammers[hand])
            else:
                final_totals[hand] = total
                open_hands += 1
            hand += 1

        suits, third = 1 << (shoe[shown] & 3) | 1 << (shoe[3] & 3), dealt
        draws = rules.side in (THIRD_CARD, DEALER_22)  # for that wager; else only against a hand
        if not beaten and (open_hands or draws):
            while totals[dealer] < 17:
                state = advance(state)
                pick = dealt + below(state, size - dealt)
                shoe[dealt], shoe[pick] = shoe[pick], shoe[dealt]
                dealer = next_hand[dealer, values[shoe[dealt]]]
                suits |= 1 << (shoe[dealt] & 3)
                events[happened + 1] = DEALER << WHO | CARD << WHAT | shoe[dealt]
                dealt += 1
                happened += 1
        dealer_total = totals[dealer]
        if rules.side == THIRD_CARD:
            bust = dealer_total if dealt == third + 1 else 0  # with three cards
            optional[third_card_place(bust, values[shoe[third]], shoe[shown], shoe[3], shoe[third])] += 1
        elif rules.side == DEALER_22:
            optional[dealer_22_place(dealer_total, suits)] += 1

        for hand in range(hands):
            if final_totals[hand] == 0:
                continue
            cards = sizes[numbers[hand]]
            result = compared(final_totals[hand], dealer_total, cards, rules.pushes_22, rules.beats_21)
            if result > 0:
                won = EVEN
                if rules.bonuses and kinds[hand] == FIRST and own[hand] == unit:
                    won = paid[bonus_place(final_totals[hand], cards, a, b, shoe[4])]  # payouts in dollars: apart
                net += won * own[hand] + EVEN * lammers[hand]
            elif result < 0:
                net -= HALVES * own[hand] * (1 + chances[hand])
        required[net + offset, wagered] += 1
        events[0] = happened
