"""Rounds of blackjack from a shoe shuffled before each, played and settled card by card.

The card that is discarded after the shuffle is left in the shoe. Fixed payouts in dollars are not settled.

Still shared with the exact side: the words for a round by its amounts, and the player's decisions by all cards of a
hand: (hands, decisions, attack), `hands[hand, count − 1]` its cards, `decisions[3 · kind + stage, hand, count − 1 of
the dealer's first card]`, and `attack` by that card. A pair is split, also again, where that is the decision on the
first two cards. Decisions that the text does not allow are refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.compiled import helper, kernel
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import paytables_in_play
from games.second.cashier import LOST, ending, endings, net
from games.second.table import Dealt, Ending, Stream
from games.streams import advance, below, start

Ints = NDArray[np.int64]
Arrays = tuple[Ints, Ints, Ints, Ints, Ints]
Strategy = tuple[NDArray[np.integer], NDArray[np.int8], NDArray[np.bool_]]

STAND, HIT, DOUBLE, SPLIT, SURRENDER, FREE_DOUBLE, RESCUE, SECOND_CHANCE = range(8)
CARD, ATTACK, AT_21, ABOVE_21, ENOUGH_CARDS = range(8, 13)
"""An event is (32 · hand + one of these or a decision) · 64 + card; the dealer is hand 0."""
NO_CARD = 63
FIRST, SPLIT_HAND, LAMMER_HAND, SPLIT_ACE = range(4)  # kinds of hands; of a split ace: one that gets one card
TWO_CARDS, DRAWN, DOUBLED, SUBTRACTED = range(4)  # stages; `SUBTRACTED` has no decision
MOST_HANDS = 8  # the player whose decisions are given splits no further, whatever a filing allows

WIN, BLACKJACK, LAMMER, CHANCE, SIX_SEVEN_EIGHT, THREE_SEVENS, FIVE_CARDS = 0, 1, 2, 3, 4, 7, 10
"""Places of what is paid: those of three cards by `MIXED`, `SUITED`, `OF_SPADES`; six, seven cards after five."""
PAID = 13
MIXED, SUITED, OF_SPADES = range(3)
WON, SETTLED, BEATEN, AWAITS = range(4)  # how a hand ends; SETTLED: nothing more is paid or taken
INSURANCE_WON, INSURANCE_LOST, NOT_MADE = range(3)

ZERO, UNIT = Fraction(0), Fraction(1)
NO_SIDE, MATCH, THIRD_CARD, DEALER_22 = range(4)
MATCHES = {  # cards that match the dealer's first card in rank and suit, cards in rank only
    (2, 0): "Both cards match, both in suit",
    (1, 1): "Both cards match, one in suit",
    (0, 2): "Both cards match, none in suit",
    (1, 0): "One card matches, in suit",
    (0, 1): "One card matches, not in suit",
}
ONE_SUIT, ONE_COLOR, ANY_SUITS = range(1, 4)


class SideWager(NamedTuple):
    """An optional wager, its rows in the order of the places that rounds are counted by, from 1; 0 is lost."""

    wager: str = ""
    kind: int = NO_SIDE
    rows: tuple[str, ...] = ()


class Rules(NamedTuple):
    """What a text says otherwise than that of plain blackjack."""

    up_card_first: bool = False  # the dealer's first card is dealt before the player's
    attacks: bool = False  # then a wager as large as the first may follow
    any_time: bool = False  # doubling and surrender on any number of cards, surrender after both
    one_card_aces: bool = False  # a split ace gets one card and is not split again
    rescues: bool = False  # what doubled may be taken back, the rest is forfeited
    lammers: bool = False  # the house doubles two cards of a hard 9, 10 or 11 and splits pairs but of tens
    second_chances: bool = False  # above 21 a card is subtracted, for a wager as large
    blackjack_beats_blackjack: bool = False
    blackjack_insures: bool = True  # False: paid before insurance is offered
    pays_21_at_once: bool = False
    winning_cards: int = 99  # so many cards of 21 or less win at once
    beats_21: bool = False  # the player's 21 of three or more cards beats the dealer's
    pushes_22: bool = False  # a dealer's 22 returns the wagers and takes the lammers


@dataclass(frozen=True, slots=True, kw_only=True)
class BlackjackTable:
    """The table of one game; every row is that of a win but those named."""

    wagers: tuple[str, ...]  # the required one, then parts of it with a paytable of their own
    rows: Mapping[int, str]  # place of what is paid → row
    rules: Rules
    decks: int  # where no answer says how many
    decks_of_paytable: Mapping[str, int] = field(default_factory=dict)
    tens_removed: bool = False
    hands: int  # by splitting, where no answer says how many
    more_splits: str = ""  # the answer: how often a pair is split again
    side: SideWager = field(default_factory=SideWager)

    def deal(self, chapter: Chapter, answers: Answers, strategy: Strategy, stream: Stream) -> Dealt:
        """Deal and settle the rounds; `ValueError` for a decision that the text does not allow."""
        tables = [table for wager in self.wagers for table in chapter.tables_of(wager)]
        cells = {row.outcome: net(row.pays[0].printed, table, {}) for table in tables for row in table.rows}
        amounts = [cells[self.rows.get(place, self.rows[WIN])] for place in range(PAID)]
        parts = lcm(2, *(amount.denominator for amount in amounts))  # of a wager, half of which may be surrendered
        odds = np.array([int(amount * parts) for amount in amounts])
        more = answers.get(self.more_splits)
        hands = self.hands if more is None else min(2 + int(str(more)), MOST_HANDS)
        most = 4 * hands  # wagers: each hand attacked and doubled, or doubled with a second chance
        required = np.zeros((2 * most * max(parts, *odds) + 1, most + 1), np.int64)
        insurance, optional, events = np.zeros(3, np.int64), np.zeros(8, np.int64), np.zeros(64 * most, np.int64)
        arrays = required, insurance, optional, events, self.shoe(answers)
        played = _next_hands(strategy[0]), *strategy[1:]
        refused, happened = _deal(stream, self.rules, self.side.kind, hands, parts, odds, played, arrays)
        if refused:
            raise ValueError(f"chapter {chapter.number}: the strategy decides {refused} times what the text forbids")
        settled = {}
        for wager, name in paytables_in_play(chapter, answers).items():
            if wager == self.wagers[0]:
                settled[wager] = _by_amounts(required, parts)
            elif wager == self.side.wager:
                settled[wager] = self._side(chapter.paytable(wager, name), optional, stream[2])
            else:
                settled[wager] = _insurance(chapter.paytable(wager, name), insurance)
        return Dealt(settled, (*arrays[-1][:4].tolist(), *events[:happened].tolist()))

    def shoe(self, answers: Answers) -> Ints:
        """Return the cards of the decks answered."""
        printed_for = (decks for name, decks in self.decks_of_paytable.items() if name in answers.values())
        decks = answers.get("number_of_decks") or next(printed_for, self.decks)
        ranks = [rank for rank in range(13) if not (self.tens_removed and rank == 8)]
        deck = [4 * rank + suit for rank in ranks for suit in range(4)]
        return np.array(deck * int(str(decks)))

    def _side(self, table: Paytable, counts: Ints, rounds: int) -> list[Ending]:
        if self.side.kind != MATCH:
            return endings(table, dict(zip(self.side.rows, counts[1:].tolist(), strict=False)), rounds, {})
        cells = {row.outcome: net(row.pays[0].printed, table, {}) for row in table.rows}
        same, different = (cells[row] for row in self.side.rows)
        paid = [
            Ending(words, UNIT, suited * same + unsuited * different, int(counts[3 * suited + unsuited]))
            for (suited, unsuited), words in MATCHES.items()
        ]
        return [*paid, Ending("Lost", UNIT, LOST, int(counts[0]))]


def _insurance(table: Paytable, counts: Ints) -> list[Ending]:
    (row,) = table.rows
    won, lost, not_made = counts.tolist()
    return [ending(row, table, won, {}), Ending("Lost", UNIT, LOST, lost), Ending("Not made", ZERO, ZERO, not_made)]


def _by_amounts(counts: Ints, parts: int) -> list[Ending]:
    """Return an ending for each amount won on each number of wagers, of which no more can be lost."""
    paid = []
    for (place, wagered), rounds in np.ndenumerate(counts):
        won = Fraction(place - len(counts) // 2, parts)
        words = f"{'Wins' if won > 0 else 'Loses'} {abs(won)}" if won else "Even"
        if wagered and won >= -wagered:
            paid.append(Ending(f"{words}, wagered {wagered}", Fraction(wagered), won, int(rounds)))
    return paid


def _next_hands(cards_of_hands: NDArray[np.integer]) -> NDArray[np.int16]:
    """Return [hand, counts − 1 of a card] → the hand that the card makes of it; 0 where no hand is given."""
    one_more = 64 ** np.arange(10)
    keys = cards_of_hands.astype(np.int64) @ one_more
    in_order, wanted = np.argsort(keys), keys[:, None] + one_more
    hands = in_order[np.searchsorted(keys, wanted, sorter=in_order) % len(keys)]
    return np.where(keys[hands] == wanted, hands, 0).astype(np.int16)


@helper
def counted(card: int) -> int:
    """Return what a card counts, an ace 1."""
    return 1 if card >> 2 == 12 else min((card >> 2) + 2, 10)


@helper
def points(hard: int, ace: bool) -> int:
    """Return the total of a hand, one ace as 11 unless that exceeds 21."""
    return hard + 10 if ace and hard + 10 <= 21 else hard


@helper
def is_allowed(decision: int, total: int, cards: int, may_split: bool, kind: int, doubled: bool, rules: Rules) -> bool:
    """Return True if the text allows the decision; a hand may always be left as it is."""
    if decision == SECOND_CHANCE:
        return rules.second_chances and total > 21
    if decision == RESCUE:
        return rules.rescues and doubled and total <= 21
    if decision == STAND or total >= 21:
        return decision == STAND
    if decision == SURRENDER:
        return rules.any_time or (kind == FIRST and cards == 2)
    if doubled or kind == SPLIT_ACE:
        return False
    if decision == SPLIT:
        return may_split
    return decision == HIT or cards == 2 or rules.any_time


@helper
def against_dealer(own: int, cards: int, dealer: int, rules: Rules) -> int:
    """Return how a hand of 21 or less ends that is no Blackjack."""
    if dealer > 21:
        return SETTLED if rules.pushes_22 and dealer == 22 else WON
    if own == dealer:
        return WON if rules.beats_21 and own == 21 and cards >= 3 else SETTLED
    return WON if own > dealer else BEATEN


@helper
def suits_lie(suits: int) -> int:
    """Return whether cards are of one suit or of one color; `suits` as bits: clubs, diamonds, hearts, spades."""
    if suits & (suits - 1) == 0:
        return ONE_SUIT
    return ONE_COLOR if suits == 0b1001 or suits == 0b0110 else ANY_SUITS


@helper
def bonus_place(total: int, cards: int, a: int, b: int, c: int) -> int:
    """Return the place of what a winning hand is paid, neither doubled nor split; `a`, `b`, `c`: its first cards."""
    if total != 21 or cards < 3 or cards == 4:
        return WIN
    if cards >= 5:
        return FIVE_CARDS + min(cards, 7) - 5
    suits, sevens = 1 << (a & 3) | 1 << (b & 3) | 1 << (c & 3), counted(a) == 7 and counted(b) == 7 and counted(c) == 7
    lie = MIXED if suits_lie(suits) != ONE_SUIT else OF_SPADES if suits == 0b1000 else SUITED
    if 1 << counted(a) | 1 << counted(b) | 1 << counted(c) == 1 << 6 | 1 << 7 | 1 << 8:
        return SIX_SEVEN_EIGHT + lie
    return THREE_SEVENS + lie if sevens else WIN


@helper
def match_place(up: int, a: int, b: int) -> int:
    """Return 3 · cards of the rank and suit of the dealer's first card + cards of its rank only."""
    return 2 * (a == up) + 2 * (b == up) + (a >> 2 == up >> 2) + (b >> 2 == up >> 2)


@helper
def dealer_place(side: int, total: int, cards: int, third: int, eights: bool, suits: int) -> int:
    """Return the place of the dealer's hand, by the suits of its cards, or by the third card, of a count from 6."""
    if side == DEALER_22:
        return suits_lie(suits) if total == 22 else 0
    if total <= 21 or cards != 3:
        return 0
    return suits_lie(suits) if eights and suits_lie(suits) != ANY_SUITS else third - 3


@kernel
def _deal(
    stream: Stream, rules: Rules, side: int, most_hands: int, parts: int, odds: Ints, strategy: Strategy, arrays: Arrays
) -> tuple[int, int]:
    (seed, block, rounds), (next_hands, decisions, attack) = stream, strategy
    required, insurance, optional, events, shoe = arrays
    size, even, refused, happened = len(shoe), len(required) // 2, 0, 0
    begun, kinds, own, lammers, results, totals, sizes, chances = np.zeros((8, most_hands), np.int64)
    state, dealt, picks = start(seed, block), 0, np.arange(size)
    for _ in range(rounds):
        for place in range(dealt - 1, -1, -1):  # the cards go back: no round depends on the one before
            shoe[place], shoe[picks[place]] = shoe[picks[place]], shoe[place]
        for place in range(4):  # the shuffle, as far as cards are dealt
            state = advance(state)
            picks[place] = place + below(state, size - place)
            shoe[place], shoe[picks[place]] = shoe[picks[place]], shoe[place]
        first, shown = (1, 0) if rules.up_card_first else (0, 1)
        a, b, up_card, hole_card, dealt = shoe[first], shoe[2], shoe[shown], shoe[3], 4
        up, hole, happened = counted(up_card), counted(hole_card), 0
        unit = 2 if rules.attacks and attack[up - 1] else 1
        if unit == 2:
            events[0], happened = (32 + ATTACK) * 64 + NO_CARD, 1
        blackjack = points(counted(a) + counted(b), counted(a) == 1 or counted(b) == 1) == 21
        dealer_ace = up == 1 or hole == 1
        beaten = points(up + hole, dealer_ace) == 21

        insured = up == 1 and (rules.blackjack_insures or not blackjack)
        insurance[(INSURANCE_WON if beaten else INSURANCE_LOST) if insured else NOT_MADE] += 1
        if side == MATCH:
            optional[match_place(up_card, a, b)] += 1

        hand, hands, awaiting, won, wagered = 0, 1, 0, 0, unit
        begun[0], kinds[0], own[0], lammers[0], results[0] = counted(a), FIRST, unit, 0, SETTLED
        if blackjack or beaten:
            hand = 1
            if not blackjack:
                won = -parts  # an attack is returned
            elif not beaten or rules.blackjack_beats_blackjack:
                won = odds[BLACKJACK] * unit
        while hand < hands:
            kind, stage = kinds[hand], TWO_CARDS
            hard, ace, cards, number, given = 0, False, 0, 0, begun[hand]
            while True:
                if given == 0:
                    state = advance(state)
                    picks[dealt] = dealt + below(state, size - dealt)
                    shoe[dealt], shoe[picks[dealt]] = shoe[picks[dealt]], shoe[dealt]
                    given = counted(shoe[dealt])
                    events[happened] = ((hand + 1) * 32 + CARD) * 64 + shoe[dealt]
                    dealt, happened = dealt + 1, happened + 1
                    if stage == SUBTRACTED:
                        break
                hard, ace, cards, number = hard + given, ace or given == 1, cards + 1, next_hands[number, given - 1]
                if cards == 1:
                    given = counted(b) if kind == FIRST else 0
                    continue
                may_split = cards == 2 and given == begun[hand] and kind != SPLIT_ACE and hands < most_hands
                total, given = points(hard, ace), 0
                enough = cards >= rules.winning_cards and total <= 21
                decision = decisions[3 * kind + stage, number, up - 1]
                if may_split and decisions[3 * FIRST + TWO_CARDS, number, up - 1] == SPLIT:
                    decision = SPLIT
                if enough:
                    decision = STAND
                elif decision in (DOUBLE, FREE_DOUBLE):
                    house_stakes = rules.lammers and cards == 2 and not ace and 9 <= total <= 11
                    decision = FREE_DOUBLE if house_stakes else DOUBLE
                if not is_allowed(decision, total, cards, may_split, kind, stage == DOUBLED, rules):
                    refused += 1
                    decision = STAND
                event = ENOUGH_CARDS if enough else decision
                if event == STAND and total >= 21:
                    event = AT_21 if total == 21 else ABOVE_21
                events[happened] = ((hand + 1) * 32 + event) * 64 + NO_CARD
                happened += 1
                if decision == SPLIT:
                    free = rules.lammers and begun[hand] != 10
                    if rules.one_card_aces and begun[hand] == 1:
                        kind = SPLIT_ACE
                    elif kind == FIRST:
                        kind = SPLIT_HAND
                    begun[hands], kinds[hands] = begun[hand], LAMMER_HAND if free else kind
                    own[hands], lammers[hands] = (0, 1) if free else (unit, 0)
                    wagered += own[hands]
                    hands += 1
                    hard, ace, cards, number, given = 0, False, 0, 0, begun[hand]
                elif decision == HIT:
                    stage = DRAWN
                elif decision == DOUBLE:
                    own[hand] += unit
                    wagered += unit
                    stage = DOUBLED
                elif decision == FREE_DOUBLE:
                    lammers[hand] += 1
                    stage = DOUBLED
                elif decision == SECOND_CHANCE:
                    wagered += own[hand]
                    stage = SUBTRACTED
                else:
                    break
            chances[hand] = 1 if stage == SUBTRACTED else 0
            total -= given  # 0 but for a card subtracted
            totals[hand], sizes[hand], results[hand] = total, cards, SETTLED
            if decision == SURRENDER:
                won -= own[hand] * parts // 2
            elif decision == RESCUE:
                won -= (own[hand] - unit) * parts
            elif total > 21:
                results[hand] = BEATEN
            elif enough or (total == 21 and rules.pays_21_at_once):
                results[hand] = WON
            else:
                results[hand] = AWAITS
                awaiting += 1
            hand += 1

        hard, suits, third = up + hole, 1 << (up_card & 3) | 1 << (hole_card & 3), dealt
        if not beaten and (awaiting or side in (THIRD_CARD, DEALER_22)):
            while points(hard, dealer_ace) < 17:
                state = advance(state)
                picks[dealt] = dealt + below(state, size - dealt)
                shoe[dealt], shoe[picks[dealt]] = shoe[picks[dealt]], shoe[dealt]
                hard, suits = hard + counted(shoe[dealt]), suits | 1 << (shoe[dealt] & 3)
                dealer_ace = dealer_ace or counted(shoe[dealt]) == 1
                events[happened] = CARD * 64 + shoe[dealt]
                dealt, happened = dealt + 1, happened + 1
        dealer = points(hard, dealer_ace)
        if side in (THIRD_CARD, DEALER_22):
            eights = up == 8 and hole == 8 and counted(shoe[third]) == 8
            optional[dealer_place(side, dealer, 2 + dealt - third, counted(shoe[third]), eights, suits)] += 1

        for hand in range(hands):
            result = results[hand]
            if result == AWAITS:
                result = against_dealer(totals[hand], sizes[hand], dealer, rules)
            if result == BEATEN:
                won -= own[hand] * (1 + chances[hand]) * parts
            elif result == WON and chances[hand]:
                won += odds[CHANCE] * own[hand]  # the wager before is returned
            elif result == WON:
                plain = hands == 1 and own[hand] == unit
                place = bonus_place(totals[hand], sizes[hand], a, b, shoe[4]) if plain else WIN
                won += odds[place] * own[hand] + odds[LAMMER] * lammers[hand]
        required[even + won, wagered] += 1
    return refused, happened
