"""Single hands of seven cards with five or more of a suit, as the rounds dealt set them: they have no form (`forms`).

Not here: hands without a flush (`seven_forms`), how a hand is arranged (`setting`).
"""

from games.maths.cards import ACE, JOKER
from games.maths.compiled import kernel
from games.maths.two_hands.hands import ROYAL_MATCH, SEVEN_NATURAL, SEVEN_WITH_JOKER, THREE_PAIR
from games.maths.two_hands.house_ways import THREE_PAIRS
from games.maths.two_hands.ranking import ROYAL_FLUSH
from games.maths.two_hands.setting import arrange, best_answer, dealer_setting, off_suit, shape, sort_by_rank
from games.maths.two_hands.seven_forms import Ints, Values, code

QUEEN, KING = 10, 11


@kernel
def seven_card_hands(cards: Ints, off: int, highs: Ints) -> int:
    """Bits for the hands of seven cards: a straight flush of seven, a royal flush with a Royal Match."""
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
def dealer_with_flush(
    cards: Ints,
    rules: Ints,
    places: Ints,
    values: Values,
    low_table: Values,
    high_values: Values,
    low_values: Values,
    sums: Ints,
    highs: Ints,
    lows: Ints,
) -> int:
    """The code of the hands of a dealer who has five cards of a suit; sorts the cards."""
    sort_by_rank(cards)
    arrange(cards, off_suit(cards), places, values, low_table, sums, highs, lows)
    form, lead = shape(cards)
    _, chosen = dealer_setting(form, 1, lead, rules, highs, lows)
    return code(highs[chosen], lows[chosen], high_values, low_values)


@kernel
def player_with_flush(
    cards: Ints,
    dealer_high: int,
    dealer_low: int,
    places: Ints,
    values: Values,
    wild_values: Values,
    low_table: Values,
    made: Ints,
    made_wild: Ints,
    sums: Ints,
    highs: Ints,
    lows: Ints,
) -> int:
    """How many of the dealer's hands a player beats who has five cards of a suit; sorts and counts the dealer's
    cards."""
    sort_by_rank(cards)
    off = off_suit(cards)
    met = arrange(cards, off, places, values, low_table, sums, highs, lows)
    beaten = best_answer(dealer_high, dealer_low, highs, lows)
    form, _ = shape(cards)
    met |= THREE_PAIR if form == THREE_PAIRS else 0
    if off == 0 or met >> ROYAL_FLUSH & 1:
        met |= seven_card_hands(cards, off, highs)
    made[met] += 1
    if cards[6] == JOKER:
        met |= arrange(cards, off, places, wild_values, low_table, sums, highs, lows)
    made_wild[met] += 1
    return beaten


@kernel
def answer_with_flush(cards: Ints, dealer_high: int, dealer_low: int, flushes: Values, low_places: Values) -> int:
    """How many of the dealer's hands a flush beats, of five cards or more of a suit; −1 where they may be more than a
    plain flush. The joker is of every suit."""
    sizes = 0
    for card in cards:
        sizes += 0x1111 if card == JOKER else 1 << 4 * (card & 3)
    suit = 0
    for candidate in range(1, 4):
        if sizes >> 4 * candidate & 15 >= 5:
            suit = candidate
    ranks, off = 0, 0
    for place in range(7):
        if cards[place] == JOKER or cards[place] & 3 == suit:
            ranks |= 1 << (cards[place] >> 2)
        else:
            off |= 1 << place
    if off == 0:
        return -1
    beaten = 0
    for first in range(6):
        for second in range(first + 1, 7):
            if off & ~(1 << first | 1 << second) == 0:
                a, b = cards[first] >> 2, cards[second] >> 2
                five = ranks
                if off >> first & 1 == 0:
                    five &= ~(1 << a)
                if off >> second & 1 == 0:
                    five &= ~(1 << b)
                if flushes[five] < 0:
                    return -1
                beats = (1 if flushes[five] > dealer_high else 0) + (1 if low_places[a, b] > dealer_low else 0)
                beaten = max(beaten, beats)
    return beaten
