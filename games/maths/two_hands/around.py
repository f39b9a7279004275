"""The required wager estimated round the table: seven hands are dealt, and each is once the dealer's.

A deal is worth 42 rounds, every hand as the dealer's against each of the other six: by exchangeability each of them
is a round. What a strong hand wins as a player's it wins nearly as often as the dealer's, so the sum over the table
varies far less than 42 rounds would, and the estimate is the sharper. Its standard error comes from the sums of whole
deals, which are independent. All house ways and all ways to play are set against the same deals. Not here: single
rounds, dealt and settled one after the other (`rounds`).
"""

from dataclasses import dataclass
from functools import cache
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import JOKER_DECK
from games.maths.compiled import kernel
from games.maths.disk_cache import cached_arrays
from games.maths.ranking import flush_part, high_part, low_part
from games.maths.streams import advance, below, start
from games.maths.two_hands import seven_forms
from games.maths.two_hands.forms import KEYS, forms
from games.maths.two_hands.house_ways import HOUSE_WAYS, rule_table
from games.maths.two_hands.ranking import high_table, low_table, place_table
from games.maths.two_hands.rounds import ENDS, LOSES, PUSHES, TIES, WINS
from games.maths.two_hands.setting import SETTINGS, arrange, dealer_setting, off_suit, shape, sort_by_rank
from games.maths.two_hands.seven_forms import FRONT, SEVEN, Ints, Values, code, front, high_of, low_of

DEALS: Final = 2_000_000
ROUNDS: Final = SEVEN * (SEVEN - 1)  # of one deal
ESTIMATE_BLOCK: Final = 2**62  # a block that no simulation reaches: the estimate is independent of every run
PLAYS: Final = 4
ANSWERS, HOUSE_WAY, HIGHEST_HIGH, HIGHEST_LOW = range(PLAYS)  # how the player sets


@dataclass(frozen=True, slots=True)
class Estimate:
    """Under one house way, of `DEALS` × `ROUNDS` rounds: `ends[play, end]`; `squares[play]`, the sum over the deals of
    (lost − won)²; `lines[line of the house way]`, of `DEALS` × `SEVEN` hands."""

    ends: Ints
    squares: Ints
    lines: Ints

    def standard_error(self, play: int) -> float:
        """Of the hold of a round: `ends` says the mean, `squares` how whole deals vary."""
        lost, _, won, _ = (int(count) for count in self.ends[play])
        mean = (lost - won) / DEALS
        return float(((int(self.squares[play]) / DEALS - mean**2) / DEALS) ** 0.5 / ROUNDS)


@cache
def estimate(house_way: str, seed: int) -> Estimate:
    """The estimate under one house way, from the streams of this seed; it is made for all at once, and kept."""
    arrays = cached_arrays(f"two_hands_around_{seed}", lambda: _deal(seed, DEALS))
    way = list(HOUSE_WAYS).index(house_way)
    ends, squares, lines = (cast(Ints, arrays[name][way]) for name in ("ends", "squares", "lines"))
    return Estimate(ends, squares, lines[: len(HOUSE_WAYS[house_way])])


def _deal(seed: int, deals: int) -> dict[str, NDArray[np.generic]]:
    ways = [seven_forms.dealer_sets(way) for way in HOUSE_WAYS]
    most = max(len(rules) for rules in HOUSE_WAYS.values())
    ends = np.zeros((len(ways), PLAYS, ENDS), np.int64)
    squares, lines = np.zeros((len(ways), PLAYS), np.int64), np.zeros((len(ways), most), np.int64)
    known, numbers = seven_forms.tables(), forms(SEVEN)
    rules = tuple(rule_table(way) for way in HOUSE_WAYS)
    codes, followed = np.stack([way.codes for way in ways]), np.stack([way.lines for way in ways])
    _play(
        *(seed, ESTIMATE_BLOCK, deals, KEYS, numbers.low, numbers.high, known.fronts, known.ace_high, codes, followed),
        rules,
        *(place_table(), high_table(), low_table(), known.highs, known.lows, ends, squares, lines),
    )
    return {"ends": ends, "squares": squares, "lines": lines}


@kernel
def _play(
    seed: int,
    block: int,
    deals: int,
    keys: Ints,
    low: Values,
    high: Values,
    fronts: Values,
    ace_highs: NDArray[np.bool_],
    set_codes: Values,
    set_lines: Ints,
    rules: tuple[Ints, ...],
    places: Ints,
    values: Values,
    low_table: Values,
    high_values: Values,
    low_values: Values,
    ends: Ints,
    squares: Ints,
    lines: Ints,
) -> None:
    state, deck = start(seed, block), np.arange(JOKER_DECK)
    ways = len(set_codes)
    shown = np.zeros((SEVEN, FRONT), np.int32)  # the front of each hand
    plain = np.zeros((ways, PLAYS, SEVEN), np.int32)  # the settings of each hand that do not look at the dealer's
    ace_high = np.zeros(SEVEN, np.bool_)
    for _ in range(deals):
        for hand in range(SEVEN):
            key = 0
            for place in range(7 * hand, 7 * hand + 7):
                state = advance(state)
                pick = place + below(state, JOKER_DECK - place)
                deck[place], deck[pick] = deck[pick], deck[place]
                key += keys[deck[place]]
            if flush_part(key):
                ace_high[hand] = False
                cards = deck[7 * hand : 7 * hand + 7].copy()
                _set_flush(
                    *(cards, rules, places, values, low_table, high_values, low_values),
                    *(shown[hand], plain[:, HOUSE_WAY, hand], lines),
                )
            else:
                number = low[low_part(key)] + high[high_part(key)]
                ace_high[hand] = ace_highs[number]
                shown[hand] = fronts[number]
                for way in range(ways):
                    plain[way, HOUSE_WAY, hand] = set_codes[way, number]
                    lines[way, set_lines[way, number]] += 1
            plain[:, HIGHEST_HIGH, hand] = shown[hand, 0]
            for packed in shown[hand]:
                if packed:
                    plain[:, HIGHEST_LOW, hand] = packed
        for way in range(ways):
            _settle(shown, plain[way], ace_high, ends[way], squares[way])


@kernel
def _set_flush(
    cards: Ints,
    rules: tuple[Ints, ...],
    places: Ints,
    values: Values,
    low_table: Values,
    high_values: Values,
    low_values: Values,
    shown: Values,
    chosen: Values,
    lines: Ints,
) -> None:
    """The front and the dealer's settings of seven cards with five of a suit."""
    sums, highs, lows = np.zeros((3, 8), np.int64), np.zeros(SETTINGS, np.int64), np.zeros(SETTINGS, np.int64)
    sort_by_rank(cards)
    arrange(cards, off_suit(cards), places, values, low_table, sums, highs, lows)
    form, lead = shape(cards)
    shown[:] = 0
    front(highs, lows, high_values, low_values, shown)
    for way in range(len(rules)):
        line, setting = dealer_setting(form, 1, lead, rules[way], highs, lows)
        chosen[way] = code(highs[setting], lows[setting], high_values, low_values)
        lines[way, line] += 1


@kernel
def _settle(shown: Values, plain: Values, ace_high: NDArray[np.bool_], ends: Ints, squares: Ints) -> None:
    """Each hand once the dealer's, against the six others. `plain[play]` has the hands of plain plays."""
    sums = np.zeros(PLAYS, np.int64)
    for dealer in range(SEVEN):
        if ace_high[dealer]:
            ends[:, PUSHES] += SEVEN - 1
            continue
        dealer_high = np.int32(high_of(plain[HOUSE_WAY, dealer]))
        dealer_low = np.int32(low_of(plain[HOUSE_WAY, dealer]))
        for player in range(SEVEN):
            if player != dealer:
                best = np.int32(0)
                for setting in range(FRONT):
                    packed = shown[player, setting]
                    beats = np.int32(high_of(packed) > dealer_high) + np.int32(low_of(packed) > dealer_low)
                    best = max(best, beats)
                ends[ANSWERS, best] += 1
                sums[ANSWERS] += best - 1
        for play in range(HOUSE_WAY, PLAYS):
            won, lost = 0, 0
            for player in range(SEVEN):
                high, low = high_of(plain[play, player]) > dealer_high, low_of(plain[play, player]) > dealer_low
                won += 1 if high and low else 0
                lost += 0 if high or low or player == dealer else 1
            ends[play, WINS] += won
            ends[play, LOSES] += lost
            ends[play, TIES] += SEVEN - 1 - won - lost
            sums[play] += won - lost
    squares += sums * sums
