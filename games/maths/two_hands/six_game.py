"""One game of six cards a side as the rest of the portal meets it: rounds dealt and settled, and the steps of one.

The rounds share with the exact counts (`six_pairs`) the ranking of hands and the tables that set them: of the dealer
the house way's, of the player the best settings. Six cards go to each of six positions and the dealer; by
exchangeability a player's results depend on the own six cards and the dealer's six alone, so only these twelve are
dealt. Every round starts from a full deck of 53. Not here: the wagers (`six_wagers`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from games.compiled import kernel
from games.maths.cards import ACE, JOKER, JOKER_DECK
from games.maths.published import compare_published
from games.maths.ranking import KEYS, flush_part, forms, high_part, low_part
from games.maths.results import Step, Tally, WagerAnalysis
from games.maths.two_hands import six_cards
from games.maths.two_hands.pairs import SIX, suited_ranks
from games.maths.two_hands.ranking import JOKER_RANK, high_value
from games.maths.two_hands.six_cards import (
    BEST,
    REGULATION,
    Codes,
    Ints,
    Settings,
    best_of,
    high_hands,
    high_of,
    line_of,
    low_of,
    settings,
)
from games.maths.two_hands.six_pairs import BESTS, best_settings, least_qualified
from games.maths.two_hands.six_wagers import (
    DOUBLE_ENDS,
    ENDS,
    SixCardWording,
    best_thresholds,
    counts_by_outcome,
    counts_by_row,
    double_down_wager,
    hand_wager,
    metered,
    required_wager,
)
from games.rules.conditions import way_dealt
from games.rules.model import Answers, Chapter, HouseWay
from games.rules.wagers_in_play import in_play, paytables_in_play
from games.streams import advance, below, start


@dataclass(frozen=True, slots=True, kw_only=True)
class SixCardGame:
    """The terms of one game: the required wager, the chapter's wording.

    The dealer sets by the chapter's only house way. `double_down` doubles the required wager; every other wager is one
    on the player's own cards.
    """

    wager: str  # the required one
    wording: SixCardWording

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """Return every wager offered, exactly; the player sets in the best way and doubles where that wins."""
        analyses = (self._analyze(chapter, wager, name, answers) for wager, name in in_play(chapter, answers))
        return tuple(compare_published(chapter, analysis) for analysis in analyses)

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Deal and settle the rounds of one block."""
        offered = paytables_in_play(chapter, answers)
        dealt = deal_rounds(seed, block, rounds)
        tally: Tally = {self.wager: counts_by_outcome(ENDS, dealt.ends.tolist())}
        if "double_down" in offered:
            tally["double_down"] = counts_by_outcome(DOUBLE_ENDS, dealt.doubled.tolist())
        for wager, name in offered.items():
            if name:
                tally[wager] = counts_by_row(chapter.paytable(wager, name), dealt.best.tolist())
        return tally

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """Return the cards and decisions of one round."""
        deck, dealt = deal_rounds(seed, block, index + 1).deck, way_dealt(self.wording.dealt, answers)
        doubles = best_thresholds(BEST) if "double_down" in paytables_in_play(chapter, answers) else None
        return round_steps(deck[:6], deck[6:12], dealt, doubles, chapter.house_ways[0], self.wording)

    def _analyze(self, chapter: Chapter, wager: str, name: str, answers: Answers | None) -> WagerAnalysis:
        if wager == self.wager:
            return required_wager(wager, chapter.house_ways[0], self.wording)
        if wager == "double_down":
            return double_down_wager(wager, chapter.wager(self.wager).name, self.wording)
        table = chapter.paytable(wager, name)
        return hand_wager(metered(chapter, table, answers) if wager == "progressive" else table, self.wording)


@dataclass(frozen=True, slots=True)
class DealtRounds:
    """The rounds by their ends, before any odds are looked at; `deck` opens with the last six cards of each side."""

    ends: Ints  # by `six_cards.WIN` …: how the player's hands compare to the dealer's
    doubled: Ints  # by `DOUBLE_WIN` …
    best: Ints  # 16 × category + first rank of the player's best five cards
    deck: Ints


def deal_rounds(seed: int, block: int, rounds: int) -> DealtRounds:
    """Deal and settle `rounds` rounds of stream (seed, block)."""
    doubles = np.array(best_thresholds(BEST), dtype=np.int64)
    own, way, tables = best_settings(), settings(REGULATION), forms(SIX)
    ends, doubled, best = (np.zeros(size, np.int64) for size in (six_cards.ENDS, six_cards.DOUBLE_ENDS, BESTS))
    deck = np.arange(JOKER_DECK)
    numbers, sets = (KEYS, tables.low, tables.high), (own.by_form, own.by_suit, way.by_form, way.by_suit)
    _play(seed, block, rounds, numbers, sets, doubles, least_qualified(), ends, doubled, best, deck)
    return DealtRounds(ends, doubled, best, deck)


@kernel
def _play(
    seed: int,
    block: int,
    rounds: int,
    numbers: tuple[Ints, Codes, Codes],
    sets: tuple[Codes, Codes, Codes, Codes],
    doubles: Ints,
    least: int,
    ends: Ints,
    doubled: Ints,
    best: Ints,
    deck: Ints,
) -> None:
    """Deal the rounds; the player doubles if the place of the high hand is at least `doubles[low hand]`.

    `least` is the dealer's lowest high hand with which the double is settled.
    """
    (keys, low, high), (own_by_form, own_by_suit, by_form, by_suit) = numbers, sets
    state = start(seed, block)
    codes = np.zeros(2, np.int64)
    for _ in range(rounds):
        for who in range(2):
            key = 0
            for place in range(6 * who, 6 * who + 6):
                state = advance(state)
                pick = place + below(state, JOKER_DECK - place)
                deck[place], deck[pick] = deck[pick], deck[place]
                key += keys[deck[place]]
            if flush_part(key):
                suit, beside = suited_ranks(deck[6 * who : 6 * who + 6])
                codes[who] = by_suit[suit, beside] if who else own_by_suit[suit, beside]
            else:
                form = low[low_part(key)] + high[high_part(key)]
                codes[who] = by_form[form] if who else own_by_form[form]

        # The dealer has set by the house way, the player in the best way; the dealer's joker is an ace.
        high_hand, low_hand = high_of(codes[0]), low_of(codes[0])
        dealer_high, dealer_low = high_of(codes[1]), min(low_of(codes[1]), ACE)

        # The required wager.
        if high_hand > dealer_high:
            end = six_cards.WIN if low_hand > dealer_low else six_cards.HIGH_WINS
        elif low_hand > dealer_low:
            end = six_cards.LOW_WINS
        elif high_hand == dealer_high:
            end = six_cards.BOTH_COPY if low_hand == dealer_low else six_cards.HIGH_COPY
        else:
            end = six_cards.LOW_COPY if low_hand == dealer_low else six_cards.BOTH_LOWER
        ends[end] += 1

        # The wager that doubles it.
        if high_hand < doubles[low_hand]:
            doubled[six_cards.NOT_PLACED] += 1
        elif dealer_high < least:
            doubled[six_cards.RETURNED] += 1
        elif end == six_cards.WIN:
            doubled[six_cards.DOUBLE_WIN] += 1
        elif end in (six_cards.HIGH_WINS, six_cards.LOW_WINS):
            doubled[six_cards.DOUBLE_TIE] += 1
        else:
            doubled[six_cards.DOUBLE_LOSS] += 1

        # The player's six cards, for the wagers on them alone.
        best[best_of(codes[0])] += 1


def code_of(cards: Ints, way: Settings | None = None) -> int:
    """Return the code of six cards in the tables of a way of setting; of the house way if none is given."""
    way, key = way or settings(REGULATION), int(KEYS[cards].sum())
    if flush_part(key):
        return int(way.by_suit[suited_ranks(cards)])
    return int(way.by_form[forms(SIX).low[low_part(key)] + forms(SIX).high[high_part(key)]])


def round_steps(
    player: Ints, dealer: Ints, dealt: str, doubles: Sequence[int] | None, way: HouseWay, wording: SixCardWording
) -> tuple[Step, ...]:
    """Return the steps of a round; `dealt`: the deal's section; `doubles`: the least high hand by low hand, or None."""
    code, by_house_way = code_of(player, best_settings()), code_of(player)
    steps = [Step("Player", "is dealt six cards", dealt, _cards(player))]
    steps.append(Step("Dealer", "is dealt six cards", dealt, _cards(dealer)))
    if doubles is not None:
        places = "places the" if high_of(code) >= doubles[low_of(code)] else "does not place a"
        steps.append(Step("Player", f"{places} Double Down Wager", wording.doubles[six_cards.NOT_PLACED]))
    how = "as the house way would" if code == by_house_way else "so that the low hand is higher than the house way's"
    steps += _sets("Player", player, code, how, wording.player_sets)
    line = way.rules[line_of(code_of(dealer))][0]
    return (*steps, *_sets("Dealer", dealer, code_of(dealer), f"by the line “{line}”", wording.dealer_sets))


def _sets(who: str, cards: Ints, code: int, how: str, section: str) -> tuple[Step, Step]:
    high, low = split(_cards(cards), code)
    return Step(who, f"sets the high hand {how}", section, high), Step(who, "sets the low hand", section, (low,))


def split(cards: tuple[int, ...], code: int) -> tuple[tuple[int, ...], int]:
    """Return the high hand and the low hand that the code means."""
    for low in cards:
        high = tuple(card for card in cards if card != low)
        if _rank(low) == low_of(code) and _value(high) == high_hands()[high_of(code)]:
            return high, low
    raise ValueError(f"no card of {cards} leaves the hands of code {code}")


def _value(high: Sequence[int]) -> int:
    ranks = sorted(_rank(card) for card in high if card != JOKER)
    suited = len({card & 3 for card in high if card != JOKER}) == 1
    return high_value(ranks, JOKER in high, suited)


def _rank(card: int) -> int:
    return JOKER_RANK if card == JOKER else card >> 2


def _cards(cards: Ints) -> tuple[int, ...]:
    """Return the cards from high to low, as a person sorts them."""
    return tuple(sorted((int(card) for card in cards), reverse=True))
