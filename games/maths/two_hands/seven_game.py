"""One game of seven cards a side as the rest of the portal meets it: rounds dealt and settled, and the steps of one.

The rounds share with the exact counts of hands (`seven_wagers`) only the numbering of the cards and the ranking of
hands, and with those of the required wager (`seven_pairs`) also the tables of hands set by form. Hands with five or
more of a suit have no form: each is set by itself.

Seven cards go to each of six positions and the dealer; by exchangeability a player's results depend on the own seven
and the dealer's seven alone, so only these fourteen are dealt. Every round starts from a full deck of 53. Not here: the
wagers (`seven_wagers`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from games.compiled import kernel
from games.maths.cards import ACE, JOKER, JOKER_DECK
from games.maths.published import compare_published
from games.maths.ranking import KEYS, flush_part, forms, high_part, low_part
from games.maths.results import LOST_OUTCOME, Step, Tally, WagerAnalysis
from games.maths.two_hands import setting
from games.maths.two_hands.ranking import (
    HAND_SETS,
    ROYAL_FLUSH,
    ROYAL_MATCH,
    SEVEN_NATURAL,
    SEVEN_WITH_JOKER,
    THREE_PAIR,
    high_table,
    low_table,
    place_table,
    wild_table,
)
from games.maths.two_hands.setting import (
    HOUSE_WAYS,
    RUN_BITS,
    SETTINGS,
    SEVEN_CARDS,
    THREE_PAIRS,
    Ints,
    Values,
    arrange,
    best_answer,
    dealer_setting,
    hands_code,
    high_of,
    low_of,
    off_suit,
    rule_table,
    shape,
    sort_by_rank,
)
from games.maths.two_hands.seven_wagers import (
    ENDS,
    PUSHES,
    SevenCardWording,
    ace_high_wager,
    counts_by_row,
    hand_wager,
    required_wager,
)
from games.rules.conditions import way_dealt
from games.rules.model import Answers, Chapter, HouseWay, Paytable
from games.rules.wagers_in_play import in_play, paytables_in_play
from games.streams import advance, below, start


@dataclass(frozen=True, slots=True, kw_only=True)
class SevenCardGame:
    """The terms of one game: the required wager, the chapter's wording.

    The dealer sets by the house way of the answer `house_way`; its key is where other wagers have the name of their
    paytable. `ace_high` is the wager on the dealer's hand, every other optional wager one on the player's.
    """

    wager: str  # the required one
    wording: SevenCardWording

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """Return every wager offered; the required one under each house way if the answers name none."""
        analyses: list[WagerAnalysis] = []
        for wager, name in in_play(chapter, answers):
            if wager == self.wager:
                ways = self._house_ways(chapter, (answers or {}).get("house_way"))
                analyses += [required_wager(wager, way, self.wording) for way in ways]
            else:
                analyze = ace_high_wager if wager == "ace_high" else hand_wager
                analyses.append(analyze(chapter.paytable(wager, name), self.wording))
        return tuple(compare_published(chapter, analysis) for analysis in analyses)

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Deal and settle the rounds of one block; `ValueError` where a house way or a paytable is not answered."""
        chosen = paytables_in_play(chapter, answers).items()
        tables = {wager: chapter.paytable(wager, name) for wager, name in chosen if name}
        way = self._house_way(chapter, answers.get("house_way"))
        return self._tally(deal_rounds(seed, block, rounds, way.key), tables)

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """Return the cards and settings of one round; `ValueError` where a house way is not answered."""
        way = self._house_way(chapter, answers.get("house_way"))
        deck = deal_rounds(seed, block, index + 1, way.key).deck
        return round_steps(deck[:7], deck[7:14], way_dealt(self.wording.dealt, answers), way, self.wording)

    def _tally(self, dealt: "DealtRounds", tables: Mapping[str, Paytable]) -> Tally:
        ends = (name.format(self.wording.tied_hand) for name, _ in ENDS.values())
        tally: Tally = {self.wager: dict(zip(ends, dealt.settled.tolist(), strict=True))}
        for wager, table in tables.items():
            if wager == "ace_high":
                outcomes = (*self.wording.ace_high_rows, LOST_OUTCOME)
                tally[wager] = dict(zip(outcomes, dealt.ace_high.tolist(), strict=True))
            else:
                made = dealt.made_wild if table.fully_wild_joker else dealt.made
                by_bits = {int(bits): int(made[bits]) for bits in np.flatnonzero(made)}
                tally[wager] = counts_by_row(table, by_bits, self.wording.ranking)
        return tally

    def _house_ways(self, chapter: Chapter, key: object) -> tuple[HouseWay, ...]:
        return chapter.house_ways if key is None else (self._house_way(chapter, key),)

    def _house_way(self, chapter: Chapter, key: object) -> HouseWay:
        if house_way := next((way for way in chapter.house_ways if way.key == key), None):
            return house_way
        raise ValueError(
            f"`house_way` is {key!r}; answer how the dealer sets the hands with one of "
            f"{', '.join(way.key for way in chapter.house_ways)} ({self.wording.dealer_sets})"
        )


QUEEN, KING = 10, 11
CARDS_DEALT = 14
ACE_HIGH, HAS_JOKER = 1 << 24, 1 << 25  # added to the code of a dealer's hands
BOTH, WITH_JOKER, NO_JOKER, NOT = range(4)  # whether the dealer is ace high: with the player, alone, not


RankTables = tuple[Ints, Values, Values, Values]
"""The tables of `ranking`: places of ranks, high hands, low hands, high hands with a fully wild joker."""
HouseWayTables = tuple[Ints, Values, Values]
"""The rules, and the values of all high and of all low hands."""
Room = tuple[Ints, Ints, Ints]
"""Room for `setting.arrange`: sums, high hands, low hands."""


@dataclass(frozen=True, slots=True)
class DealtRounds:
    """The rounds by their ends, counted before any odds are looked at; `deck` opens with the last round's cards."""

    settled: Ints  # LOSES, TIES, WINS, PUSHES
    ace_high: Ints  # BOTH, WITH_JOKER, NO_JOKER, NOT
    made: Ints  # by the bits of hands (`ranking`): what the player's seven cards make
    made_wild: Ints  # the same with a fully wild joker
    deck: Ints  # the dealer's seven cards, the player's seven, the rest


def deal_rounds(seed: int, block: int, rounds: int, house_way: str) -> DealtRounds:
    """Deal and settle `rounds` rounds of stream (seed, block)."""
    settled, ace_high, made, made_wild = (np.zeros(size, np.int64) for size in (4, 4, HAND_SETS, HAND_SETS))
    numbers, known, without_flush = forms(SEVEN_CARDS), setting.form_tables(), _without_flush()
    by_kind, deck = np.zeros(len(without_flush.bits), np.int64), np.arange(JOKER_DECK)
    _play(
        *(seed, block, rounds, (KEYS, numbers.low, numbers.high), _dealers(house_way)),
        (without_flush.first, without_flush.codes, without_flush.kinds, known.ace_high),
        *((rule_table(house_way), known.highs, known.lows), (place_table(), high_table(), low_table(), wild_table())),
        (settled, ace_high, by_kind, made, made_wild),
        deck,
    )
    np.add.at(made, without_flush.bits, by_kind)
    np.add.at(made_wild, without_flush.wild_bits, by_kind)
    return DealtRounds(settled, ace_high, made, made_wild, deck)


@dataclass(frozen=True, slots=True)
class WithoutFlush:
    """A player's hands by form, in so few bytes that they stay in a core's own cache.

    The front of a form is `codes[first[form] : first[form + 1]]`; its kind tells the bits of hands, also under a fully
    wild joker.
    """

    first: Values
    codes: Values
    kinds: NDArray[np.uint16]  # by form
    bits: Ints  # by kind
    wild_bits: Ints  # by kind


@cache
def _without_flush() -> WithoutFlush:
    known = setting.form_tables()
    used = known.fronts != 0
    first = np.concatenate(([0], used.sum(axis=1).cumsum())).astype(np.int32)
    bits, kinds = np.unique(known.bits * HAND_SETS + known.wild_bits, return_inverse=True)
    return WithoutFlush(first, known.fronts[used], kinds.astype(np.uint16), bits // HAND_SETS, bits % HAND_SETS)


@cache
def _dealers(house_way: str) -> Values:
    """Return the code of the dealer's hands by form, with `ACE_HIGH` added for these, `HAS_JOKER` with the joker."""
    known = setting.form_tables()
    marked = known.codes[list(HOUSE_WAYS).index(house_way)] + ACE_HIGH * known.ace_high + HAS_JOKER * known.joker
    return np.asarray(marked, np.int32)


@kernel
def _play(
    seed: int,
    block: int,
    rounds: int,
    numbers: tuple[Ints, Values, Values],
    dealers: Values,
    players: tuple[Values, Values, NDArray[np.uint16], NDArray[np.bool_]],
    house_way: HouseWayTables,
    tables: RankTables,
    tallies: tuple[Ints, Ints, Ints, Ints, Ints],
    deck: Ints,
) -> None:
    keys, low, high = numbers
    first, codes, kinds, ace_highs = players
    _, high_values, low_values = house_way
    settled, ace_high, by_kind, made, made_wild = tallies
    state = start(seed, block)
    cards = np.zeros(7, np.int64)  # room for hands with a flush, and for their settings
    room = np.zeros((3, 8), np.int64), np.zeros(SETTINGS, np.int64), np.zeros(SETTINGS, np.int64)
    for _ in range(rounds):
        for place in range(CARDS_DEALT):
            state = advance(state)
            pick = place + below(state, JOKER_DECK - place)
            deck[place], deck[pick] = deck[pick], deck[place]
        dealer_key, player_key = 0, 0
        for place in range(7):
            dealer_key += keys[deck[place]]
            player_key += keys[deck[7 + place]]
        dealer = low[low_part(dealer_key)] + high[high_part(dealer_key)]  # forms
        player = low[low_part(player_key)] + high[high_part(player_key)]

        # The dealer's hands are set by the house way and shown.
        if flush_part(dealer_key) == 0:
            shown = int(dealers[dealer])
        else:
            for place in range(7):
                cards[place] = deck[place]
            shown = dealer_with_flush(cards, house_way, tables, room)
        dealer_high, dealer_low = high_of(shown & (ACE_HIGH - 1)), low_of(shown)

        # The player answers the dealer's hands; what the player's seven cards make.
        if flush_part(player_key) == 0:
            beaten = 0
            for place in range(first[player], first[player + 1]):
                packed = codes[place]
                beats = (1 if high_of(packed) > dealer_high else 0) + (1 if low_of(packed) > dealer_low else 0)
                beaten = max(beaten, beats)
            by_kind[kinds[player]] += 1
        else:
            for place in range(7):
                cards[place] = deck[7 + place]
            shown_values = high_values[dealer_high], low_values[dealer_low]
            beaten = player_with_flush(cards, *shown_values, tables, room, made, made_wild)

        # Where the dealer is ace high the required wager ties, and the wager on it wins.
        if shown & ACE_HIGH == 0:
            settled[beaten] += 1
            ace_high[NOT] += 1
        else:
            settled[PUSHES] += 1
            alone = WITH_JOKER if shown & HAS_JOKER else NO_JOKER
            both = flush_part(player_key) == 0 and ace_highs[player]
            ace_high[BOTH if both else alone] += 1


@kernel
def seven_card_hands(cards: Ints, off: int, highs: Ints) -> int:
    """Return bits for the hands of seven cards: a straight flush of seven, a royal flush with a Royal Match."""
    bits = 0
    if off == 0:
        naturals = 7 if cards[6] < JOKER else 6
        low, second = cards[0] >> 2, cards[naturals - 2] >> 2
        high = cards[naturals - 1] >> 2
        if high - low <= 6 or (high == ACE and second <= 5):
            bits |= SEVEN_NATURAL if naturals == 7 else SEVEN_WITH_JOKER
    setting = 0
    for first in range(6):
        for second in range(first + 1, 7):
            if highs[setting] >> 20 == ROYAL_FLUSH:
                pair = (cards[first] >> 2 == QUEEN) and (cards[second] >> 2 == KING)
                if pair and cards[first] & 3 == cards[second] & 3:
                    bits |= ROYAL_MATCH
            setting += 1
    return bits


@kernel
def dealer_with_flush(cards: Ints, house_way: HouseWayTables, tables: RankTables, room: Room) -> int:
    """Return the code of the hands of a dealer who has five cards of a suit; sorts the cards."""
    (rules, high_values, low_values), (places, values, low_values_by_rank, _) = house_way, tables
    _, highs, lows = room
    sort_by_rank(cards)
    arrange(cards, off_suit(cards), places, values, low_values_by_rank, *room)
    form, lead = shape(cards)
    _, chosen = dealer_setting(form, 1, lead, rules, highs, lows)
    return hands_code(highs[chosen], lows[chosen], high_values, low_values)


@kernel
def player_with_flush(
    cards: Ints, dealer_high: int, dealer_low: int, tables: RankTables, room: Room, made: Ints, made_wild: Ints
) -> int:
    """Return the number of the dealer's hands that a player with a flush beats; sort the cards, count their hands."""
    places, values, low_values, wild_values = tables
    _, highs, lows = room
    sort_by_rank(cards)
    off = off_suit(cards)
    met = arrange(cards, off, places, values, low_values, *room)
    beaten = best_answer(dealer_high, dealer_low, highs, lows)
    form, _ = shape(cards)
    met |= THREE_PAIR if form == THREE_PAIRS else 0
    if off == 0 or met >> ROYAL_FLUSH & 1:
        met |= seven_card_hands(cards, off, highs)
    made[met] += 1
    if cards[6] == JOKER:
        met |= arrange(cards, off, places, wild_values, low_values, *room)
    made_wild[met] += 1
    return beaten


Cards = tuple[int, ...]


def round_steps(dealer: Ints, player: Ints, dealt: str, way: HouseWay, wording: SevenCardWording) -> tuple[Step, ...]:
    """Return the steps of a round, seven cards a side as dealt; `dealt` is the section of the deal."""
    shows, answers = wording.dealer_sets, wording.player_sets
    dealers, players = Settings(dealer), Settings(player)
    line, shown = dealers.by_house_way(way.key)
    answer, beaten = players.answer(int(dealers.highs[shown]), int(dealers.lows[shown]))
    high, low = dealers.cards_of(shown)
    own_high, own_low = players.cards_of(answer)
    return (
        Step("Player", "is dealt seven cards face down", dealt, players.cards[::-1]),
        Step("Dealer", "is dealt seven cards face up", dealt, dealers.cards[::-1]),
        Step("Dealer", f"sets the high hand by the line “{way.rules[line][0]}”", shows, high),
        Step("Dealer", "sets the low hand", shows, low),
        Step("Player", f"sets the high hand so as to beat {('neither hand', 'one hand', 'both hands')[beaten]}",
             answers, own_high),
        Step("Player", "sets the low hand", answers, own_low),
    )  # fmt: skip


class Settings:
    """The 21 settings of seven cards."""

    def __init__(self, seven: Ints) -> None:
        sorted_cards = seven.copy()
        sort_by_rank(sorted_cards)
        self.highs, self.lows = np.zeros(SETTINGS, np.int64), np.zeros(SETTINGS, np.int64)
        off, sums = off_suit(sorted_cards), np.zeros((3, 8), np.int64)
        tables = (place_table(), high_table(), low_table())
        self._run = arrange(sorted_cards, off, *tables, sums, self.highs, self.lows) & RUN_BITS
        self._shape = shape(sorted_cards)
        self.cards: Cards = tuple(int(card) for card in sorted_cards)

    def by_house_way(self, key: str) -> tuple[int, int]:
        """Return the line of the house way that fits, and its setting."""
        form, lead = self._shape
        line, setting = dealer_setting(form, 1 if self._run else 0, lead, rule_table(key), self.highs, self.lows)
        return int(line), int(setting)

    def answer(self, high: int, low: int) -> tuple[int, int]:
        """Return the setting that beats most of two hands, of equals that with the highest high hand, and how many."""
        beats = (self.highs > high).astype(int) + (self.lows > low)
        legal = [setting for setting in range(SETTINGS) if self.highs[setting] >= self.lows[setting]]
        best = max(legal, key=lambda setting: (beats[setting], self.highs[setting], self.lows[setting]))
        return best, int(beats[best])

    def cards_of(self, setting: int) -> tuple[Cards, Cards]:
        """Return (high hand, low hand), from high to low."""
        low = list(combinations(self.cards, 2))[setting]
        return tuple(card for card in self.cards[::-1] if card not in low), low[::-1]
