"""The steps of one round of six cards a side: the cards dealt, how both sides set them, whether the player doubles.

Not here: what the wagers win (`runs.replay`), the deal itself (`six_rounds`).
"""

from collections.abc import Sequence

from games.maths.cards import JOKER
from games.maths.forms import KEYS, forms
from games.maths.ranking import flush_part, high_part, low_part
from games.maths.results import Step
from games.maths.two_hands.ranking import JOKER_RANK, high_value
from games.maths.two_hands.six_cards import (
    SIX,
    Ints,
    Settings,
    high_hands,
    high_of,
    line_of,
    low_of,
    settings,
    suited_form,
)
from games.maths.two_hands.six_pairs import best_settings
from games.maths.two_hands.six_rounds import NOT_PLACED
from games.maths.two_hands.six_ways import REGULATION
from games.maths.two_hands.wording import SixCardWording
from games.rules.model import HouseWay


def code_of(cards: Ints, way: Settings | None = None) -> int:
    """What the tables of a way of setting say of six cards; those of the house way where none is given."""
    way, key = way or settings(REGULATION), int(KEYS[cards].sum())
    if flush_part(key):
        return int(way.by_suit[suited_form(cards)])
    return int(way.by_form[forms(SIX).low[low_part(key)] + forms(SIX).high[high_part(key)]])


def round_steps(
    player: Ints, dealer: Ints, dealt: str, doubles: Sequence[int] | None, way: HouseWay, wording: SixCardWording
) -> tuple[Step, ...]:
    """`dealt` is the section of the deal; `doubles` the least high hand by low hand, None where not offered."""
    code, by_house_way = code_of(player, best_settings()), code_of(player)
    steps = [Step("Player", "is dealt six cards", dealt, _cards(player))]
    steps.append(Step("Dealer", "is dealt six cards", dealt, _cards(dealer)))
    if doubles is not None:
        places = "places the" if high_of(code) >= doubles[low_of(code)] else "does not place a"
        steps.append(Step("Player", f"{places} Double Down Wager", wording.doubles[NOT_PLACED]))
    how = "as the house way would" if code == by_house_way else "so that the low hand is higher than the house way's"
    steps += _sets("Player", player, code, how, wording.player_sets)
    line = way.rules[line_of(code_of(dealer))][0]
    return (*steps, *_sets("Dealer", dealer, code_of(dealer), f"by the line “{line}”", wording.dealer_sets))


def _sets(who: str, cards: Ints, code: int, how: str, section: str) -> tuple[Step, Step]:
    high, low = split(_cards(cards), code)
    return Step(who, f"sets the high hand {how}", section, high), Step(who, "sets the low hand", section, (low,))


def split(cards: tuple[int, ...], code: int) -> tuple[tuple[int, ...], int]:
    """(the high hand, the low hand) that the code means."""
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
    """From high to low, as a person sorts them."""
    return tuple(sorted((int(card) for card in cards), reverse=True))
